public import FoundationEssentials
import VitrineBase

/// A clock that stands still until a test moves it.
///
/// A scripted loader goes by it when it decides whether what it has is fresh, waits on it before it tries
/// again and for its deadlines, and scripted answers that are ``ScriptedAnswer/delayed(by:)`` wait on it.
public final class ManualClock: Clock {
    /// A moment, by the time since the clock was made.
    public struct Instant: InstantProtocol {
        /// How long after the clock was made.
        public let offset: Duration

        /// The moment so much later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How long it is until the other one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper {
        let until: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var date: Double
        var sleepers: [Int: Sleeper] = [:]
        var lastSleeper = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Those who waited for so many sleepers.
        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let ready = watchers.filter { $0.count <= sleepers.count }
            watchers.removeAll { $0.count <= sleepers.count }
            return ready.map(\.continuation)
        }
    }
    private let state: Lock<State>

    /// A clock that shows this date; 2026-01-01T00:00:00Z by default.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        state = Lock(State(date: date.timeIntervalSince1970))
    }

    /// The moment that it shows.
    public var now: Instant { state.withLock { $0.now } }

    /// The date that it shows.
    public var date: Date { Date(timeIntervalSince1970: state.withLock { $0.date }) }

    /// No time is too short for it.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Moves it on, and wakes who has slept long enough, those with the earliest deadline first. A
    /// negative time counts as none.
    public func advance(by duration: Duration) {
        let duration = max(.zero, duration)
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let (seconds, attoseconds) = duration.components
            state.date += Double(seconds) + Double(attoseconds) / 1e18
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.until < $1.until }.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Suspends until the clock was moved to the deadline.
    ///
    /// - Throws: `CancellationError` at once if the Swift task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (goesOn, watchers) = state.withLock { state in
                    if deadline <= state.now || Task.isCancelled {
                        return (true, [CheckedContinuation<Void, Never>]())
                    }
                    state.sleepers[number] = Sleeper(until: deadline, continuation: continuation)
                    return (false, state.takeWatchers())
                }
                if goesOn { continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    /// Suspends until so many sleep on it, so that moving it on reaches them.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    /// What a loader goes by.
    package var source: TimeSource {
        TimeSource(
            now: { self.state.withLock { $0.date } },
            uptime: {
                let (seconds, attoseconds) = self.now.offset.components
                let nanoseconds = UInt64(clamping: attoseconds / 1_000_000_000)
                return UInt64(clamping: seconds) &* 1_000_000_000 &+ nanoseconds
            },
            pause: { moment in
                try? await self.sleep(until: Instant(offset: .nanoseconds(clamping: moment)))
            })
    }
}
