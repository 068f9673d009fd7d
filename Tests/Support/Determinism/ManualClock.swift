package import VitrineBase

/// A clock that stands still until a test moves it.
package final class ManualClock: Sendable {
    private struct Time {
        var wall: Double
        var uptime: UInt64 = 1_000_000_000
        var sleepers: [Int: (until: UInt64, CheckedContinuation<Void, Never>)] = [:]
        var lastSleeper = 0
    }
    private let time: Lock<Time>

    /// A clock that shows `now`, in seconds since 1970; 2026-01-01T00:00:00Z by default.
    package init(now: Double = 1_767_225_600) { time = Lock(Time(wall: now)) }

    /// Moves both clocks on, and wakes those whose time has come.
    package func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        let due = time.withLock { time in
            time.wall += Double(nanoseconds) / 1e9
            time.uptime &+= UInt64(max(0, nanoseconds))
            let due = time.sleepers.filter { $0.value.until <= time.uptime }
            for (number, _) in due { time.sleepers[number] = nil }
            return due.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
        }
        for (_, sleeper) in due { sleeper.1.resume() }
    }

    /// Sets the wall clock alone, as somebody may who corrects the system's time.
    package func setWallClock(_ now: Double) { time.withLock { $0.wall = now } }

    /// How long those who sleep have still to wait, shortest first.
    package var sleepers: [Duration] {
        time.withLock { time in
            time.sleepers.values.map { $0.until - time.uptime }.sorted()
                .map { .nanoseconds(Int64(clamping: $0)) }
        }
    }

    private func sleep(until moment: UInt64) async {
        let number = time.withLock { time in
            time.lastSleeper += 1
            return time.lastSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = time.withLock { time in
                    if moment <= time.uptime || Task.isCancelled { return true }
                    time.sleepers[number] = (moment, continuation)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            time.withLock { $0.sleepers.removeValue(forKey: number) }?.1.resume()
        }
    }

    /// What the code under test is given.
    package var source: TimeSource {
        TimeSource(
            now: { self.time.withLock { $0.wall } }, uptime: { self.time.withLock { $0.uptime } },
            pause: { await self.sleep(until: $0) })
    }
}
