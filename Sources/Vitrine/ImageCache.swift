import FoundationEssentials
import VitrineBase
public import VitrineStorage

/// Images in memory: what loaders have made, and what was added by hand.
///
/// ```swift
/// let cache = ImageLoader.shared.imageCache
/// cache.insert(drawn, for: ImageRequest(url))                 // a hit for loader and views from now on
/// cache.insert(badge, for: ImageRequest(url), identifier: "badge")
/// let badge = cache.image(for: ImageRequest(url), identifier: "badge")
/// ```
///
/// An image is known by its request: the source with all headers that are sent, partition, target size,
/// scale and filters; and by an identifier, if one is given. It costs ``RasterImage/cost``: a still
/// its pixels, an animation its file and the most that its frames take. Above
/// ``Configuration/capacity`` the least recently used go, down to ``Configuration/purgeTarget``; what
/// was fetched ahead and never used goes before them.
///
/// An image that was dropped but is alive elsewhere, since a view shows it or a variable holds it, is
/// found as long as it lives, at no cost, until it is removed. Removing means all: what was removed is
/// found no more, whoever still holds it.
///
/// Every call is synchronous, may come from any thread and never waits for more than another such call.
public final class ImageCache: Sendable {
    /// Everything that can be set about a cache.
    public struct Configuration: Sendable, Hashable {
        /// Most bytes of images. With 0 nothing is kept, and nothing found that is alive elsewhere.
        public var capacity = 100_000_000
        /// Bytes that are left after a purge.
        public var purgeTarget = 60_000_000
        /// Most images; nil for no limit.
        public var countLimit: Int?
        /// How long an image is kept after it was added, whatever its response says; nil for ever.
        public var ageLimit: Duration?
        /// Whether memory is given back when the system is short of it. It then is heard of by
        /// `MemoryPressure.Monitor`, from the first image on.
        public var reactsToMemoryPressure = true

        /// The defaults that the properties name.
        public init() {}
    }

    /// What is known of an image beside its pixels.
    struct Facts: Sendable {
        /// Until when it may be used without asking; nil if it was stale on arrival.
        var freshUntil: Date?
        /// When its bytes arrived; nil if it was added by hand.
        var receivedAt: Date?
        var http: HTTPFacts?
    }

    /// An image with its facts.
    struct Entry: Sendable {
        let image: RasterImage
        let facts: Facts

        func counts(on terms: Terms, at time: TimeSource) -> Bool {
            // The request's own word goes before that with which the image came.
            let expiry = terms.expiry.flatMap { own in
                facts.receivedAt.map { own.moment(receivedAt: $0.timeIntervalSince1970) }
            }
            let freshUntil = expiry ?? facts.freshUntil?.timeIntervalSince1970
            let isFresh = freshUntil.map { time.now < $0 } ?? false
            return terms.policy.mayReuse(isFresh: isFresh)
        }
    }

    /// What a request says about which images answer it; without a request, nothing in particular.
    struct Terms: Sendable {
        var policy = CachePolicy.standard
        var expiry: CacheExpiry?

        init() {}

        init(_ request: ImageRequest) {
            policy = request.cachePolicy
            expiry = request.expiry
        }
    }

    /// What the cache was made with.
    public let configuration: Configuration

    let images: MemoryCache<ImageKey, Entry>
    let leases = Lock(LeaseTable())
    let time: TimeSource
    let listeners: DropListeners
    private let monitor: MemoryPressure.Monitor
    private let subscription = Lock(MemoryPressure.Subscription?.none)

