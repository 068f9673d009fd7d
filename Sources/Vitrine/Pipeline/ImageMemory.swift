import FoundationEssentials
import VitrineImaging
import VitrineStorage

/// The loader's images in memory, by what they are and what was made of them.
struct ImageMemory: Sendable {
    struct Entry: Sendable {
        let image: RasterImage
        /// Until when it may be used without asking; nil if it was stale on arrival.
        let freshUntil: Date?
        /// When its bytes arrived.
        let receivedAt: Date?
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
        // The identity remembers the URL of its name.
        if identity.resource.name != nil { cache.remove(identity) }
        cache.insert(entry, for: identity, cost: entry.image.cost)
    }

    /// The names of the pictures that are meant.
    func names(where isMeant: (Resource) -> Bool) -> Set<String> {
        var names: Set<String> = []
        // The predicate sees every key, and removes none.
        cache.removeAll { identity in
            if let name = identity.resource.name, isMeant(identity.resource) { names.insert(name) }
            return false
        }
        return names
    }

    /// Removes every variant of the pictures that are meant.
    func remove(where isMeant: (ImageIdentity) -> Bool) { cache.removeAll(where: isMeant) }

    func removeAll() { cache.removeAll() }
}
