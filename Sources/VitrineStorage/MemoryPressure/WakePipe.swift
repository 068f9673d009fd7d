import Glibc

/// Wakes a thread that sleeps in `poll`.
final class WakePipe: Sendable {
    /// Can be read once somebody has signalled.
    let file: Int32
    private let writer: Int32

    /// Nil if the process has no file number left.
    init?() {
        var ends: [Int32] = [-1, -1]
        // Unlike `pipe` this marks both ends at once, so that no child process inherits them.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        file = ends[0]
        writer = ends[1]
    }

    deinit {
        close(file)
        close(writer)
    }

    /// A pipe that is full wakes as well.
    func signal() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(file, &bytes, bytes.count) > 0 {}
    }

    /// Sleeps until somebody signals, or `duration` has passed.
    func wait(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let milliseconds = min(max(seconds, 0), 3600) * 1000 + attoseconds / 1_000_000_000_000_000
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(clamping: milliseconds))
    }
}
