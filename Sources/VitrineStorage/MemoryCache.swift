import VitrineBase

/// Values in memory, bounded by their cost: the least recently used go first.
///
/// Adding a value may take the usage above ``capacity``; then, and only then, entries are dropped,
/// least recently used first, until the usage is at most ``purgeTarget``. The value just added stays
/// in any case. Costs are what the caller says, in any unit; the defaults think of bytes.
///
/// Every call is synchronous, may come from any thread and takes constant time, but for purging,
/// which takes constant time for each entry dropped, and the two `removeAll`. Finding a value
/// allocates nothing. Dropped values are released after the cache's lock is free, so a value's
/// `deinit` may use the cache.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The most that all entries may cost together.
    public let capacity: Int

    /// What a purge brings the usage down to, at most.
    public let purgeTarget: Int

    private let entries: Lock<RecencyList<Key, Value>>

    /// An empty cache.
    ///
    /// Every pair of numbers makes a cache: `capacity` is brought into 0…`Int.max / 2`, and
    /// `purgeTarget` into 0…`capacity`.
    public init(capacity: Int = 100_000_000, purgeTarget: Int = 60_000_000) {
        self.capacity = min(max(capacity, 0), Int.max / 2)
        self.purgeTarget = min(max(purgeTarget, 0), self.capacity)
        entries = Lock(RecencyList())
    }

    /// Keeps `value` for `key` as the most recently used entry, in place of an older one.
    ///
    /// A negative `cost` counts as 0.
    ///
    /// - Returns: false if `cost` is above the whole capacity. Then the value is not kept, and an
    ///   older one of the same key is gone too, since it is no longer what the key stands for.
    @discardableResult
    public func insert(_ value: Value, for key: Key, cost: Int) -> Bool {
        let cost = max(cost, 0)
        var dropped: [Value] = []
        let kept = entries.withLock { entries in
            guard cost <= capacity else {
                if let old = entries.remove(key) { dropped.append(old) }
                return false
            }
            if let old = entries.insert(value, for: key, cost: cost) { dropped.append(old) }
            if entries.usage > capacity {
                while entries.usage > purgeTarget, let last = entries.removeLeastRecent() {
                    dropped.append(last)
                }
            }
            return true
        }
        withExtendedLifetime(dropped) {}
        return kept
    }

    /// The value of `key`, which thereby becomes the most recently used.
    public func value(for key: Key) -> Value? {
        entries.withLock { $0.use(key) }
    }

    /// Drops the value of `key` and returns it, nil if there is none.
    @discardableResult
    public func remove(_ key: Key) -> Value? {
        entries.withLock { $0.remove(key) }
    }

    /// Drops everything.
    public func removeAll() {
        let dropped = entries.withLock { entries in
            let all = entries
            entries = RecencyList()
            return all
        }
        withExtendedLifetime(dropped) {}
    }

    /// Drops the entries whose keys `matches` accepts and returns how many these were.
    ///
    /// Takes time for every entry. `matches` is called without the cache's lock and may use the
    /// cache; an entry that is added or replaced meanwhile stays.
    @discardableResult
    public func removeAll(where matches: (Key) -> Bool) -> Int {
        let doomed = entries.withLock { $0.keys }.filter { matches($0.key) }
        let dropped = entries.withLock { entries in
            doomed.compactMap { entries.remove($0.key, ifSerial: $0.serial) }
        }
        return dropped.count
    }

    /// What all entries cost together.
    public var memoryUsage: Int { entries.withLock { $0.usage } }

    /// How many entries there are.
    public var count: Int { entries.withLock { $0.count } }

    /// The keys from the least to the most recently used; fails the invariants' check with nil.
    package var checkedKeys: [Key]? { entries.withLock { $0.checkedKeys } }
}
