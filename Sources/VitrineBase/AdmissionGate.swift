/// Lets jobs wait for their turn: performs what an ``AdmissionQueue`` decides.
package final class AdmissionGate: Sendable {
    private typealias Continuation = CheckedContinuation<Void, Never>

    private struct State {
        var queue: AdmissionQueue<UInt64>
        var waiting: [UInt64: Continuation] = [:]
        var lastID: UInt64 = 0
        /// For which moment somebody has been told to come back.
        var alarm: UInt64?
    }
    private let state: Lock<State>
    private let time: TimeSource

    /// A gate that lets jobs through which cost at most `limit` together, at most `laneLimit` of each
    /// lane at once, and as often as the bucket has tokens.
    package init(
        limit: Int, order: AdmissionOrder = .firstInFirstOut, laneLimit: Int? = nil,
        bucket: TokenBucket? = nil, time: TimeSource = .system
    ) {
        let queue = AdmissionQueue<UInt64>(
            limit: limit, order: order, laneLimit: laneLimit, bucket: bucket)
        state = Lock(State(queue: queue))
        self.time = time
    }

    /// What those who are through cost together, just now.
    package var usage: Int { state.withLock { $0.queue.usage } }

    /// How many are through and how many wait, just now.
    package var counts: (active: Int, waiting: Int) {
        state.withLock { ($0.queue.activeCount, $0.queue.waitingCount) }
    }

    /// Nobody goes through until ``resume()``; those who are through go on.
    package func pause() { state.withLock { $0.queue.pause() } }

    /// Ends a pause.
    package func resume() {
        for continuation in change({ $0.resume(at: $1) }) { continuation.resume() }
    }

    /// Whether nobody goes through for now.
    package var isPaused: Bool { state.withLock { $0.queue.isPaused } }

    /// The right to go through once.
    package func ticket(priority: LoadPriority = .normal, lane: String? = nil) -> Ticket {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return Ticket(self, id, priority, lane)
    }

    /// One job's place, before the gate and behind it; given back at the latest when nobody holds it
    /// any more.
    package final class Ticket: Sendable {
        private struct Progress {
            var priority: LoadPriority
            var isUsed = false
            var isOver = false
        }
        private let gate: AdmissionGate
        private let id: UInt64
        private let lane: String?
        private let progress: Lock<Progress>

        fileprivate init(
            _ gate: AdmissionGate, _ id: UInt64, _ priority: LoadPriority, _ lane: String?
        ) {
            self.gate = gate
            self.id = id
            self.lane = lane
            progress = Lock(Progress(priority: priority))
        }

        deinit { release() }

        /// Waits for room for a job of this cost. Only the first call does anything.
        ///
        /// - Throws: `CancellationError` if the task is cancelled while it waits, or if the ticket was
        ///   released.
        package func take(_ cost: Int = 1) async throws(CancellationError) {
            // In line while the lock is held, so that a release finds it there.
            let (isFirst, ready) = try progress.withLock {
                progress throws(CancellationError) -> (Bool, [Continuation]) in
                if progress.isOver { throw CancellationError() }
                if progress.isUsed { return (false, []) }
                progress.isUsed = true
                let priority = progress.priority
                return (
                    true,
                    gate.change { $0.add(id, cost: cost, priority: priority, lane: lane, at: $1) }
                )
            }
            for continuation in ready { continuation.resume() }
            guard isFirst else { return }
            await gate.wait(id)
            if Task.isCancelled || progress.withLock({ $0.isOver }) {
                release()
                throw CancellationError()
            }
        }

        /// Changes its place among those that wait.
        package func reprioritise(_ priority: LoadPriority) {
            let waits = progress.withLock { progress in
                progress.priority = priority
                return progress.isUsed && !progress.isOver
            }
            guard waits else { return }
            for continuation in gate.change({ $0.reprioritise(id, priority, at: $1) }) {
                continuation.resume()
            }
        }

        /// Gives the place back, before the gate or behind it. A second time does nothing.
        package func release() {
            let wasUsed = progress.withLock { progress in
                defer { progress.isOver = true }
                return progress.isUsed && !progress.isOver
            }
            if wasUsed { gate.leave(id) }
        }
    }

    // MARK: - Waiting

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
        for continuation in change({ $0.remove(id, at: $1) }) { continuation.resume() }
        // It may be given up while it waits. Who is no more in line does not begin to wait, so that
        // nobody comes in between.
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }

    /// Changes the queue. Returns those who go on by that.
    private func change(
        _ change: (inout AdmissionQueue<UInt64>, UInt64) -> [UInt64]
    ) -> [Continuation] {
        let now = time.uptime
        let (ready, alarm) = state.withLock { state -> ([Continuation], UInt64?) in
            let ready = change(&state.queue, now)
                .compactMap { state.waiting.removeValue(forKey: $0) }
            guard let next = state.queue.nextStart, next < state.alarm ?? .max else {
                return (ready, nil)
            }
            state.alarm = next
            return (ready, next)
        }
        if let alarm { setAlarm(alarm) }
        return ready
    }

    /// Comes back when the next token is there.
    private func setAlarm(_ moment: UInt64) {
        Task { [weak self, time] in
            try? await time.sleep(until: moment)
            self?.state.withLock { if $0.alarm == moment { $0.alarm = nil } }
            for continuation in self?.change({ $0.tick(at: $1) }) ?? [] { continuation.resume() }
        }
    }
}
