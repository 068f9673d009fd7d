public import VitrineBase

/// The most bytes of memory that decoding and filtering claim at once.
///
/// Each job makes one reservation before it takes a thread, and gives it back when it is done. Waiting
/// suspends and blocks no thread. Higher priorities go first, then whoever came first; a job that is
/// larger than the whole budget runs alone. A job must not make a second reservation while it holds one.
///
/// ```swift
/// let reservation = DecodeBudget.shared.reservation(priority: .high)
/// try await reservation.take(DecodeBudget.bytes(toDecode: info, options: options))
/// defer { reservation.release() }
/// ```
///
/// It bounds the work that is under way, not what is kept: results are bounded by caches, and the
/// frames of animations by ``DecodeOptions/animationMemory``.
public final class DecodeBudget: Sendable {
    /// The budget of everybody who is not given another one: 536,870,912 bytes (512 MB).
    public static let shared = DecodeBudget()

    private struct State {
        var queue: ReservationQueue<UInt64>
        var waiting: [UInt64: Continuation] = [:]
        var lastID: UInt64 = 0
    }
    private let state: Lock<State>

    /// The most bytes claimed at once.
    public let maximumBytes: Int

    /// A budget of its own; at least one byte.
    public init(maximumBytes: Int = 536_870_912) {
        self.maximumBytes = max(1, maximumBytes)
        state = Lock(State(queue: ReservationQueue(limit: maximumBytes)))
    }

    /// Bytes that are claimed just now.
    public var usage: Int { state.withLock { $0.queue.usage } }

    /// Jobs that hold their reservation, and jobs that wait for it, just now.
    public var counts: (active: Int, waiting: Int) {
        state.withLock { ($0.queue.activeCount, $0.queue.waitingCount) }
    }

    /// A reservation that has not been made yet.
    public func reservation(priority: LoadPriority = .normal) -> Reservation {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return Reservation(self, id, priority)
    }

    /// The claim of one job; given back at the latest when nobody holds it any more.
    public final class Reservation: Sendable {
        private struct Progress {
            var priority: LoadPriority
            var isTaken = false
            var isOver = false
        }
        private let budget: DecodeBudget
        private let id: UInt64
        private let progress: Lock<Progress>

        fileprivate init(_ budget: DecodeBudget, _ id: UInt64, _ priority: LoadPriority) {
            self.budget = budget
            self.id = id
            progress = Lock(Progress(priority: priority))
        }

        deinit { release() }

        /// Waits until `bytes` can be claimed, and claims them. Only the first call does anything.
        ///
        /// - Throws: `CancellationError` if the task is cancelled while it waits, or if the
        ///   reservation was released before.
        public func take(_ bytes: Int) async throws {
            // In line while the lock is held, so that a release finds it there.
            let (isFirst, ready) = try progress.withLock { progress in
                if progress.isOver { throw CancellationError() }
                if progress.isTaken { return (false, [Continuation]()) }
                progress.isTaken = true
                return (
                    true,
                    budget.change { $0.add(id, bytes: bytes, priority: progress.priority) }
                )
            }
            for continuation in ready { continuation.resume() }
            guard isFirst else { return }
            await budget.wait(id)
            if Task.isCancelled || progress.withLock({ $0.isOver }) {
                release()
                throw CancellationError()
            }
        }

        /// Changes its place among those that wait.
        public func reprioritise(_ priority: LoadPriority) {
            let isTaken = progress.withLock { progress in
                progress.priority = priority
                return progress.isTaken && !progress.isOver
            }
            guard isTaken else { return }
            for continuation in budget.change({ $0.reprioritise(id, priority) }) {
                continuation.resume()
            }
        }

        /// Gives the bytes back, or the place among those that wait. A second time does nothing.
        public func release() {
            let wasTaken = progress.withLock { progress in
                defer { progress.isOver = true }
                return progress.isTaken && !progress.isOver
            }
            if wasTaken { budget.leave(id) }
        }
    }

    // MARK: - Waiting

    private typealias Continuation = CheckedContinuation<Void, Never>

    /// Suspends until `id`, which is in line, may go or is given up.
    private func wait(_ id: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard state.queue.isWaiting(id), !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func leave(_ id: UInt64) {
        // It may be given up while it waits.
        let own = state.withLock { $0.waiting.removeValue(forKey: id) }
        own?.resume()
        for continuation in change({ $0.remove(id) }) { continuation.resume() }
    }

    /// Changes the queue. Returns those who go on by that.
    private func change(
        _ change: (inout ReservationQueue<UInt64>) -> [UInt64]
    ) -> [Continuation] {
        state.withLock { state in
            change(&state.queue).compactMap { state.waiting.removeValue(forKey: $0) }
        }
    }
}
