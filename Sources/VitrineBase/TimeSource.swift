import Glibc

/// Where the time comes from, so that tests can hand in a clock of their own.
///
/// `now` counts seconds since 1970 and follows the wall clock: it is what HTTP dates and expiries
/// are compared with. `uptime` counts nanoseconds and never jumps: it is what timers use, and what
/// ``sleep(until:)`` waits for.
package struct TimeSource: Sendable {
    private let wall: @Sendable () -> Double
    private let monotonic: @Sendable () -> UInt64
    private let pause: @Sendable (UInt64) async -> Void

    /// Clocks of one's own. `pause` waits for an uptime, less long only if the task is cancelled; by
    /// default it waits by the system's clock for as long as the time seems to be.
    package init(
        now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> UInt64,
        pause: (@Sendable (UInt64) async -> Void)? = nil
    ) {
        wall = now
        monotonic = uptime
        self.pause =
            pause ?? { moment in
                // No clock is asked to wait for longer than it can count.
                let longest: UInt64 = 86_400_000_000_000
                while !Task.isCancelled {
                    let current = uptime()
                    guard current < moment else { return }
                    try? await Task.sleep(nanoseconds: min(moment - current, longest))
                }
            }
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    package var now: Double { wall() }

    /// Nanoseconds since some fixed moment in the past.
    package var uptime: UInt64 { monotonic() }

    /// Suspends until the uptime is reached.
    ///
    /// - Throws: `CancellationError` at once if the task is cancelled.
    package func sleep(until uptime: UInt64) async throws(CancellationError) {
        await pause(uptime)
        if Task.isCancelled { throw CancellationError() }
    }

    /// The uptime after so long; the last that there is if it is beyond that.
    package func uptime(after duration: Duration) -> UInt64 {
        let (sum, overflow) = uptime.addingReportingOverflow(duration.clampedNanoseconds)
        return overflow ? .max : sum
    }

    /// The system's clocks.
    package static let system = TimeSource(
        now: {
            let time = read(CLOCK_REALTIME)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        },
        uptime: {
            let time = read(CLOCK_MONOTONIC)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        })

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}

extension Duration {
    /// In nanoseconds; a negative one is 0, and what is too long is the longest (584 years).
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return overflow || carry ? .max : sum
    }

    /// So many nanoseconds, at most 292 years.
    package static func nanoseconds(clamping count: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: count))
    }
}
