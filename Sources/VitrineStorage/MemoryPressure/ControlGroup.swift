import Glibc

/// The control group (cgroup v2) whose memory is watched.
struct ControlGroup: Sendable, Hashable {
    /// Its folder.
    let path: String

    init(path: String) { self.path = path }

    /// The process's own group, or the nearest above it for which memory is counted; nil if there is none.
    static var own: ControlGroup? {
        guard let groups = text(of: "/proc/self/cgroup"),
            let mounts = text(of: "/proc/self/mountinfo"),
            let found = folder(groups: groups, mounts: mounts)
        else { return nil }
        var path = found.folder
        while path.utf8.count >= found.mountPoint.utf8.count {
            if access(path + "/memory.events", R_OK) == 0 { return ControlGroup(path: path) }
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
            path = String(path[..<slash])
        }
        return nil
    }

    /// Where the group of a process lies, from `/proc/self/cgroup` and `/proc/self/mountinfo`.
    static func folder(groups: String, mounts: String) -> (folder: String, mountPoint: String)? {
        // The unified hierarchy is the one without controllers: "0::/user.slice/…".
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
            return nil
        }
        let group = line.dropFirst(3)
        guard !group.split(separator: "/").contains("..") else { return nil }
        for line in mounts.split(separator: "\n") {
            // 36 25 0:31 /root /mount/point options … - cgroup2 source options
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash > 4, dash + 1 < fields.endIndex,
                fields[dash + 1] == "cgroup2"
            else { continue }
            let root = unescaped(fields[3])
            var mountPoint = unescaped(fields[4])
            if mountPoint == "/" { mountPoint = "" }
            if root == "/" {
                return (mountPoint + (group == "/" ? "" : group), mountPoint)
            }
            if group == root { return (mountPoint, mountPoint) }
            if group.hasPrefix(root + "/") {
                return (mountPoint + group.dropFirst(root.count), mountPoint)
            }
        }
        return nil
    }

    /// The numbers of now; nil if the group is gone.
    var memory: GroupMemory? {
        guard let events = Self.text(of: path + "/memory.events") else { return nil }
        func number(_ name: String) -> UInt64? {
            Self.text(of: path + "/" + name).flatMap {
                $0.split(whereSeparator: \.isWhitespace).first.flatMap { UInt64($0) }
            }
        }
        let counts = Self.table(events)
        let stat = Self.table(Self.text(of: path + "/memory.stat") ?? "")
        return GroupMemory(
            events: GroupMemory.Events(
                high: counts["high"] ?? 0, max: counts["max"] ?? 0, oom: counts["oom"] ?? 0,
                oomKill: counts["oom_kill"] ?? 0),
            current: number("memory.current") ?? 0, inactiveFiles: stat["inactive_file"] ?? 0,
            high: number("memory.high"), maximum: number("memory.max"))
    }

    /// Lines of a name and a number.
    private static func table(_ text: String) -> [String: UInt64] {
        var table: [String: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let value = UInt64(words[1]) { table[String(words[0])] = value }
        }
        return table
    }

    /// A path as `mountinfo` writes it: what separates fields and lines is a backslash and three octal
    /// digits.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A small file of the kernel's, of which 256 KB count.
    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 262_144 {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
