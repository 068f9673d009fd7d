import Glibc

/// A fixed number of threads for work that blocks: disk, decoding, filters.
///
/// Swift's cooperative pool has one thread per core and must never wait for a disk, so such work
/// comes here. Work of a higher priority starts first, and within a priority first come, first
/// served; what has waited longest is passed over at most 16 times. A thread is started when work finds none idle, and lives as long as the pool; work that
/// was handed in is done even if the pool is released meanwhile.
package final class BlockingPool: Sendable {
    private let queue: WorkQueue
    private let threadLimit: Int

    /// A pool of at most `threads` threads; a debugger shows the first 15 characters of `name`.
    package init(name: String, threads: Int) {
        queue = WorkQueue(name: String(name.prefix(15)))
        threadLimit = max(1, threads)
    }

    deinit { queue.close() }

    /// Does `work` on one of the threads, some time after this call has returned.
    ///
    /// Returns a number by which ``withdraw(_:)`` knows it.
    @discardableResult
    package func submit(
        priority: LoadPriority = .normal, _ work: @escaping @Sendable () -> Void
    ) -> UInt64 {
        let (id, needsThread) = queue.add(work, priority: priority, threadLimit: threadLimit)
        if needsThread, !startThread(), queue.threadFailed() {
            queue.drain()  // not one thread can be had: better here than never
        }
        return id
    }

    /// Takes back work that has not started; false if it has, and then it runs to its end.
    package func withdraw(_ id: UInt64) -> Bool {
        queue.remove(id)
    }

    /// How much work waits just now.
    package var waitingCount: Int { queue.waitingCount }

    /// Changes the place of work that waits; nothing if it has started.
    package func reprioritise(_ id: UInt64, _ priority: LoadPriority) {
        queue.reprioritise(id, priority)
    }

    /// Does `body` on one of the threads and returns what it returns.
    ///
    /// - Throws: what `body` throws; `CancellationError` if the task is cancelled before it starts.
    package func run<Result: Sendable>(
        priority: LoadPriority = .normal, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await run(at: WorkPriority(priority), body)
    }

    /// The same with a priority that may change while the work waits.
    package func run<Result: Sendable>(
        at priority: WorkPriority, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let claim = Claim<Result>()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard claim.begin(continuation) else { return }
                let id = submit(priority: priority.value) {
                    guard claim.start() else { return }
                    claim.end(with: Swift.Result { try body() })
                }
                claim.submitted(as: id, in: queue)
                priority.follow { [weak self] in self?.reprioritise(id, $0) }
            }
        } onCancel: {
            claim.cancel()
        }
        priority.unfollow()
        return try claim.result()
    }

    private func startThread() -> Bool {
        BackgroundThread.start(named: queue.name) { [queue] in queue.serve() }
    }

    /// One call's place: the thread or the cancellation decides how it ends, whichever comes first.
    ///
    /// The result passes through the lock too, and not only through the continuation: ThreadSanitizer
    /// sees the lock alone.
    private final class Claim<Result: Sendable>: Sendable {
        private enum State {
            case idle
            case waiting(CheckedContinuation<Void, Never>)
            case running(CheckedContinuation<Void, Never>)
            case ended(Swift.Result<Result, any Error>)
        }
        private let state = Lock(State.idle)
        private let place = Lock<(id: UInt64, queue: WorkQueue)?>(nil)

        /// The work waits under this number.
        func submitted(as id: UInt64, in queue: WorkQueue) {
            place.withLock { $0 = (id, queue) }
        }

        /// False if it has been cancelled; the caller goes on then.
        func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
            let isWaiting = state.withLock { state in
                guard case .idle = state else { return false }
                state = .waiting(continuation)
                return true
            }
            if !isWaiting { continuation.resume() }
            return isWaiting
        }

        /// False if it has been cancelled.
        func start() -> Bool {
            state.withLock { state in
                guard case .waiting(let continuation) = state else { return false }
                state = .running(continuation)
                return true
            }
        }

        func end(with result: Swift.Result<Result, any Error>) {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .running(let continuation) = state else { return nil }
                state = .ended(result)
                return continuation
            }
            continuation?.resume()
        }

        /// What has started goes on.
        func cancel() {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                switch state {
                case .idle:
                    state = .ended(.failure(CancellationError()))
                    return nil
                case .waiting(let continuation):
                    state = .ended(.failure(CancellationError()))
                    return continuation
                case .running, .ended: return nil
                }
            }
            continuation?.resume()
            // What was given up keeps nothing alive, and no place in the line.
            if let place = place.withLock({ $0 }) { _ = place.queue.remove(place.id) }
        }

        /// How it ended.
        func result() throws -> Result {
            let result = state.withLock { state -> Swift.Result<Result, any Error>? in
                guard case .ended(let result) = state else { return nil }
                return result
            }
            guard let result else { throw CancellationError() }
            return try result.get()
        }
    }
}

/// The pool's waiting work. Its threads hold it, so that it outlives the pool until they have left.
private final class WorkQueue: @unchecked Sendable {
    // Unchecked because everything below is only touched under `mutex`.
    let name: String
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var line = WaitingLine()
    private var works: [UInt64: @Sendable () -> Void] = [:]
    private var nextID: UInt64 = 0
    private var threads = 0
    private var idle = 0
    private var closed = false

    init(name: String) {
        self.name = name
        mutex.initialize(to: pthread_mutex_t())
        changed.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    func add(
        _ work: @escaping @Sendable () -> Void, priority: LoadPriority, threadLimit: Int
    ) -> (id: UInt64, needsThread: Bool) {
        locked {
            let id = nextID
            nextID += 1
            line.insert(id, priority)
            works[id] = work
            if works.count > idle, threads < threadLimit {
                threads += 1
                return (id, true)
            }
            pthread_cond_signal(changed)
            return (id, false)
        }
    }

    var waitingCount: Int { locked { works.count } }

    func remove(_ id: UInt64) -> Bool {
        // Released after the lock, since releasing it may run code of others.
        let work = locked { line.remove(id) ? works.removeValue(forKey: id) : nil }
        return work != nil
    }

    func reprioritise(_ id: UInt64, _ priority: LoadPriority) {
        locked { _ = line.reprioritise(id, priority) }
    }

    /// A thread that was counted could not be started; true if there is no other.
    func threadFailed() -> Bool {
        locked {
            threads -= 1
            return threads == 0
        }
    }

    func close() {
        locked {
            closed = true
            pthread_cond_broadcast(changed)
        }
    }

    /// The life of one thread.
    func serve() {
        while let work = locked({ waitForNext() }) { work() }
    }

    /// Does all that waits on the calling thread.
    func drain() {
        while let work = locked({ takeNext() }) { work() }
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        guard let id = line.next else { return nil }
        line.take(id)
        return works.removeValue(forKey: id)
    }

    private func waitForNext() -> (@Sendable () -> Void)? {
        while true {
            if let work = takeNext() { return work }
            if closed { return nil }
            idle += 1
            pthread_cond_wait(changed, mutex)
            idle -= 1
        }
    }
}
