public import Observation
import VitrineBase

/// The state of one load, for any user interface.
///
/// ```swift
/// let picture = RemoteImage(url)
/// picture.load()
/// switch picture.state {
/// case .empty: spinner
/// case .inProgress(let progress, let preview): bar(progress?.fraction)
/// case .failure(let error): button("Retry") { picture.retry() }
/// case .success(let response): show(response.image)
/// }
/// ```
///
/// Asking again for what is there, on its way or has failed changes nothing, so that ``load(_:)`` may
/// be called whenever something is drawn. Two requests are the same if they get the same picture in
/// the same way; priority, timeouts and previews make no difference. A fresh image in memory is
/// ``State/success(_:)`` when the call returns, without ``State/inProgress(_:preview:)`` before it.
///
/// Once it is released its load is cancelled and ``states`` end.
@Observable @MainActor
public final class RemoteImage {
    /// How far a load is.
    public enum State: Sendable {
        /// Nothing is wanted, loading has not begun or was cancelled, or no cache has it and the
        /// request's policy is ``CachePolicy/cacheOnly``.
        case empty
        /// It loads. The progress is nil until bytes arrive, the preview unless
        /// ``ImageRequest/previews`` asks for it.
        case inProgress(ImageTask.Progress?, preview: RasterImage?)
        /// It ended without an image; ``RemoteImage/retry()`` tries again.
        case failure(ImageError)
        /// The image, and how it came.
        case success(ImageResponse)

        /// The image, if it is there.
        public var image: RasterImage? {
            if case .success(let response) = self { return response.image }
            return nil
        }
    }

    private typealias Life = RemoteImageLife<
        [StepKey], ImageTask.Progress, RasterImage, ImageResponse, ImageError
    >

    /// What is to be seen; observable.
    public private(set) var state = State.empty

    @ObservationIgnored private var life = Life()
    @ObservationIgnored private var wanted: ImageRequest?
    private let loader: ImageLoader
    private let delivery: Delivery
    private let feed = StateFeed(State.empty)
    private let current = CurrentTask()

    /// A picture that is not loaded yet.
    ///
    /// - Parameters:
    ///   - delivery: What brings news to the main actor. The default serves every program whose main
    ///     queue is served; a toolkit with a loop of its own on the main thread gives that.
    public init(
        _ request: ImageRequest? = nil, loader: ImageLoader = .shared, delivery: Delivery = .main
    ) {
        self.loader = loader
        self.delivery = delivery
        wanted = request
        _ = life.set(request.map(Self.key))
    }

    /// The picture at a URL, not loaded yet. See ``init(_:loader:delivery:)``.
    public convenience init(_ url: URL, loader: ImageLoader = .shared) {
        self.init(ImageRequest(url), loader: loader)
    }

    deinit {
        current.replace(by: nil)
        feed.finish()
    }

    /// What is wanted; nil shows ``State/empty``.
    ///
    /// Another request takes the place of the one before, whose load is cancelled and not heard of any
    /// more; it is loaded at once if ``load()`` was called and no ``cancel()`` after it. The same one
    /// changes nothing.
    public var request: ImageRequest? {
        get {
            access(keyPath: \.request)
            return wanted
        }
        set {
            withMutation(keyPath: \.request) { wanted = newValue }
            perform(life.set(newValue.map(Self.key)))
        }
    }

    /// Loads the picture, unless it is there, on its way, or has failed.
    public func load() { perform(life.load()) }

    /// Wants this picture, or none, and loads it; the same one is not loaded again.
    public func load(_ request: ImageRequest?) {
        self.request = request
        load()
    }

    /// Loads a picture that has failed, or that no cache had, once more.
    public func retry() { perform(life.retry()) }

    /// Gives up what is on its way, and shows ``State/empty``; what is there stays.
    public func cancel() { perform(life.cancel()) }

    /// The state now and whenever it changes, the newest only, for any number of listeners.
    ///
    /// Listening keeps the remote image alive no longer; the sequence ends when it is released.
    public nonisolated var states: States { States(feed: feed) }

    // MARK: -

    /// What makes two requests the same picture in the same way; the limits are the loader's.
    private static func key(_ request: ImageRequest) -> [StepKey] {
        PlannedLoad(request, limits: DecodeLimits()).path
    }

    private func perform(_ actions: [Life.Action]) {
        for action in actions {
            switch action {
            case .cancel: current.replace(by: nil)
            case .show: show()
            case .start(let run):
                guard let wanted else { continue }
                let task = loader.task(for: wanted)
                if let end = task.ended {
                    // What is shown then is this, and never that it loads.
                    _ = life.end(run, Life.End(end))
                } else {
                    current.replace(by: task)
                    listen(to: task, run)
                }
            }
        }
    }

    private func listen(to task: ImageTask, _ run: Life.Run) {
        TaskCourier.carry(task, on: delivery) { [weak self] event in
            Delivery.onMainActor { self?.hear(event, run) }
        }
    }

    private func hear(_ event: ImageTask.Event, _ run: Life.Run) {
        switch event {
        case .progress(let progress): perform(life.advance(run, progress))
        case .preview(let preview): perform(life.preview(run, preview))
        case .finished(let end):
            let actions = life.end(run, Life.End(end))
            // The state has the image now; a later one is not kept from its end.
            if !actions.isEmpty { current.replace(by: nil) }
            perform(actions)
        }
    }

    private func show() {
        state =
            switch life.phase {
            case .idle, .missed: .empty
            case .loading(_, let progress, let preview): .inProgress(progress, preview: preview)
            case .failed(let error): .failure(error)
            case .succeeded(let response): .success(response)
            }
        feed.change(to: state)
    }

    /// The task on whose end the state waits; cancelled when it is replaced.
    private final class CurrentTask: Sendable {
        private let task = Lock<ImageTask?>(nil)

        func replace(by next: ImageTask?) {
            let old = task.withLock { task in
                defer { task = next }
                return task
            }
            old?.cancel()
        }
    }
}

extension RemoteImage {
    /// An asynchronous sequence of states.
    public struct States: AsyncSequence, Sendable {
        /// What is to be seen.
        public typealias Element = State
        /// None: a failed load is a state too.
        public typealias Failure = Never
        let feed: StateFeed<State>

        /// A listener of its own, which hears the state that is, and then each newer one.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Reads the states for one listener.
        public struct Iterator: AsyncIteratorProtocol {
            let feed: StateFeed<State>
            private var heard = 0

            init(feed: StateFeed<State>) { self.feed = feed }

            /// The next state; see ``next(isolation:)``.
            public mutating func next() async -> State? { await next(isolation: #isolation) }

            /// The next state; nil when the remote image was released, and when the iterating Swift task
            /// is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
                guard let (state, version) = await feed.next(after: heard) else { return nil }
                heard = version
                return state
            }
        }
    }
}

extension RemoteImageLife<[StepKey], ImageTask.Progress, RasterImage, ImageResponse, ImageError>.End
{
    init(_ end: Result<ImageResponse, ImageError>) {
        switch end {
        case .success(let response): self = .succeeded(response)
        case .failure(let error):
            switch error.reason {
            case .cancelled: self = .cancelled
            case .cacheMiss: self = .missed
            default: self = .failed(error)
            }
        }
    }
}
