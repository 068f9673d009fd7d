import VitrineBase

/// The loads of one place on a screen: performs what a ``ViewBinding`` decides, with a loader, for a
/// target.
///
/// A toolkit keeps one for each widget and named slot. Everything happens on the main actor, in the call
/// itself where that is possible; what comes from elsewhere is brought by the delivery, so that a
/// toolkit is served whose loop does not serve the main queue. Completions are called last, when the
/// target shows what they tell of, and may ask for another picture.
@MainActor package final class ViewLoad {
    package typealias Completion = @MainActor (Result<ImageResponse, SetImageError>) -> Void
    private typealias Binding = ViewBinding<ImageIdentity, Identity>

    /// What makes two loads the same: the same picture in the same way, by the same loader.
    private struct Identity: Hashable {
        var path: [StepKey]
        var loader: ObjectIdentifier
    }

    /// How a view wants it done.
    package struct Manner: Sendable {
        package var previous = PreviousPicture.cleared
        package var whenHidden = HiddenView.waits
        /// Whether what is there at once or within the grace period comes with the transition too.
        package var alwaysTransitions = false
        /// Whether the target has a picture for failures.
        package var showsFailure = false
        /// Whether the view loads again when its loader finds new bytes.
        package var followsChanges = false
        /// How long a view waits for its picture before it shows the placeholder.
        package var gracePeriod = Duration.milliseconds(40)

        package init() {}
    }

    private struct Wanted {
        var request: ImageRequest
        var loader: ImageLoader
        var source: ImageIdentity
        var identity: Identity
    }

    private let target: any ImageTarget
    private let delivery: Delivery
    private let time: TimeSource
    private var binding: Binding
    private var manner = Manner()
    private var wanted: Wanted?
    private var completions: [Binding.CompletionID: (url: URL, call: Completion)] = [:]
    private var lastCompletion = 0
    private var running: (ticket: Binding.Ticket, task: ImageTask)?
    private var graceTimer: Task<Void, Never>?
    private var follower: (feed: ObjectIdentifier, task: Task<Void, Never>)?
    private var prefetched: (by: ImagePrefetcher, wanted: Wanted)?
    private var preview: RasterImage?
    /// Why the last load that failed did.
    package private(set) var failure: ImageError?
    private var wasLoading = false
    /// Whether a placeholder is due that was not shown, since nobody would have seen it.
    private var owesPlaceholder = false

    /// The picture that the target shows, or showed last, whole.
    package private(set) var response: ImageResponse?

    /// A view that shows nothing yet.
    ///
    /// - Parameters:
    ///   - time: What the grace period goes by.
    ///   - delivery: What brings news to the main actor.
    package init(
        _ target: any ImageTarget, isVisible: Bool = false, delivery: Delivery = .main,
        time: TimeSource = .system
    ) {
        self.target = target
        self.delivery = delivery
        self.time = time
        binding = Binding(isVisible: isVisible)
    }

    isolated deinit { vanished() }

    /// Whether a load runs.
    package var isLoading: Bool { binding.running != nil }

    /// What the view is to show; nil for nothing.
    package var request: ImageRequest? { wanted?.request }

    // MARK: - The user

    /// The view is to show this picture; the same one again is not restarted. What is in memory shows in
    /// this call.
    package func set(
        _ request: ImageRequest, loader: ImageLoader, manner: Manner = Manner(),
        completion: Completion? = nil
    ) {
        self.manner = manner
        let id = keep(completion, request.url)
        let (wish, hit) = plan(request, loader)
        perform(
            binding.set(
                wish, manner: Binding.Manner(manner), isInMemory: hit != nil, completion: id),
            showing: hit)
        follow(loader)
    }

    /// The same picture is wanted for another size or scale, by another loader or in another manner; who
    /// waits goes on waiting. Nothing happens if it is the same request.
    package func adapt(
        to request: ImageRequest, loader: ImageLoader? = nil, manner: Manner? = nil
    ) {
        guard let loader = loader ?? wanted?.loader else { return }
        if let manner {
            self.manner = manner
            binding.manner = Binding.Manner(manner)
        }
        let (wish, hit) = plan(request, loader)
        perform(binding.adapt(to: wish, isInMemory: hit != nil), showing: hit)
        follow(loader)
    }

    /// The view is to show nothing but its placeholder.
    package func clear(completion: Completion? = nil) {
        wanted = nil
        stopFollowing()
        perform(binding.clear())
        response = nil
        completion?(.failure(.nothingToLoad))
    }

    /// The load is given up; what is shown stays.
    package func cancel() { perform(binding.cancel()) }

    /// What failed, or was cancelled, is tried again.
    package func retry() { perform(binding.retry()) }

    // MARK: - The view

    package func appeared() { perform(binding.appeared()) }

    package func disappeared() { perform(binding.disappeared()) }

    /// The view is gone for good: its target hears nothing more, and whoever waits hears that it was
    /// cancelled.
    package func vanished() {
        wanted = nil
        stopFollowing()
        perform(binding.vanished())
        response = nil
    }

    // MARK: - Performing

    private func plan(
        _ request: ImageRequest, _ loader: ImageLoader
    ) -> (Binding.Wish, ImageResponse?) {
        let (plan, hit) = loader.planForView(request)
        let identity = Identity(path: plan.path, loader: ObjectIdentifier(loader))
        let source = plan.image.ofSource
        wanted = Wanted(request: request, loader: loader, source: source, identity: identity)
        let wish = Binding.Wish(
            source: source, identity: identity, asksAnew: request.cachePolicy.asksAnew)
        return (wish, hit)
    }

    private func keep(_ completion: Completion?, _ url: URL) -> Binding.CompletionID? {
        guard let completion else { return nil }
        lastCompletion += 1
        completions[lastCompletion] = (url, completion)
        return lastCompletion
    }

    /// - Parameters:
    ///   - hit: what is in memory, if the actions are to show that.
    ///   - follows: whether a load that is begun looks for what a change has brought.
    private func perform(
        _ actions: [Binding.Action], showing hit: ImageResponse? = nil, follows: Bool = false
    ) {
        var calls: [() -> Void] = []
        var started: Binding.Ticket?
        var givenUp: ImageTask?
        for action in actions {
            switch action {
            case .start(let ticket): started = ticket
            case .cancel(let ticket):
                if let running, running.ticket == ticket {
                    givenUp = running.task
                    self.running = nil
                }
            case .awaitGracePeriod(let ticket): awaitGracePeriod(ticket)
            case .showNothing: show(.nothing)
            case .showPlaceholder:
                // One who is not seen yet has a grace period too, once it is.
                if binding.isWaiting { owesPlaceholder = true } else { show(.placeholder) }
            case .showFailure:
                if let failure { show(.failure(failure)) }
            case .showPicture(let transition):
                if let hit { response = hit }
                if let response { show(.picture(response, withTransition: transition)) }
            case .showPreview(let transition):
                if let preview { show(.preview(preview, withTransition: transition)) }
            case .complete(let id, let completion):
                guard let (url, call) = completions.removeValue(forKey: id) else { continue }
                let result = result(completion, url)
                calls.append { call(result) }
            }
        }
        if let started, started == binding.running { start(started, follows: follows) }
        // Last, so that the same picture in another size takes the transfer over.
        givenUp?.cancel()
        settle()
        for call in calls { call() }
    }

    private func show(_ content: ImageTargetContent) {
        owesPlaceholder = false
        target.show(content)
    }

    private func start(_ ticket: Binding.Ticket, follows: Bool) {
        guard let wanted else { return }
        var request = wanted.request
        // What a change is about is stored: to follow it costs no look at the server, so that two views
        // never keep each other going.
        if follows { request.cachePolicy = .cacheElseLoad }
        preview = nil
        let task = wanted.loader.task(for: request)
        if let end = task.ended {
            finished(ticket, end)
            return
        }
        running = (ticket, task)
        TaskCourier.carry(task, on: delivery) { [weak self] event in
            Delivery.onMainActor { self?.hear(event, ticket) }
        }
    }

    private func hear(_ event: ImageTask.Event, _ ticket: Binding.Ticket) {
        guard ticket == binding.running else { return }
        switch event {
        case .progress(let progress): target.advanced(to: progress)
        case .preview(let image):
            preview = image
            perform(binding.previewed(ticket))
        case .finished(let end): finished(ticket, end)
        }
    }

    private func finished(_ ticket: Binding.Ticket, _ end: Result<ImageResponse, ImageError>) {
        running = nil
        switch end {
        case .success(let response):
            self.response = response
            perform(binding.finished(ticket, .success))
        case .failure(let error):
            failure = error
            perform(binding.finished(ticket, error.reason == .cacheMiss ? .cacheMiss : .failure))
        }
        preview = nil
    }

    private func result(
        _ completion: Binding.Completion, _ url: URL
    ) -> Result<ImageResponse, SetImageError> {
        switch completion {
        case .success, .unchanged:
            response.map { .success($0) } ?? .failure(.load(ImageError(.cancelled, url: url)))
        case .failure: .failure(.load(failure ?? ImageError(.cancelled, url: url)))
        case .cancelled: .failure(.load(ImageError(.cancelled, url: url)))
        case .empty: .failure(.load(ImageError(.cacheMiss, url: url)))
        }
    }

    /// What follows from the state that the actions have led to.
    private func settle() {
        let isLoading = binding.running != nil
        if !isLoading {
            graceTimer?.cancel()
            graceTimer = nil
        }
        if owesPlaceholder, !isLoading, !binding.isWaiting, !binding.isGone { show(.placeholder) }
        prefetchIfWaiting()
        if isLoading != wasLoading {
            wasLoading = isLoading
            target.loadingChanged(isLoading)
        }
    }

    private func awaitGracePeriod(_ ticket: Binding.Ticket) {
        graceTimer?.cancel()
        let end = time.uptime(after: manner.gracePeriod)
        graceTimer = Task.detached { [weak self, time, delivery] in
            guard (try? await time.sleep(until: end)) != nil else { return }
            delivery.hand {
                Delivery.onMainActor {
                    guard let self else { return }
                    self.perform(self.binding.gracePeriodPassed(ticket))
                }
            }
        }
    }

    // MARK: - Prefetching

    /// A hidden view that may not load has its picture brought into memory by somebody else.
    private func prefetchIfWaiting() {
        var next: (by: ImagePrefetcher, wanted: Wanted)?
        if binding.isWaiting, case .prefetches(let prefetcher) = manner.whenHidden, let wanted {
            next = (prefetcher, wanted)
        }
        if let next, let prefetched, next.by === prefetched.by,
            next.wanted.identity == prefetched.wanted.identity
        {
            return
        }
        if let prefetched { prefetched.by.stop(CollectionOfOne(prefetched.wanted.request)) }
        prefetched = next
        if let next { next.by.start(CollectionOfOne(next.wanted.request)) }
    }

    // MARK: - Following

    private func follow(_ loader: ImageLoader) {
        guard manner.followsChanges, wanted != nil else { return stopFollowing() }
        let feed = ObjectIdentifier(loader.changeFeed)
        guard follower?.feed != feed else { return }
        stopFollowing()
        let changes = loader.changes
        let task = Task.detached { [weak self, delivery] in
            for await change in changes {
                delivery.hand { Delivery.onMainActor { self?.changed(change) } }
            }
        }
        follower = (feed, task)
    }

    private func stopFollowing() {
        follower?.task.cancel()
        follower = nil
    }

    private func changed(_ change: CacheChange) {
        guard let wanted, change.mayReplace(wanted.source.resource) else { return }
        perform(binding.changed(wanted.source), follows: true)
    }
}

