import Glibc

/// Where the time comes from, so that tests can hand in a clock of their own.
///
/// `now` counts seconds since 1970 and follows the wall clock: it is what HTTP dates and expiries
/// are compared with. `uptime` counts nanoseconds and never jumps: it is what timers use.
package struct TimeSource: Sendable {
    private let wall: @Sendable () -> Double
    private let monotonic: @Sendable () -> UInt64

    package init(
        now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> UInt64
    ) {
        wall = now
        monotonic = uptime
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    package var now: Double { wall() }

    /// Nanoseconds since some fixed moment in the past.
    package var uptime: UInt64 { monotonic() }

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

extension TimeSource {
    /// What ``uptime`` will show after `duration`; now for a negative one, and `UInt64.max` for one that
    /// is too far away to be counted.
    package func uptime(after duration: Duration) -> UInt64 {
        let now = uptime
        guard duration > .zero else { return now }
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (span, isTooFar) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        let (moment, isBeyond) = now.addingReportingOverflow(span)
        return isTooLong || isTooFar || isBeyond ? .max : moment
    }
}
