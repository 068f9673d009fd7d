package import VitrineBase

/// A clock that stands still until a test moves it.
package final class ManualClock: Sendable {
    private struct Time: Sendable {
        var wall: Double
        var uptime: UInt64 = 1_000_000_000
    }
    private let time: Lock<Time>

    /// A clock that shows `now`, in seconds since 1970; 2026-01-01T00:00:00Z by default.
    package init(now: Double = 1_767_225_600) { time = Lock(Time(wall: now)) }

    /// Moves both clocks on.
    package func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        time.withLock { time in
            time.wall += Double(nanoseconds) / 1e9
            time.uptime &+= UInt64(max(0, nanoseconds))
        }
    }

    /// Sets the wall clock alone, as somebody may who corrects the system's time.
    package func setWallClock(_ now: Double) { time.withLock { $0.wall = now } }

    /// What the code under test is given.
    package var source: TimeSource {
        TimeSource(
            now: { self.time.withLock { $0.wall } }, uptime: { self.time.withLock { $0.uptime } })
    }
}
