import VitrineBase
public import VitrineImaging

/// One caller's claim on a load: its own progress, its own cancellation, its own end.
///
/// A task starts when it is made and ends exactly once: with a response, with an error, or by
/// ``cancel()``. Dropping it, or ending an iteration over ``events``, cancels nothing.
public final class ImageTask: Sendable {
    /// How much of the bytes has arrived.
    public struct Progress: Sendable, Hashable {
        /// Bytes that have arrived.
        public var received: Int
        /// Bytes that there will be; nil if the server did not say.
        public var total: Int?
        /// Of those that have arrived: bytes that were kept of an earlier download that was cut off, and
        /// were not sent this time.
        public var resumed = 0

        /// Progress to show or to compare with.
        public init(received: Int, total: Int?) {
            self.received = received
            self.total = total
        }

        /// Between 0 and 1; nil if the total is unknown or zero.
        public var fraction: Double? {
            guard let total, total > 0 else { return nil }
            return min(1, Double(received) / Double(total))
        }
    }

    /// What a task tells while it runs.
    public enum Event: Sendable {
        /// More bytes have arrived. A slow listener hears the newest only.
        case progress(Progress)
        /// The picture as far as it has arrived, if ``ImageRequest/previews`` asks for that, and then its
        /// ``RasterImage/isComplete`` is false; or in another size, if
        /// ``ImageRequest/showsOtherSizes`` does; or the whole of ``ImageRequest/lowResolution``. A slow
        /// listener hears the newest only.
        case preview(RasterImage)
        /// The one end.
        case finished(Result<ImageResponse, ImageError>)
    }

    /// What is being loaded.
    public let request: ImageRequest

    typealias Life = TaskLife<Progress, RasterImage, Result<ImageResponse, ImageError>>

    private struct State {
        var life = Life()
        var awaiting = Waiters()
        var priority: LoadPriority
        var onChange: [@Sendable () -> Void] = []
        var onEnd: [@Sendable (Result<ImageResponse, ImageError>) -> Void] = []
        var onCancel: (@Sendable () -> Void)?
        var onReprioritise: (@Sendable (LoadPriority) -> Void)?
    }
    private let state: Lock<State>

    init(_ request: ImageRequest) {
        self.request = request
        state = Lock(State(priority: request.priority))
    }

