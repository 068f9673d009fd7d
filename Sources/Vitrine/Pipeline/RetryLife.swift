import VitrineBase
import VitrineHTTP

/// The attempts at one source: when the next one is, and when there is none any more. A pure state
/// machine.
struct RetryLife: Sendable {
    enum Action: Hashable, Sendable {
        /// Ask the source.
        case attempt
        /// Do nothing until that uptime in nanoseconds, then say so by ``RetryLife/waited(at:)``.
        case wait(until: UInt64)
        /// The failure stands.
        case giveUp
    }

    private enum Phase { case ready, trying, waiting(until: UInt64), over }

    /// What is known of a failure.
    struct Failure {
        let reason: ImageError.Reason
        let method: HTTP.Method
        /// For how many seconds the server wants to be left alone, if it says so.
        var retryAfter: Double?
    }

    /// How many attempts have begun.
    private(set) var attempts = 0
    private var phase = Phase.ready
    private var startedAt: UInt64 = 0

    /// The first attempt begins at that uptime, in nanoseconds.
    mutating func start(at now: UInt64) -> Action {
        guard case .ready = phase else { return .giveUp }
        startedAt = now
        return begin()
    }

    /// The attempt that was under way has failed.
    ///
    /// - Parameter chance: a random number from 0 to 1.
    mutating func failed(
        _ failure: Failure, under policy: ImageRequest.Retry, at now: UInt64, chance: Double
    ) -> Action {
        guard case .trying = phase else { return .giveUp }
        phase = .over
        guard attempts < policy.attempts,
            RetryTable.mayHelp(
                after: failure.reason, method: failure.method,
                serverSaysWhen: failure.retryAfter != nil)
        else { return .giveUp }
        let longest = policy.longestDelay.clampedNanoseconds
        var delay = Self.delay(before: attempts + 1, policy, chance: chance)
        if let seconds = failure.retryAfter {
            // To come earlier than told would be rude, and may be punished.
            guard seconds <= min(Double(longest) / 1e9, 1e9) else { return .giveUp }
            delay = max(delay, UInt64(max(0, seconds) * 1e9))
        }
        let (moment, overflow) = now.addingReportingOverflow(delay)
        let (end, isEndless) = startedAt.addingReportingOverflow(
            policy.longestTime.clampedNanoseconds)
        guard !overflow, isEndless || moment <= end else { return .giveUp }
        phase = .waiting(until: moment)
        return .wait(until: moment)
    }

    /// The time is there; or it is not, and there is more to wait.
    mutating func waited(at now: UInt64) -> Action {
        guard case .waiting(let moment) = phase else { return .giveUp }
        guard now >= moment else { return .wait(until: moment) }
        return begin()
    }

    /// Nobody wants it any more, or it has succeeded.
    mutating func end() { phase = .over }

    private mutating func begin() -> Action {
        attempts += 1
        phase = .trying
        return .attempt
    }

    /// Between half of the time and the whole: what comes back at random does not come back together.
    private static func delay(
        before attempt: Int, _ policy: ImageRequest.Retry, chance: Double
    ) -> UInt64 {
        let first = policy.firstDelay.clampedNanoseconds
        let doublings = attempt - 2
        let isTooFar = doublings >= 63 || first > .max >> UInt64(max(0, doublings))
        let whole = min(
            isTooFar ? .max : first << UInt64(max(0, doublings)),
            policy.longestDelay.clampedNanoseconds)
        let half = whole / 2
        let share = chance.isFinite ? min(max(0, chance), 1) : 1
        // No more than the half, however the product is rounded.
        return half + min(whole - half, UInt64(Double(half) * share))
    }
}
