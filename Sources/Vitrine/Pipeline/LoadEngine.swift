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

    /// One caller who waits for one source.
    struct Waiter {
        let task: ImageTask
        let plan: PlannedLoad
        let purpose: LoadPurpose
        let startedAt: UInt64
        let claim: ClaimID
        let part: Part
        /// Whether it is shown another size meanwhile, beside which a part of the picture is no news.
        var hasOtherSize = false
    }

    /// What a finished step has made.
    struct StepResult {
        var bytes: FetchedBytes
        var image: RasterImage?
        var decodeTime: Duration?
        var filterTime: Duration?
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
        var claims: [ClaimID: Claim] = [:]
        var lastClaim: ClaimID = 0
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
            graph.isEmpty && claims.isEmpty && dueRefreshes == 0 && dueWrites == 0 && transfers == 0
        }
    }

    let state = Lock(State())
    let configuration: ImageLoader.Configuration
    let memory: ImageCache
    let stores: ResponseStores
    let permits = KeepPermits()
    let changes: ChangeFeed
    private let knownBytes = KnownBytes()
    let fetcher: SourceFetcher
    let credentialing: Credentialing
    let downloadGate: AdmissionGate
    let decodePool: BlockingPool
    let previewMaker: PreviewMaker
    let time: TimeSource
    /// A random number from 0 to 1, which spreads retries.
    let chance: @Sendable () -> Double

    init(
        _ configuration: ImageLoader.Configuration, transport: any Transport, memory: ImageCache,
        stores: ResponseStores, changes: ChangeFeed, time: TimeSource,
        chance: @escaping @Sendable () -> Double
    ) {
        self.configuration = configuration
        self.memory = memory
        self.stores = stores
        self.changes = changes
        self.time = time
        self.chance = chance
        downloadGate = AdmissionGate(
            limit: configuration.maximumActiveDownloads,
            order: AdmissionOrder(configuration.downloadOrder),
            laneLimit: configuration.maximumActiveDownloadsPerHost,
            bucket: configuration.downloadRate.map {
                TokenBucket(perSecond: $0.perSecond, burst: $0.burst)
            }, time: time)
        decodePool = BlockingPool(
            name: "vitrine-decode", threads: configuration.maximumActiveDecodes)
        previewMaker = PreviewMaker(budget: configuration.decodeBudget)
        credentialing = Credentialing(jar: configuration.cookies)
        fetcher = SourceFetcher(
            configuration: configuration, challenges: credentialing.challenges,
            transport: transport, stores: stores, time: time)
    }

    /// How many downloads run and wait for their turn just now.
    var downloads: (active: Int, waiting: Int) { downloadGate.counts }

    // MARK: - Events

    /// How a load begins.
    enum Start {
        /// It is over already: the image was in memory.
        case answered(ImageResponse)
        case begun(ImageTask)
    }

    /// Starts a load, or answers it from memory before returning.
    ///
    /// - Parameters:
    ///   - isModified: whether the modifiers have made it what it is.
    ///   - permit: the load is not begun if this has been revoked.
    func start(
        _ asked: ImageRequest, for purpose: LoadPurpose = .use, isModified: Bool = false,
        under permit: KeepPermit? = nil
    ) -> Start {
        let startedAt = time.uptime
        let request: ImageRequest
        do throws(ImageError) {
            request = isModified ? asked : try modified(asked)
        } catch {
            let task = ImageTask(asked)
            open(task, asked, for: purpose, .failed(error), startedAt)
            return .begun(task)
        }
        let prepared = prepare(request, for: purpose, startedAt: startedAt)
        if case .answered(let response) = prepared {
            tellOfHit(response)
            return .answered(response)
        }
        let task = ImageTask(asked)
        open(task, request, for: purpose, prepared, startedAt, permit)
        return .begun(task)
    }

    /// The same for whoever wants a task in any case.
    func load(
        _ asked: ImageRequest, for purpose: LoadPurpose = .use, isModified: Bool = false,
        under permit: KeepPermit? = nil
    ) -> ImageTask {
        switch start(asked, for: purpose, isModified: isModified, under: permit) {
        case .begun(let task): return task
        case .answered(let response):
            let task = ImageTask(asked)
            task.finish(.success(response))
            return task
        }
    }

    /// Ends all loads with `cancelled`, at once.
    func cancelAll() {
        perform(
            state.withLock { state in
                state.claims.keys.sorted().flatMap { cancel($0, .cancelled, &state) }
                    + wakeIfIdle(&state)
            })
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
            return state.graph.waiters(under: step).compactMap {
                // A small picture on the way is not what the caller waits for.
                state.waiters[$0].flatMap { $0.part == .main ? $0.task : nil }
            }
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

    /// Says that the bytes are those of the request now; if they were others, all that was made of
    /// them goes. What is older than what is known changes nothing.
    func note(_ bytes: FetchedBytes, of plan: PlannedLoad, isChange: Bool) {
        guard let stamp = bytes.stamp else { return }
        let source = plan.source
        // Under the lock, so that what is made of older bytes is either put into memory before, and
        // removed here, or finds that it is outdated.
        let news = state.withLock { _ in knownBytes.note(stamp, of: source, at: time.uptime) }
        guard news == .change || isChange && news == .nothing else { return }
        memory.remove { $0.resource == source.resource }
        changes.post(.replaced(plan.request.url))
    }

    // MARK: - Actions

    /// What is left to be done once the lock is released.
    enum Effect {
        case run(Run, @Sendable (LoadEngine) async -> Void)
        case stop(Run)
        case reprioritise(Run, LoadPriority)
        case end(ImageTask, Result<ImageResponse, ImageError>, StageProbe.Span?)
        case tryNext(ClaimID, ImageRequest)
        case advance([ImageTask], ImageTask.Progress)
        case show([ImageTask], RasterImage)
        case showFirst(ImageTask, RasterImage)
        /// Large memory is given back outside the lock.
        case drop(StepResult)
        case dropImages([ImageCache.Insertion])
        /// The step has its result without any work.
        case settle(Graph.StepID, StepResult)
        case refresh(ImageRequest, KeepPermit)
        /// What was made is kept on disk.
        case keepProcessed(PlannedLoad, StepResult)
        case wake([CheckedContinuation<Void, Never>])
    }

    func carryOut(_ actions: [Graph.Action], _ state: inout State) -> [Effect] {
        actionsAsEffects(actions, &state) + wakeIfIdle(&state)
    }

    func wakeIfIdle(_ state: inout State) -> [Effect] {
        guard state.isIdle, !state.idle.isEmpty else { return [] }
        defer { state.idle = [] }
        return [.wake(state.idle)]
    }

    func actionsAsEffects(_ actions: [Graph.Action], _ state: inout State) -> [Effect] {
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
                effects += fail(waiters, error, &state)
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
        return effects
    }

    private func complete(
        _ waiters: [Graph.WaiterID], _ step: Graph.StepID, _ state: inout State
    ) -> [Effect] {
        var kept: PlannedLoad?
        var insertions: [ImageCache.Insertion] = []
        guard let result = state.results[step], let image = result.image else { return [] }
        var effects = waiters.flatMap { id -> [Effect] in
            guard let waiter = state.waiters.removeValue(forKey: id) else { return [] }
            if waiter.plan.request.cachePolicy.writesCache, result.bytes.isCacheable,
                image.isComplete, waiter.purpose.keepsInMemory,
                result.bytes.permit.isValid,
                !areOutdated(result.bytes, of: waiter.plan)
            {
                let identity = waiter.plan.image.stored(at: result.bytes.place?.url)
                let entry = ImageCache.Entry(
                    image: image,
                    facts: ImageCache.Facts(
                        freshUntil: result.bytes.freshUntil, receivedAt: result.bytes.receivedAt,
                        http: result.bytes.http))
                insertions.append(
                    memory.insert(
                        entry, for: ImageKey(identity), isAhead: waiter.purpose != .use))
            }
            if keepsProcessed(waiter.plan) { kept = waiter.plan }
            let response = ImageResponse(
                image: image, source: result.bytes.source, request: waiter.plan.request,
                http: result.bytes.http, data: result.bytes.data, keeping: result.bytes.keeping,
                resumedBytes: result.bytes.resumedBytes,
                timings: ImageResponse.Timings(
                    total: elapsed(since: waiter.startedAt), fetch: result.bytes.duration,
                    queue: result.bytes.queue, attempts: result.bytes.attempts,
                    decode: result.decodeTime, filters: result.filterTime))
            return settle(waiter.claim, waiter.part, .success(response), &state)
        }
        effects.append(.dropImages(insertions))
        if let kept, isWorthKeeping(result) {
            state.dueWrites += 1
            effects.append(.keepProcessed(kept, result))
        }
        return effects
    }

    /// Whether newer bytes have come meanwhile, of which images may be in memory.
    private func areOutdated(_ bytes: FetchedBytes, of plan: PlannedLoad) -> Bool {
        bytes.stamp.map { knownBytes.areOutdated($0, of: plan.source) } ?? false
    }

    private func fail(
        _ waiters: [Graph.WaiterID], _ error: ImageError, _ state: inout State
    ) -> [Effect] {
        waiters.flatMap { id -> [Effect] in
            guard let waiter = state.waiters.removeValue(forKey: id) else { return [] }
            // Callers may have written the URL differently: each is told its own.
            let own = ImageError(error.reason, url: waiter.plan.request.url, http: error.http)
            return settle(waiter.claim, waiter.part, .failure(own), &state)
        }
    }

    func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .run(let run, let work): run.begin { [self] in await work(self) }
            case .stop(let run): run.stop()
            case .reprioritise(let run, let priority): run.reprioritise(priority)
            case .end(let task, let end, let span):
                // Told first: whoever goes on by the end may look at what was told.
                span?.end(LoadEvent.Facts(end))
                task.finish(end)
            case .tryNext(let claim, let request): begin(claim, request, as: .main)
            case .advance(let tasks, let progress): for task in tasks { task.advance(progress) }
            case .show(let tasks, let preview): for task in tasks { task.show(preview) }
            case .showFirst(let task, let image): task.showFirst(image)
            case .drop: break
            case .dropImages(let insertions): for insertion in insertions { insertion.report() }
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
