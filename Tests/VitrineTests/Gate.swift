import Glibc
import VitrineBase

/// Lets one who waits go for each time that it is told to; those who wait are threads of an origin.
final class Gate: Sendable {
    private let open = Lock(0)

    /// One may go, now or as soon as it comes.
    func letOneGo() { open.withLock { $0 += 1 } }

    /// Blocks until it may go, for 20 seconds at most.
    func wait() {
        for _ in 0..<20_000 {
            let mayGo = open.withLock { open in
                guard open > 0 else { return false }
                open -= 1
                return true
            }
            if mayGo { return }
            usleep(1000)
        }
    }
}
