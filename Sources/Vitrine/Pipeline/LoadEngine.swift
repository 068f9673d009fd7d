import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineImaging
import VitrineStorage

/// The one place that performs what the pipeline's state machines decide.
///
/// A lock guards the state; every event changes it under the lock, and what follows from it (ending
/// tasks, starting and stopping work) is done after the lock is released, so that nothing foreign
/// ever runs under it.
final class LoadEngine: Sendable {
    typealias Graph = SharingGraph<StepKey>

    /// One caller who waits.
    struct Waiter {
        let task: ImageTask
        let plan: PlannedLoad
        let startedAt: UInt64
    }

    /// What a finished step has made.
    struct StepResult {
        var bytes: FetchedBytes
        var image: RasterImage?
        var decodeTime: Duration?
        /// What has been made of the bytes.
        var made: [StepKey] = []
        /// Results that were found on disk, by what was made of the bytes for them.
        var recalled: [ArraySlice<StepKey>: RasterImage] = [:]
    }

    /// Bytes that are arriving, and what is shown of them meanwhile.
    struct Arrival {
        let spool: BodySpool
        /// What makes previews, if anybody wants them.
        var run: Run?
        var interval: Duration?
        var previews: [ArraySlice<StepKey>: RasterImage] = [:]
    }

    struct State {
        var graph = Graph()
        var waiters: [Graph.WaiterID: Waiter] = [:]
        var runs: [Graph.StepID: Run] = [:]
        var results: [Graph.StepID: StepResult] = [:]
        var progress: [Graph.StepID: ImageTask.Progress] = [:]
        var arrivals: [Graph.StepID: Arrival] = [:]
        var lastWaiter: Graph.WaiterID = 0
        var idle: [CheckedContinuation<Void, Never>] = []
        /// Refreshes that have been decided on and not yet begun.
        var dueRefreshes = 0
        /// Results that are being kept on disk.
        var dueWrites = 0
        /// Transfers that have not come to their end, those included that nobody waits for any more:
        /// what has arrived of them is being kept.
        var transfers = 0

        var isIdle: Bool {
            graph.isEmpty && dueRefreshes == 0 && dueWrites == 0 && transfers == 0
        }
    }

    let state = Lock(State())
    let configuration: ImageLoader.Configuration
    let memory: ImageMemory
    let stores: ResponseStores
    let permits = KeepPermits()
    let changes: ChangeFeed
    private let knownBytes = KnownBytes()
    let fetcher: SourceFetcher
    let downloadGate: AdmissionGate
    let decodePool: BlockingPool
    let previewMaker: PreviewMaker
    let time: TimeSource

    init(
        _ configuration: ImageLoader.Configuration, transport: any Transport, memory: ImageMemory,
        stores: ResponseStores, changes: ChangeFeed, time: TimeSource
    ) {
        self.configuration = configuration
        self.memory = memory
        self.stores = stores
        self.changes = changes
        self.time = time
        downloadGate = AdmissionGate(
            limit: configuration.maximumActiveDownloads,
            order: AdmissionOrder(configuration.downloadOrder))
        decodePool = BlockingPool(
            name: "vitrine-decode", threads: configuration.maximumActiveDecodes)
        previewMaker = PreviewMaker(budget: configuration.decodeBudget)
        fetcher = SourceFetcher(
            configuration: configuration, transport: transport, stores: stores, time: time)
    }

    /// How many downloads run and wait for their turn just now.
    var downloads: (active: Int, waiting: Int) { downloadGate.counts }

    // MARK: - Events

    /// Starts a load, or answers it from memory before returning.
    ///
    /// - Parameter permit: the load is not begun if this has been revoked.
    func load(_ request: ImageRequest, under permit: KeepPermit? = nil) -> ImageTask {
        let startedAt = time.uptime
        let task = ImageTask(request)
        guard request.scale > 0, request.scale.isFinite else {
            task.finish(.failure(ImageError(.invalidScale(request.scale), url: request.url)))
            return task
        }
        let plan = PlannedLoad(request, limits: configuration.decodeLimits)
        if answerFromMemory(task, plan, startedAt) { return task }
        if request.cachePolicy == .cacheOnly, plan.isUncached {
            task.finish(.failure(ImageError(.cacheMiss, url: request.url)))
            return task
        }
        let (waiter, effects) = state.withLock { state in
            state.lastWaiter += 1
            let waiter = state.lastWaiter
            // Between the look above and this lock, the load that we wanted to join may have ended.
            if answerFromMemory(task, plan, startedAt) { return (waiter, [Effect]()) }
            if let permit, !permit.isValid {
                task.finish(.failure(ImageError(.cancelled, url: request.url)))
                return (waiter, [])
            }
            state.waiters[waiter] = Waiter(task: task, plan: plan, startedAt: startedAt)
            let actions = state.graph.join(waiter, path: plan.path, priority: request.priority)
            var effects = carryOut(actions, &state)
            if let root = state.graph.root(of: waiter) {
                effects += catchUp(waiter, root, &state)
            }
            return (waiter, effects)
        }
        task.onCancel { [weak self] in self?.leave(waiter) }
        perform(effects)
        return task
    }

