import FoundationEssentials
import Glibc

/// Reads a whole file, with the reasons that a person understands.
enum FileBytes {
    struct Failure: Error {
        let why: String
    }

    /// The bytes of a regular file of at most `limit` bytes. Blocks.
    static func read(_ path: String, limit: Int) throws(Failure) -> Data {
        try read([UInt8](path.utf8), limit: limit)
    }

    /// The same, by a path that need not be UTF-8. It has no zero byte in it.
    static func read(_ path: [UInt8], limit: Int) throws(Failure) -> Data {
        // Without O_NONBLOCK, opening a pipe would wait for its other end.
        let file = open(
            path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure(why: "it is a directory")
        default: throw Failure(why: "it is not a regular file")
        }
        var data = Data()
        // One byte more than expected, so that a file which grows meanwhile is read to its end.
        var room = max(0, min(Int(status.st_size), limit)) + 1
        while true {
            let start = data.count
            data.count = start + room
            let count = data.withUnsafeMutableBytes { buffer in
                guard let base = buffer.baseAddress else { return 0 }
                while true {
                    let count = Glibc.read(file, base + start, room)
                    if count >= 0 || errno != EINTR { return count }
                }
            }
            guard count >= 0 else { throw Failure(errno) }
            data.count = start + count
            if count == 0 { return data }
            guard data.count <= limit else {
                throw Failure(why: "it has more than \(limit) bytes")
            }
            room = max(room - count, 64 << 10)
        }
    }
}

extension FileBytes.Failure {
    fileprivate init(_ code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: why = "there is no such file"
        case EACCES, EPERM: why = "permission is denied"
        case EISDIR: why = "it is a directory"
        case EMFILE, ENFILE: why = "too many files are open"
        default: why = String(cString: strerror(code))
        }
    }
}
