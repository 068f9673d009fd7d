import FoundationEssentials
import Glibc

/// A temporary file that only its owner may read; removed with the last reference to it, unless it
/// was given away.
final class SpoolFile: Sendable {
    let descriptor: Int32
    let path: String
    private let isOurs: OneShot<Void>

    /// A new empty file in `directory`, with mode 0600 and a name nobody else has.
    init(directory: String) throws(TransportError) {
        // Not `mkostemp`, which Swift does not see.
        var descriptor: Int32 = -1
        var path = ""
        for _ in 0..<100 {
            path = "\(directory)/vitrine-spool-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 || errno != EEXIST { break }
        }
        guard descriptor >= 0 else { throw .storage(reason: Self.reason()) }
        self.descriptor = descriptor
        self.path = path
        isOurs = OneShot()
    }

    deinit {
        close(descriptor)
        if isOurs.fulfil(()) { unlink(path) }
    }

    /// Leaves the file to the caller; false if somebody has it already.
    func giveAway() -> Bool { isOurs.fulfil(()) }

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