extension ViewBinding.Manner {
    init(_ manner: ViewLoad.Manner) {
        self.init()
        previous = manner.previous
        if case .loads = manner.whenHidden { loadsWhenHidden = true }
        alwaysTransitions = manner.alwaysTransitions
        showsFailure = manner.showsFailure
        followsChanges = manner.followsChanges
    }
}

extension CacheChange {
    /// Whether the picture of the resource may be another one now. What was removed by hand stays on
    /// screen.
    fileprivate func mayReplace(_ resource: Resource) -> Bool {
        switch self {
        case .replaced(let url): resource.isOf(url)
        case .everything: true
        case .removed, .removedKey, .removedGroup: false
        }
    }
}

extension CachePolicy {
    /// Whether one who has the picture already asks for it again nevertheless.
    fileprivate var asksAnew: Bool {
        switch self {
        case .revalidate, .reload, .bypass: true
        case .standard, .cacheElseLoad, .cacheOnly: false
        }
    }
}

extension ImageLoader {
    /// What a view goes by: what the request comes to, and the response if it is in memory.
    fileprivate func planForView(_ request: ImageRequest) -> (PlannedLoad, ImageResponse?) {
        // A modifier that throws ends the load, which tells of it.
        let modified = try? engine.modified(request)
        let request = modified ?? request
        let plan = PlannedLoad(
            request, limits: configuration.decodeLimits,
            standing: engine.credentialing.standing(for: request))
        guard modified != nil else { return (plan, nil) }
        let hit = engine.cachedResponse(
            plan.image, request, for: .use, startedAt: engine.time.uptime)
        return (plan, hit)
    }
}
