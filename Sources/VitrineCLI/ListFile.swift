import Glibc
import PictureLists
import VitrineBase

/// A list that is read piece by piece: a file, a pipe, or standard input as `-`.
final class ListFile: Sendable {
    /// For people.
    let name: String
    private let file: Int32

    /// Opens it; of a pipe with a name this waits until somebody writes.
    init(_ path: String) throws(UsageError) {
        name = Self.name(path)
        file = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.unreadable(path, errno) }
    }

    deinit { if file > 0 { close(file) } }

    /// Whether it is there and may be read, without opening it.
    static func check(_ path: String) throws(UsageError) {
        guard path != "-" else { return }
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw unreadable(path, errno)
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw unreadable(path, EISDIR) }
    }

    /// The next bytes; none at the end, and once `bell` has rung. Blocks until then.
    func read(until bell: Bell? = nil) throws(UsageError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var events = [
                pollfd(fd: file, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell?.heard ?? -1, events: 0, revents: 0),
            ]
            if poll(&events, nfds_t(events.count), -1) < 0, errno == EINTR { continue }
            if events[1].revents != 0 { return [] }
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw UsageError("\(name) cannot be read: \(String(cString: strerror(errno))).")
            }
            return Array(chunk[..<count])
        }
    }

    /// What is said of a list that turns out to be none.
    static func refused(_ path: String, _ fault: ListLines.Fault) -> UsageError {
        UsageError("\(name(path)) is no list of URLs: \(fault).")
    }

    private static func name(_ path: String) -> String {
        path == "-" ? "Standard input" : "The list \(path)"
    }

    private static func unreadable(_ path: String, _ code: Int32) -> UsageError {
        UsageError("\(name(path)) cannot be read: \(String(cString: strerror(code))).")
    }
}

extension ListFile {
    /// All lines of a short list: at most a million bytes.
    static func lines(_ path: String) throws(UsageError) -> [String] {
        let list = try ListFile(path)
        var lines = ListLines()
        var (found, size): ([String], Int) = ([], 0)
        while lines.fault == nil {
            let bytes = try list.read()
            if bytes.isEmpty { break }
            size += bytes.count
            guard size <= 1_000_000 else {
                throw UsageError("\(list.name) cannot be read: it has more than 1 MB.")
            }
            found += lines.add(bytes)
        }
        found += lines.end()
        if let fault = lines.fault { throw refused(path, fault) }
        return found
    }
}

/// Ends a wait for a file, from another thread.
final class Bell: Sendable {
    /// What `poll` hears it by; -1 if the system gave none.
    let heard: Int32
    private let rope: Lock<Int32>

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        heard = ends[0]
        rope = Lock(ends[1])
    }

    deinit {
        ring()
        if heard >= 0 { close(heard) }
    }

    /// For good.
    func ring() {
        rope.withLock { end in
            if end >= 0 { close(end) }
            end = -1
        }
    }
}