    private func leave(_ waiter: Graph.WaiterID) {
        update { state in
            state.waiters[waiter] = nil
            return state.graph.leave(waiter)
        }
    }

    func finished(_ step: Graph.StepID, _ result: StepResult) {
        var arrival: Arrival?
        defer { arrival?.run?.stop() }  // from here on previews would be late
        update { state in
            guard state.runs.removeValue(forKey: step) != nil else { return [] }
            state.results[step] = result
            arrival = state.arrivals.removeValue(forKey: step)
            return state.graph.finished(step)
        }
    }

    func failed(_ step: Graph.StepID, _ error: ImageError) {
        update { state in
            guard let run = state.runs[step] else { return [] }
            run.failure = error
            return state.graph.failed(step)
        }
    }

    func advanced(_ step: Graph.StepID, _ progress: ImageTask.Progress) {
        let tasks = state.withLock { state in
            guard state.runs[step] != nil else { return [ImageTask]() }
            state.progress[step] = progress
            return state.graph.waiters(under: step).compactMap { state.waiters[$0]?.task }
        }
        for task in tasks { task.advance(progress) }
    }

    /// Suspends until nothing is under way.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isIdle { return true }
                state.idle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    func update(_ event: (inout State) -> [Graph.Action]) {
        let effects = state.withLock { state in
            let actions = event(&state)
            return carryOut(actions, &state)
        }
        perform(effects)
    }

    // MARK: - From memory

    /// The image in memory, if the request's policy lets it count.
    func cachedResponse(_ plan: PlannedLoad, startedAt: UInt64) -> ImageResponse? {
        let request = plan.request
        guard request.cachePolicy.readsCache, let entry = memory.entry(plan.image) else {
            return nil
        }
        // The request's own word goes before that with which the image came.
        let expiry = request.expiry.flatMap { own in
            entry.receivedAt.map { own.moment(receivedAt: $0.timeIntervalSince1970) }
        }
        let freshUntil = expiry ?? entry.freshUntil?.timeIntervalSince1970
        let isFresh = freshUntil.map { time.now < $0 } ?? false
        guard request.cachePolicy.mayReuse(isFresh: isFresh) else { return nil }
        return ImageResponse(
            image: entry.image, source: .memory, request: request, http: entry.http, data: nil,
            keeping: .unknown,
            timings: ImageResponse.Timings(total: elapsed(since: startedAt)))
    }

    private func answerFromMemory(
        _ task: ImageTask, _ plan: PlannedLoad, _ startedAt: UInt64
    ) -> Bool {
        guard let response = cachedResponse(plan, startedAt: startedAt) else { return false }
        task.finish(.success(response))
        return true
    }

    /// Says that the bytes are those of the request now; if they were others, all that was made of
    /// them goes.
    func note(_ checksum: UInt64, of request: ImageRequest, isChange: Bool) {
        let source = SourceIdentity(request)
        let wasOther = knownBytes.note(checksum, of: source)
        guard isChange || wasOther else { return }
        memory.remove { $0.resource == source.resource }
        changes.post(.replaced(request.url))
    }

    // MARK: - Actions

    /// What is left to be done once the lock is released.
    enum Effect {
        case run(Run, @Sendable (LoadEngine) async -> Void)
        case stop(Run)
        case reprioritise(Run, LoadPriority)
        case end([(ImageTask, Result<ImageResponse, ImageError>)])
        case advance([ImageTask], ImageTask.Progress)
        case show([ImageTask], RasterImage)
        /// Large memory is given back outside the lock.
        case drop(StepResult)
        /// The step has its result without any work.
        case settle(Graph.StepID, StepResult)
        case refresh(ImageRequest, KeepPermit)
        /// What was made is kept on disk.
        case keepProcessed(PlannedLoad, StepResult)
        case wake([CheckedContinuation<Void, Never>])
    }