    /// How soon this caller wants it; may be changed at any time.
    ///
    /// The work is done at the highest priority of those who wait for it. A change takes effect on all
    /// that waits for its turn, and not on what runs; after the end it does nothing.
    public var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            let tell = state.withLock { state in
                state.priority = newValue
                return state.onReprioritise
            }
            tell?(newValue)
        }
    }

    /// Whether the task has ended.
    public var isFinished: Bool { state.withLock { $0.life.end != nil } }

    /// The image and how it came, as soon as it is there.
    ///
    /// May be read by many, and again after the end. If the Swift task that waits here is cancelled,
    /// that wait ends with `cancelled`, and the load goes on.
    ///
    /// - Throws: the ``ImageError`` with which the load ended.
    public var response: ImageResponse {
        get async throws(ImageError) { try await end().get() }
    }

    /// The image alone, as soon as it is there.
    public var image: RasterImage {
        get async throws(ImageError) { try await response.image }
    }

    /// Gives up: this task ends with `cancelled` at once, others that share the load go on.
    ///
    /// When the last of them leaves, the transfer stops. After the end this does nothing.
    public func cancel() {
        let leave = state.withLock { $0.onCancel }
        finish(.failure(ImageError(.cancelled, url: request.url)))
        leave?()
    }

    /// The newest progress and preview, and always the end. Many may iterate, each for itself.
    public var events: Events { Events(task: self) }

    /// An asynchronous sequence of a task's ``ImageTask/Event``s.
    public struct Events: AsyncSequence, Sendable {
        /// What happened.
        public typealias Element = Event
        /// None: a failed load is an event too.
        public typealias Failure = Never
        let task: ImageTask

        /// A listener of its own, which hears the newest progress and preview, and always the end.
        public func makeAsyncIterator() -> Iterator { Iterator(task: task) }

        /// Reads the events for one listener.
        public final class Iterator: AsyncIteratorProtocol {
            private let task: ImageTask
            private let listener: Int

            init(task: ImageTask) {
                self.task = task
                listener = task.state.withLock { $0.life.addListener() }
            }

            deinit { task.state.withLock { [listener] in $0.life.removeListener(listener) } }

            /// The next event; see ``next(isolation:)``.
            public func next() async -> Event? { await next(isolation: #isolation) }

            /// The next event; nil after the end, and when the iterating Swift task is cancelled.
            public func next(isolation actor: isolated (any Actor)?) async -> Event? {
                while !Task.isCancelled {
                    switch task.news(for: listener) {
                    case .news(let news): return Event(news)
                    case .over: return nil
                    case .wait:
                        await task.state.wait(in: \.awaiting) { [listener] in
                            $0.life.hasNews(for: listener)
                        }
                    }
                }
                return nil
            }
        }
    }

    /// Suspends until the task has ended, or the calling Swift task is cancelled.
    func end() async -> Result<ImageResponse, ImageError> {
        while true {
            if let end = state.withLock({ $0.life.end }) { return end }
            if Task.isCancelled { return .failure(ImageError(.cancelled, url: request.url)) }
            await state.wait(in: \.awaiting) { $0.life.end != nil }
        }
    }

    // MARK: - For listeners of the library's own

    /// A listener who is told by `changed` that there may be news, on whatever thread they come; the
    /// last time at the end, and not at all if that was before.
    func listen(_ changed: @escaping @Sendable () -> Void) -> Life.ListenerID {
        state.withLock { state in
            if state.life.end == nil { state.onChange.append(changed) }
            return state.life.addListener()
        }
    }

    /// What the listener has not heard yet.
    func news(for listener: Life.ListenerID) -> Life.Answer {
        state.withLock { $0.life.next(for: listener) }
    }

    /// How it has ended; nil before that.
    var ended: Result<ImageResponse, ImageError>? { state.withLock { $0.life.end } }

    /// Calls `action` once with the end: at once if that has come, otherwise on the thread that brings it.
    func whenEnded(_ action: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void) {
        let end = state.withLock { state in
            if state.life.end == nil { state.onEnd.append(action) }
            return state.life.end
        }
        if let end { action(end) }
    }

    // MARK: - From the pipeline

    /// What is to be done when the caller cancels, in addition to the task's own end.
    func connect(
        priority: LoadPriority, cancel: @escaping @Sendable () -> Void,
        reprioritise: @escaping @Sendable (LoadPriority) -> Void
    ) {
        state.withLock { state in
            guard state.life.end == nil else { return }
            state.priority = priority
            state.onCancel = cancel
            state.onReprioritise = reprioritise
        }
    }

    func advance(_ progress: Progress) {
        wake { $0.life.advance(progress) }
    }

    func show(_ preview: RasterImage) {
        wake { $0.life.show(preview) }
    }

    /// Shows a picture that stands in for the one that is loaded, unless some of that was shown before.
    func showFirst(_ preview: RasterImage) {
        wake { $0.life.showFirst(preview) }
    }

    func finish(_ end: Result<ImageResponse, ImageError>) {
        wake { state in
            state.onCancel = nil
            state.onReprioritise = nil
            return state.life.finish(end)
        }
    }

    private func wake(_ change: (inout State) -> Bool) {
        let awakened = state.withLock { state in
            guard change(&state) else { return Awakened() }
            let end = state.life.end
            defer {
                // What listens may hold the task.
                if end != nil { (state.onChange, state.onEnd) = ([], []) }
            }
            return Awakened(
                waiting: state.awaiting.takeAll(), onChange: state.onChange,
                onEnd: end.map { end in state.onEnd.map { action in { action(end) } } } ?? [])
        }
        for continuation in awakened.waiting { continuation.resume() }
        for action in awakened.onChange + awakened.onEnd { action() }
    }

    /// Who is to be told of a change, once the lock is released.
    private struct Awakened {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var onChange: [@Sendable () -> Void] = []
        var onEnd: [@Sendable () -> Void] = []
    }
}

extension ImageTask.Event {
    init(_ news: ImageTask.Life.News) {
        switch news {
        case .progress(let progress): self = .progress(progress)
        case .preview(let preview): self = .preview(preview)
        case .end(let end): self = .finished(end)
        }
    }
}
