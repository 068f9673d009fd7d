import FoundationEssentials
import VitrineBase
import VitrineHTTP

/// Performs what a ``DownloadQueue`` decides: lets downloads wait for their turn.
final class DownloadSlots: Sendable {
    private struct State {
        var queue: DownloadQueue<Lease.ID>
        var waiting: [Lease.ID: CheckedContinuation<Void, Never>] = [:]
        /// Given a slot before they began to wait.
        var granted: Set<Lease.ID> = []
        var lastID: Lease.ID = 0
    }
    private let state: Lock<State>

    init(limit: Int, order: ImageLoader.Configuration.DownloadOrder) {
        state = Lock(State(queue: DownloadQueue(limit: limit, order: order)))
    }

    /// How many downloads run and wait just now.
    var counts: (active: Int, waiting: Int) {
        state.withLock { ($0.queue.activeCount, $0.queue.waitingCount) }
    }

    /// The right of one load to take a slot, once, when it first needs the network.
    ///
    /// The slot is held over redirects until ``release()``, or until the lease is dropped.
    final class Lease: Sendable {
        typealias ID = UInt64
        private struct Progress {
            var priority: LoadPriority
            var isQueued = false
            var isOver = false
        }
        private let slots: DownloadSlots
        private let id: ID
        private let progress: Lock<Progress>

        fileprivate init(_ slots: DownloadSlots, _ id: ID, _ priority: LoadPriority) {
            self.slots = slots
            self.id = id
            progress = Lock(Progress(priority: priority))
        }

        deinit { release() }

        /// Waits for a slot unless there is one already.
        func acquire() async throws(TransportError) {
            let (isFirst, priority) = progress.withLock { progress in
                defer { progress.isQueued = true }
                return (!progress.isQueued && !progress.isOver, progress.priority)
            }
            if isFirst { await slots.wait(id, priority) }
            if Task.isCancelled { throw .cancelled }
        }

        /// Gives the slot back, or the place in the queue.
        ///
        /// Each call does so anew: whoever stops a load may come just before the load has entered
        /// the queue, and then it is the load's own call that takes it out again.
        func release() {
            let wasQueued = progress.withLock { progress in
                progress.isOver = true
                return progress.isQueued
            }
            if wasQueued { slots.leave(id) }
        }

        func reprioritise(_ priority: LoadPriority) {
            let isQueued = progress.withLock { progress in
                progress.priority = priority
                return progress.isQueued
            }
            if isQueued { slots.state.withLock { $0.queue.reprioritise(id, priority) } }
        }
    }

    func lease(priority: LoadPriority) -> Lease {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return Lease(self, id, priority)
    }

    private func wait(_ id: Lease.ID, _ priority: LoadPriority) async {
        start { $0.add(id, priority: priority) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goOn = state.withLock { state in
                    if state.granted.remove(id) != nil || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if goOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func leave(_ id: Lease.ID) {
        start { $0.remove(id) }
        state.withLock { state in _ = state.granted.remove(id) }
    }

    /// Changes the queue, and lets go on whom it lets start.
    private func start(_ change: (inout DownloadQueue<Lease.ID>) -> [Lease.ID]) {
        let ready = state.withLock { state in
            change(&state.queue).compactMap { id in
                if let continuation = state.waiting.removeValue(forKey: id) { return continuation }
                state.granted.insert(id)
                return nil
            }
        }
        for continuation in ready { continuation.resume() }
    }
}

/// A transport whose exchanges wait for a download slot first.
struct QueuedTransport: Transport {
    let base: any Transport
    let lease: DownloadSlots.Lease

    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        try await lease.acquire()
        return try await base.exchange(request)
    }
}
