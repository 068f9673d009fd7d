import FoundationEssentials
import Glibc
import VitrineHTTP

/// The folder into which pictures are written, each whole or not at all.
final class OutputFolder: Sendable {
    /// Why something cannot be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    /// Makes the folder if it is not there, and finds out whether it can be written to.
    init(_ path: String) throws(Failure) {
        self.path = path
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : part + "/"
            guard mkdir(made, 0o777) != 0, errno != EEXIST, errno != EISDIR else { continue }
            // Some file systems say that it may not be made, rather than that it is there.
            let why = errno
            if access(made, F_OK) != 0 { throw Failure(path, why) }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure(path, ENOTDIR) }
        guard access(path, W_OK | X_OK) == 0 else { throw Failure(path, errno) }
        sweep()
    }

    /// Writes the file whole or not at all, in place of one that has its name. Blocks.
    ///
    /// Where the file system can, the file has no name until it is complete, so that not even a
    /// killed program leaves a part of it behind.
    ///
    /// - Returns: the file's path.
    func write(_ data: Data, name: String, from source: URL) throws(Failure) -> String {
        let target = pathOf(name)
        guard !Self.isSameFile(target, source) else {
            throw Failure(
                description: "\(target) is the picture itself; name another folder by --output.")
        }
        let temporary = pathOf("\(Self.temporaryPrefix)\(UInt64.random(in: 0...UInt64.max))")
        var failure = Self.writeNameless(data, in: path, as: target, or: temporary)
        if failure == EOPNOTSUPP {
            failure = Self.write(
                data, to: open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
            if failure == 0, rename(temporary, target) != 0 { failure = errno }
            if failure != 0 { unlink(temporary) }
        }
        guard failure == 0 else { throw Failure(target, failure) }
        return target
    }

    private static func isSameFile(_ path: String, _ source: URL) -> Bool {
        var (one, other) = (stat(), stat())
        return source.scheme?.lowercased() == "file"
            && stat(path, &one) == 0
            && stat(source.pathBytes.map { CChar(bitPattern: $0) } + [0], &other) == 0
            && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// Returns the number of the system's error, or 0; `EOPNOTSUPP` if it has to be done otherwise.
    private static func writeNameless(
        _ data: Data, in folder: String, as target: String, or temporary: String
    ) -> Int32 {
        let file = open(folder, O_WRONLY | nameless | O_CLOEXEC, 0o666)
        guard file >= 0 else { return EOPNOTSUPP }
        defer { close(file) }
        let failure = writeAll(data, to: file)
        guard failure == 0 else { return failure }
        let own = "/proc/self/fd/\(file)"
        if linkat(AT_FDCWD, own, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 { return 0 }
        guard errno == EEXIST else { return EOPNOTSUPP }
        // Only renaming replaces what is there; a signal must not come between.
        return Interruption.withheld {
            guard linkat(AT_FDCWD, own, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0 else {
                return EOPNOTSUPP
            }
            if rename(temporary, target) == 0 { return 0 }
            let failure = errno
            unlink(temporary)
            return failure
        }
    }

    private static func write(_ data: Data, to file: Int32) -> Int32 {
        guard file >= 0 else { return errno }
        let failure = writeAll(data, to: file)
        return close(file) != 0 && failure == 0 ? errno : failure
    }

    private func pathOf(_ name: String) -> String {
        path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    /// `O_TMPFILE`, which Swift does not see.
    private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY

    private static func writeAll(_ data: Data, to file: Int32) -> Int32 {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(file, part.baseAddress, part.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count == 0 || errno != EINTR {
                    return count == 0 ? EIO : errno
                }
            }
            return 0
        }
    }

    // MARK: What was left behind

    private static let temporaryPrefix = ".vitrine-"

    /// Removes what programs that were killed have left in the folder more than an hour ago.
    private func sweep() {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let number = name.dropFirst(Self.temporaryPrefix.utf8.count)
            guard name.hasPrefix(Self.temporaryPrefix), number.count >= 5,
                number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
            else { continue }
            var status = stat()
            guard lstat(pathOf(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mtim.tv_sec < time(nil) - 3600
            else { continue }
            unlink(pathOf(name))
        }
    }
}

extension OutputFolder.Failure {
    fileprivate init(_ path: String, _ code: Int32) {
        let why =
            switch code {
            case EACCES, EPERM: "permission is denied"
            case EROFS: "the file system is read-only"
            case ENOSPC, EDQUOT: "the disk is full"
            case ENOTDIR: "it is not a folder"
            case ENOENT: "there is no such folder"
            case EISDIR: "a folder has that name"
            case ENAMETOOLONG: "the name is too long"
            default: String(cString: strerror(code))
            }
        description = "\(path) cannot be written: \(why)."
    }
}
