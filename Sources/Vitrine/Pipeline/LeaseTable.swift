import VitrineImaging

/// Every image that was put in memory and is still alive, without keeping it so; and which of them are
/// variants of one picture.
///
/// Leases whose images are gone are swept away when as many have been added as were left the last time,
/// so that the table has at most twice as many as there are images alive, and 64, and adding takes
/// constant time in the long run.
struct LeaseTable {
    struct Lease: Sendable {
        let image: WeakImage
        let facts: ImageCache.Facts
        /// When it is too old, by the clock that nobody sets.
        let expiry: UInt64
    }

    private var leases: [ImageKey: Lease] = [:]
    private var variants: [ImageKey: Set<ImageKey>] = [:]
    private var limit = LeaseTable.slack

    private static let slack = 64

    /// How many there are, those included whose images are gone and that were not swept away yet.
    var count: Int { leases.count }

    mutating func set(_ lease: Lease, for key: ImageKey) {
        // An equal key may know something else beside what makes it equal, and the new one counts.
        if leases[key] != nil {
            remove(key)
        } else if leases.count >= limit {
            sweep()
        }
        leases[key] = lease
        variants[key.ofSource, default: []].insert(key)
    }

    /// The image of `key`, if it is alive and not too old.
    func image(
        for key: ImageKey, now: UInt64
    ) -> (image: RasterImage, facts: ImageCache.Facts, expiry: UInt64)? {
        guard let lease = leases[key], lease.expiry > now, let image = lease.image.image else {
            return nil
        }
        return (image, lease.facts, lease.expiry)
    }

    /// The keys of the images made of the same source as that of `key`.
    func variants(of key: ImageKey) -> Set<ImageKey> { variants[key.ofSource] ?? [] }

    /// The keys of the images that are known by what `isMeant` accepts. Looks at every one.
    func keys(where isMeant: (ImageIdentity) -> Bool) -> [ImageKey] {
        leases.keys.filter { $0.image.map(isMeant) ?? false }
    }

    /// Removes one; false if there was none, or its image is gone.
    @discardableResult
    mutating func remove(_ key: ImageKey) -> Bool {
        guard let lease = leases.removeValue(forKey: key) else { return false }
        let source = key.ofSource
        variants[source]?.remove(key)
        if variants[source]?.isEmpty == true { variants[source] = nil }
        return lease.image.image != nil
    }

    mutating func removeAll() { self = LeaseTable() }

    private mutating func sweep() {
        for key in leases.filter({ $0.value.image.image == nil }).keys { remove(key) }
        limit = 2 * leases.count + Self.slack
    }

    /// Whether its parts agree.
    var isConsistent: Bool {
        variants.values.reduce(0) { $0 + $1.count } == leases.count
            && leases.keys.allSatisfy { variants[$0.ofSource]?.contains($0) == true }
    }
}
