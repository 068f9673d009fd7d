import VitrineBase
import VitrineHTTP
public import VitrineStorage

/// Gets images from URLs: downloads, caches, decodes and filters them.
///
/// A program usually needs one, and ``shared`` is there for it.
///
/// ```swift
/// let image = try await ImageLoader.shared.image(from: url, filters: .fill(width: 100, height: 100), .circle)
/// ```
///
/// Loads of the same picture share their transfer, their decoding and the filters that they begin
/// with, and each caller has its own progress, cancellation and result. Nothing that blocks runs on
/// the caller's thread. A loader may be released while it loads: what was started goes on.
public final class ImageLoader: Sendable {
    /// The loader that is used wherever none is named: one with the default configuration, made at the
    /// first use, until a program puts its own here.
    ///
    /// Set it before the first load. Each load asks anew; who has the former one, as a view that shows a
    /// picture or a ``RemoteImage``, keeps it, and it lives for as long. Reading and setting takes some
    /// tens of nanoseconds.
    public static var shared: ImageLoader {
        get {
            sharedLoader.withLock { loader in
                if let loader { return loader }
                let new = ImageLoader()
                loader = new
                return new
            }
        }
        set {
            // The former one ends outside the lock.
            _ = sharedLoader.withLock { loader in
                defer { loader = newValue }
                return loader
            }
        }
    }

    private static let sharedLoader = Lock<ImageLoader?>(nil)

    /// The version of this library.
    public static let version = "0.1.0"

    /// What the loader was made with.
    public let configuration: Configuration

    let changeFeed = ChangeFeed()
    let engine: LoadEngine
    /// The images in memory: add, find and remove them by hand.
    public let imageCache: ImageCache
    let stores: ResponseStores

    /// A loader with caches and queues of its own. Cheap: files and threads are opened when needed.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, time: .system)
    }

    package init(
        _ configuration: Configuration, time: TimeSource,
        chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.configuration = configuration
        imageCache =
            configuration.imageCache ?? ImageCache(configuration.ownImageCache, time: time)
        let transport = configuration.transport ?? CurlTransport(configuration)
        stores = ResponseStores(configuration, transport: transport, time: time)
        engine = LoadEngine(
            configuration, transport: transport, memory: imageCache, stores: stores,
            changes: changeFeed, time: time, chance: chance)
    }

    deinit { changeFeed.end() }

    // MARK: - Loading

    /// The picture at `url`, after `filters` in their order.
    ///
    /// A fresh image in memory is returned without suspending. Cancelling the calling Swift task
    /// cancels the load.
    ///
    /// - Throws: ``ImageError``.
    public func image(
        from url: URL, filters: any ImageFilter...
    ) async throws(ImageError) -> RasterImage {
        try await image(for: ImageRequest(url, filters: filters))
    }

    /// The picture that the request asks for. See ``image(from:filters:)``.
    public func image(for request: ImageRequest) async throws(ImageError) -> RasterImage {
        if let image = engine.plainHit(request) { return image }
        return try await response(for: request).image
    }

    /// The picture that the request asks for, with the facts of how it came.
    ///
    /// Cancelling the calling Swift task cancels the load.
    public func response(for request: ImageRequest) async throws(ImageError) -> ImageResponse {
        let task: ImageTask
        switch engine.start(request) {
        case .answered(let response): return response
        case .begun(let begun): task = begun
        }
        if let end = task.ended { return try end.get() }
        let end = await withTaskCancellationHandler {
            await task.end()
        } onCancel: {
            task.cancel()
        }
        return try end.get()
    }

    /// Starts a load at once and returns the caller's claim on it.
    ///
    /// A fresh image in memory makes a task that has ended already. Never blocks.
    public func task(for request: ImageRequest) -> ImageTask {
        engine.load(request)
    }

    /// How many downloads run and wait for their turn just now.
    public var downloads: (active: Int, waiting: Int) { engine.downloads }

    // MARK: - Caches

    /// The image in memory, where the request's policy lets it count; nil otherwise.
    ///
    /// Looks nowhere else and never blocks.
    public func cachedImage(for request: ImageRequest) -> RasterImage? {
        engine.cachedImage(request)
    }

    /// Bytes of responses that are kept in memory; see ``Configuration/originalsCapacity``.
    public var originalsUsage: Int {
        (stores.main.store as? MemoryResponseStore)?.usedBytes ?? 0
    }

    /// How full the disk cache is; nil if there is none, or if it is a store of one's own.
    ///
    /// - Throws: `DiskStoreError` if it cannot be read.
    public func diskStatistics() async throws(DiskStoreError) -> DiskStore.Statistics? {
        try await stores.main.disk?.statistics()
    }

    /// Suspends until all loads have ended and all that is to be kept is on disk.
    public func waitUntilIdle() async {
        await engine.waitUntilIdle()
        await stores.flush()
    }
}
