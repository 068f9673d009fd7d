import FoundationEssentials
import Glibc
import VitrineBase

/// A temporary file that only its owner may read.
///
/// Where the file system can, it has no name until it is given away, so that not even a killed
/// process leaves it behind. Elsewhere it is removed with the last reference to it.
final class SpoolFile: Sendable {
    let descriptor: Int32
    private let directory: String
    /// Its name, until it is given away.
    private let name: Lock<Name>

    private enum Name {
        case none
        case path(String)
        case given
    }

    /// `O_TMPFILE`, which Swift does not see.
    private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY

    /// A new empty file in `directory`, with mode 0600, and a name nobody else has if it needs one.
    init(directory: String) throws(TransportError) {
        self.directory = directory
        var descriptor = open(directory, O_RDWR | Self.nameless | O_CLOEXEC, 0o600)
        var name = Name.none
        if descriptor < 0 {
            let path = Self.newPath(in: directory)
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            name = .path(path)
        }
        guard descriptor >= 0 else { throw .storage(reason: Self.reason()) }
        self.descriptor = descriptor
        self.name = Lock(name)
    }

    deinit {
        close(descriptor)
        if case .path(let path) = name.withLock({ $0 }) { unlink(path) }
    }

    /// Leaves the file to the caller, under the path returned; nil if somebody has it already, or if
    /// it cannot get a name. Blocks.
    func giveAway() -> String? {
        let before = name.withLock { name in
            defer { name = .given }
            return name
        }
        switch before {
        case .given: return nil
        case .path(let path): return path
        case .none:
            let path = Self.newPath(in: directory)
            let own = "/proc/self/fd/\(descriptor)"
            return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? path : nil
        }
    }

    private static func newPath(in directory: String) -> String {
        let parts = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
        return "\(directory)/vitrine-spool-\(parts.joined())"
    }

    func write(_ data: Data, at offset: Int) throws(TransportError) {
        var done = 0
        while done < data.count {
            let count = data.withUnsafeBytes { bytes in
                pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .storage(reason: Self.reason()) }
            done += count
        }
    }

    /// Exactly `count` bytes from `offset`.
    func read(at offset: Int, count: Int) throws(TransportError) -> Data {
        var data = Data(count: count)
        var done = 0
        while done < count {
            let got = data.withUnsafeMutableBytes { bytes in
                pread(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(offset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got != 0 else { throw .storage(reason: "the file was cut short") }
            guard got > 0 else { throw .storage(reason: Self.reason()) }
            done += got
        }
        return data
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
