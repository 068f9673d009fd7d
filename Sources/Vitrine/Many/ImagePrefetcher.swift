/// Loads pictures before anybody asks for them, as what has the lowest priority.
///
/// ```swift
/// let prefetcher = ImagePrefetcher(loader)
/// prefetcher.start(nextPage)
/// prefetcher.stop(scrolledPast)
/// ```
///
/// At most ``maximumActive`` of its loads run at a time, first come, first served; asking twice for
/// the same is asking once. They share their work with loads like any others: one who asks for a
/// picture that is being prefetched joins it, and raises it to his own priority. What is prefetched
/// never pushes out of memory what others have used.
///
/// Releasing the prefetcher stops its work.
public final class ImagePrefetcher: Sendable {
    /// Where pictures are brought.
    public enum Destination: Sendable, Hashable {
        /// Decoded and filtered, into memory; their bytes into the disk cache on the way.
        case memory
        /// Into the loader's disk cache only (without one, into its originals in memory), or the store that
        /// the request names. Everything that arrives is found to be a picture before it is stored;
        /// neither filters nor the request's size are applied. Files and `data:` URLs are passed over, and so is what has no store.
        case disk
    }

    /// How far a prefetcher is.
    public struct Progress: Sendable, Hashable {
        /// Loads that run.
        public var active: Int
        /// Requests that wait.
        public var waiting: Int
        /// Loads that have ended well, since the prefetcher was made.
        public var finished: Int
        /// Loads that have failed, since the prefetcher was made; those that were stopped are in
        /// neither count.
        public var failed: Int
    }

    /// Where pictures are brought.
    public let destination: Destination
    /// How soon it is wanted, in place of the requests' own priority.
    public let priority: LoadPriority
    /// Most of its loads that run at once.
    public let maximumActive: Int

    private let queue: PrefetchQueue

    /// A prefetcher for a loader, which it keeps alive.
    ///
    /// - Parameters:
    ///   - maximumActive: At least 1. The default leaves half of a loader's downloads to others.
    ///   - priority: The lowest by default.
    public init(
        _ loader: ImageLoader = .shared, to destination: Destination = .memory,
        maximumActive: Int = 2, priority: LoadPriority = .veryLow
    ) {
        self.destination = destination
        self.priority = priority
        self.maximumActive = max(1, maximumActive)
        queue = PrefetchQueue(
            loader, purpose: destination == .disk ? .prefetchToDisk : .prefetchToMemory,
            limit: maximumActive)
    }

    deinit { queue.stopAll() }

    /// Wants these pictures, after those that it has been told to get before. Never blocks.
    ///
    /// What is in memory already costs a look. A policy that writes no cache
    /// (``CachePolicy/bypass``) has nothing to prefetch, and is passed over.
    public func start(_ requests: some Sequence<ImageRequest>) {
        for request in requests {
            var request = request
            request.priority = priority
            request.previews = .none
            queue.start(request)
        }
    }

    /// Wants the pictures at these URLs. See ``start(_:)-(Sequence<ImageRequest>)``.
    public func start(_ urls: some Sequence<URL>) {
        start(urls.lazy.map { ImageRequest($0) })
    }

    /// Wants these no more: what waits is forgotten, and what runs stops, unless somebody else waits
    /// for it too.
    public func stop(_ requests: some Sequence<ImageRequest>) {
        for request in requests { queue.stop(request) }
    }

    /// Wants the pictures at these URLs no more. See ``stop(_:)-(Sequence<ImageRequest>)``.
    public func stop(_ urls: some Sequence<URL>) {
        stop(urls.lazy.map { ImageRequest($0) })
    }

    /// Wants nothing more. It may be started again.
    public func stopAll() { queue.stopAll() }

    /// Starts nothing more until ``resume()``; what runs goes on.
    public func pause() { queue.pause() }

    /// Ends a pause; pauses are not counted.
    public func resume() { queue.resume() }

    /// Whether nothing is started for now.
    public var isPaused: Bool { queue.isPaused }

    /// How far it is, just now.
    public var progress: Progress { queue.progress }

    /// Suspends until nothing runs or waits, or the Swift task is cancelled; in a pause until it is
    /// resumed and done, or stopped.
    public func waitUntilIdle() async { await queue.waitUntilIdle() }
}