    func carryOut(_ actions: [Graph.Action], _ state: inout State) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .start(let step, let key, let parent, let priority):
                effects += start(step, key, parent, priority, &state)
            case .stop(let step):
                if let run = state.runs.removeValue(forKey: step) { effects.append(.stop(run)) }
            case .reprioritise(let step, let priority):
                if let run = state.runs[step] { effects.append(.reprioritise(run, priority)) }
            case .complete(let waiters, let step):
                effects += complete(waiters, step, &state)
            case .fail(let waiters, let step):
                guard let error = state.runs[step]?.failure else { continue }
                effects.append(fail(waiters, error, &state))
            case .release(let step):
                state.runs[step] = nil
                state.progress[step] = nil
                if let run = state.arrivals.removeValue(forKey: step)?.run {
                    effects.append(.stop(run))
                }
                if let result = state.results.removeValue(forKey: step) {
                    effects.append(.drop(result))
                    // All that was made of the stale bytes is in memory now, and cannot take the
                    // place of what is newer.
                    if result.made.isEmpty, let request = result.bytes.refresh,
                        result.bytes.permit.isValid
                    {
                        state.dueRefreshes += 1
                        effects.append(.refresh(request, result.bytes.permit))
                    }
                }
            }
        }
        if state.isIdle, !state.idle.isEmpty {
            effects.append(.wake(state.idle))
            state.idle = []
        }
        return effects
    }

    private func complete(
        _ waiters: [Graph.WaiterID], _ step: Graph.StepID, _ state: inout State
    ) -> [Effect] {
        let result = state.results[step]
        var plan: PlannedLoad?
        let ends = waiters.compactMap { id -> (ImageTask, Result<ImageResponse, ImageError>)? in
            guard let waiter = state.waiters.removeValue(forKey: id), let result,
                let image = result.image
            else { return nil }
            if waiter.plan.request.cachePolicy.writesCache, result.bytes.isCacheable,
                image.isComplete, result.bytes.permit.isValid
            {
                var identity = waiter.plan.image
                identity.resource.storedURL = result.bytes.place?.url
                memory.insert(
                    ImageMemory.Entry(
                        image: image, freshUntil: result.bytes.freshUntil,
                        receivedAt: result.bytes.receivedAt, http: result.bytes.http),
                    for: identity)
            }
            if keepsProcessed(waiter.plan) { plan = waiter.plan }
            let response = ImageResponse(
                image: image, source: result.bytes.source, request: waiter.plan.request,
                http: result.bytes.http, data: result.bytes.data, keeping: result.bytes.keeping,
                timings: ImageResponse.Timings(
                    total: elapsed(since: waiter.startedAt), fetch: result.bytes.duration,
                    decode: result.decodeTime))
            return (waiter.task, .success(response))
        }
        if let plan, let result, isWorthKeeping(result) {
            state.dueWrites += 1
            return [.end(ends), .keepProcessed(plan, result)]
        }
        return [.end(ends)]
    }

    private func fail(
        _ waiters: [Graph.WaiterID], _ error: ImageError, _ state: inout State
    ) -> Effect {
        .end(
            waiters.compactMap { id in
                guard let waiter = state.waiters.removeValue(forKey: id) else { return nil }
                // Callers may have written the URL differently: each is told its own.
                let own = ImageError(
                    error.reason, url: waiter.plan.request.url, http: error.http)
                return (waiter.task, .failure(own))
            })
    }

    func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .run(let run, let work): run.begin { [self] in await work(self) }
            case .stop(let run): run.stop()
            case .reprioritise(let run, let priority): run.reprioritise(priority)
            case .end(let ends): for (task, end) in ends { task.finish(end) }
            case .advance(let tasks, let progress): for task in tasks { task.advance(progress) }
            case .show(let tasks, let preview): for task in tasks { task.show(preview) }
            case .drop: break
            case .settle(let step, let result): finished(step, result)
            case .refresh(let request, let permit): refresh(request, permit)
            case .keepProcessed(let plan, let result): keepProcessed(plan, result)
            case .wake(let waiting): for continuation in waiting { continuation.resume() }
            }
        }
    }

    func elapsed(since start: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: time.uptime &- start))
    }
}
