import FoundationEssentials
import VitrineImaging
import VitrineStorage

/// The loader's images in memory, by what they are and what was made of them.
struct ImageMemory: Sendable {
    struct Entry: Sendable {
        let image: RasterImage
        /// Until when it may be used without asking; nil if it was stale on arrival.
        let freshUntil: Date?
        let http: HTTPFacts?
    }

    private let cache: MemoryCache<ImageIdentity, Entry>

    init(capacity: Int, purgeTarget: Int) {
        cache = MemoryCache(capacity: capacity, purgeTarget: purgeTarget)
    }

    /// Bytes of pixels that are held.
    var usage: Int { cache.memoryUsage }

    func entry(_ identity: ImageIdentity) -> Entry? { cache.value(for: identity) }

    func insert(_ entry: Entry, for identity: ImageIdentity) {
        cache.insert(entry, for: identity, cost: entry.image.cost)
    }

    /// Removes every variant of the picture at the URL.
    func remove(url: URL) { cache.removeAll { $0.isOf(url: url) } }

    func removeAll() { cache.removeAll() }
}