    /// An empty cache. Several loaders may share it.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, time: .system)
    }

    package init(
        _ configuration: Configuration, time: TimeSource, monitor: MemoryPressure.Monitor = .shared
    ) {
        self.configuration = configuration
        self.time = time
        self.monitor = monitor
        let listeners = DropListeners()
        self.listeners = listeners
        images = MemoryCache(
            capacity: configuration.capacity, purgeTarget: configuration.purgeTarget,
            countLimit: configuration.countLimit, ageLimit: configuration.ageLimit, time: time,
            onDrop: { listeners.tell($0, $1, $2) })
    }

    /// Bytes of the images that the cache keeps. What is found because it is alive elsewhere costs
    /// nothing here.
    public var memoryUsage: Int { images.memoryUsage }

    /// How many images the cache keeps.
    public var count: Int { images.count }

    /// Gives memory back: everything when it is critical, else down to the purge target or to half of
    /// what there is, whichever is less. What is alive elsewhere is still found.
    public func respond(to level: MemoryPressure.Level) {
        images.respond(to: level)
        PixelBuffer.releaseKeptMemory()
    }

    // MARK: - For the pipeline

    /// The image of `key`, if it counts on these terms.
    func entry(_ key: ImageKey, on terms: Terms, countsAsUse: Bool = true) -> Entry? {
        guard terms.policy.readsCache else { return nil }
        if let entry = countsAsUse ? images.value(for: key) : images.peek(key) {
            return entry.counts(on: terms, at: time) ? entry : nil
        }
        return leased(key, on: terms, countsAsUse)
    }

    /// An image that was dropped and is alive elsewhere.
    private func leased(_ key: ImageKey, on terms: Terms, _ countsAsUse: Bool) -> Entry? {
        var dropped = MemoryCache<ImageKey, Entry>.Dropped()
        let entry = leases.withLock { leases -> Entry? in
            let now = time.uptime
            guard let found = leases.image(for: key, now: now) else { return nil }
            let entry = Entry(image: found.image, facts: found.facts)
            guard entry.counts(on: terms, at: time) else { return nil }
            // It is wanted once more, and takes no more memory than it does already.
            if countsAsUse, entry.image.cost <= images.capacity {
                _ = images.insert(
                    entry, for: key, cost: entry.image.cost,
                    lifetime: found.expiry == .max
                        ? nil : .nanoseconds(Int64(clamping: found.expiry - now)),
                    dropping: &dropped)
            }
            return entry
        }
        images.report(dropped)
        return entry
    }

    /// Puts an image in. What it pushed out is told and released by the result, for which the caller
    /// lets go of locks of its own.
    func insert(_ entry: Entry, for key: ImageKey, isAhead: Bool = false) -> Insertion {
        var dropped = MemoryCache<ImageKey, Entry>.Dropped()
        guard images.capacity > 0 else {
            return Insertion(isKept: false, cache: images, dropped: dropped)
        }
        let lease = LeaseTable.Lease(
            image: WeakImage(entry.image), facts: entry.facts,
            expiry: configuration.ageLimit.map { time.uptime(after: $0) } ?? .max)
        let isKept = leases.withLock { leases in
            leases.set(lease, for: key)
            return images.insert(
                entry, for: key, cost: entry.image.cost, standing: isAhead ? .probation : .regular,
                dropping: &dropped)
        }
        if isKept, configuration.reactsToMemoryPressure { watchMemory() }
        return Insertion(isKept: isKept, cache: images, dropped: dropped)
    }

    /// How an insertion went, and what it pushed out.
    struct Insertion: Sendable {
        let isKept: Bool
        fileprivate let cache: MemoryCache<ImageKey, Entry>
        fileprivate let dropped: MemoryCache<ImageKey, Entry>.Dropped

        /// Tells observers.
        func report() { cache.report(dropped) }
    }

    private func watchMemory() {
        subscription.withLock { subscription in
            guard subscription == nil else { return }
            subscription = monitor.subscribe { [weak self] level in self?.respond(to: level) }
        }
    }
}

extension ImageCache {
    /// Whether its parts agree: every image that it keeps has a lease.
    package var isConsistent: Bool {
        guard let keys = images.checkedKeys else { return false }
        return leases.withLock { leases in
            leases.isConsistent && keys.allSatisfy { leases.image(for: $0, now: 0) != nil }
        }
    }
}
