import VitrineBase

/// A prefetcher's loads: performs what a ``PrefetchPlan`` decides.
final class PrefetchQueue: Sendable {
    typealias Plan = PrefetchPlan<[StepKey], ImageRequest>

    private struct State {
        var plan: Plan
        var tasks: [Plan.Number: ImageTask] = [:]
        /// What is left to do, and whether somebody is at it: a load that ends at once begins the next
        /// one, and that must not nest.
        var actions: [Plan.Action] = []
        var isPerforming = false
        /// Who waits until nothing is left to do.
        var idle = Waiters()
    }

    private let loader: ImageLoader
    private let purpose: LoadPurpose
    private let state: Lock<State>

    init(_ loader: ImageLoader, purpose: LoadPurpose, limit: Int) {
        self.loader = loader
        self.purpose = purpose
        state = Lock(State(plan: Plan(limit: limit)))
    }

    func start(_ request: ImageRequest) {
        guard request.cachePolicy.writesCache else { return }
        let load = planned(request)
        if purpose == .prefetchToDisk, load.isUncached || !isKept(request) { return }
        change { $0.add(load.path, request) }
    }

    func stop(_ request: ImageRequest) {
        let path = planned(request).path
        change { $0.remove(path) }
    }

    func stopAll() { change { $0.removeAll() } }

    func pause() { state.withLock { $0.plan.pause() } }

    func resume() { change { $0.resume() } }

    var isPaused: Bool { state.withLock { $0.plan.isPaused } }

    var progress: ImagePrefetcher.Progress {
        state.withLock { state in
            ImagePrefetcher.Progress(
                active: state.plan.active, waiting: state.plan.waiting,
                finished: state.plan.finished, failed: state.plan.failed)
        }
    }

    private func planned(_ request: ImageRequest) -> PlannedLoad {
        PlannedLoad(request, limits: loader.configuration.decodeLimits, purpose: purpose)
    }

    /// Whether there is a store for its bytes. A group that was not declared is the load's to tell.
    private func isKept(_ request: ImageRequest) -> Bool {
        loader.engine.stores.place(for: request.store)?.keeps ?? true
    }

    // MARK: - Performing

    private func change(_ event: (inout Plan) -> [Plan.Action]) {
        let isAlone = state.withLock { state in
            state.actions += event(&state.plan)
            defer { state.isPerforming = true }
            return !state.isPerforming
        }
        if isAlone { perform() }
    }

    private func perform() {
        while true {
            let (actions, idle) = state.withLock { state in
                defer { state.actions = [] }
                guard state.actions.isEmpty else {
                    return (state.actions, [CheckedContinuation<Void, Never>]())
                }
                state.isPerforming = false
                guard state.plan.isEmpty else { return ([], []) }
                return ([], state.idle.takeAll())
            }
            for continuation in idle { continuation.resume() }
            if actions.isEmpty { return }
            for action in actions {
                switch action {
                case .start(let number, let request): begin(number, request)
                case .stop(let number):
                    state.withLock { $0.tasks.removeValue(forKey: number) }?.cancel()
                }
            }
        }
    }

    private func begin(_ number: Plan.Number, _ request: ImageRequest) {
        // It may have been stopped since that was decided.
        guard state.withLock({ $0.plan.isActive(number) }) else { return }
        let task = loader.engine.load(request, for: purpose)
        state.withLock { $0.tasks[number] = task }
        task.whenEnded { [self] end in
            let hasFailed = if case .failure = end { true } else { false }
            state.withLock { $0.tasks[number] = nil }
            change { $0.ended(number, failed: hasFailed) }
        }
    }

    // MARK: - Waiting

    func waitUntilIdle() async {
        await state.wait(in: \.idle) { $0.plan.isEmpty }
    }
}
