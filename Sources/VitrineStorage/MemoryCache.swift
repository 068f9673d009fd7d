public import VitrineBase

/// Values in memory, bounded by their cost, their number and their age: the least recently used go
/// first.
///
/// Adding a value may take the usage above ``capacity``; then, and only then, entries are dropped,
/// least recently used first, until the usage is at most ``purgeTarget``. Above ``countLimit`` they are
/// dropped down to it. The value just added stays in any case. Costs are what the caller says, in any
/// unit; the defaults think of bytes.
///
/// What was fetched ahead comes in on probation (``Standing/probation``): nobody has used it yet. When
/// something has to go, it goes before all that was used, as long as entries on probation take more
/// than a quarter of the purge target (or of the count limit); so reading ahead, however much, never
/// pushes out what is on screen.
///
/// Every call is synchronous, may come from any thread and takes constant time, but for purging, which
/// takes constant time for each entry dropped, and the calls that say otherwise. Finding a value
/// allocates nothing. Dropped values are released, and reported, after the cache's lock is free, so a
/// value's `deinit` and the observer may use the cache.
///
/// Finding a value is inlinable, so that it is compiled for the key's and the value's type where it is
/// called: without that a hit took three times as long.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How much an entry is wanted when it comes in.
    public enum Standing: Sendable, Hashable {
        /// Somebody wants it now.
        case regular
        /// Somebody may want it soon. The first use makes it a regular one.
        case probation
    }

    /// Hears what has left the cache, or was refused, and why.
    public typealias Observer = @Sendable (Key, Value, CacheDropReason) -> Void

    /// The most that all entries may cost together.
    public let capacity: Int

    /// What a purge brings the usage down to, at most.
    public let purgeTarget: Int

    /// The most entries; nil for no limit.
    public let countLimit: Int?

    /// How long after it was added an entry counts; nil for ever.
    public let ageLimit: Duration?

    @usableFromInline let entries: Lock<RecencyList<Key, Value>>
    let time: TimeSource
    private let share: RecencyLinks.Share
    private let observer: Observer?

    /// An empty cache.
    ///
    /// Every set of numbers makes a cache: `capacity` is brought into 0…`Int.max / 2`, `purgeTarget` into
    /// 0…`capacity`, and a `countLimit` below 1 counts as 1. Age is measured by a clock that nobody sets,
    /// and that stands while the system sleeps. `onDrop` is called on the thread that made the change.
    public convenience init(
        capacity: Int = 100_000_000, purgeTarget: Int = 60_000_000, countLimit: Int? = nil,
        ageLimit: Duration? = nil, onDrop: Observer? = nil
    ) {
        self.init(
            capacity: capacity, purgeTarget: purgeTarget, countLimit: countLimit,
            ageLimit: ageLimit, time: .system, onDrop: onDrop)
    }

    package init(
        capacity: Int, purgeTarget: Int, countLimit: Int? = nil, ageLimit: Duration? = nil,
        time: TimeSource, onDrop: Observer? = nil
    ) {
        self.capacity = min(max(capacity, 0), Int.max / 2)
        self.purgeTarget = min(max(purgeTarget, 0), self.capacity)
        self.countLimit = countLimit.map { max($0, 1) }
        self.ageLimit = ageLimit
        self.time = time
        observer = onDrop
        share = RecencyLinks.Share(
            cost: self.purgeTarget / 4, count: self.countLimit.map { $0 / 4 } ?? .max)
        entries = Lock(RecencyList())
    }

    /// Keeps `value` for `key` as the most recently used entry, in place of an older one.
    ///
    /// A negative `cost` counts as 0. `lifetime` shortens ``ageLimit`` for this entry. An entry that was
    /// used already stays a regular one, whatever `standing` says.
    ///
    /// - Returns: false if `cost` is above the whole capacity. Then the value is not kept, and an
    ///   older one of the same key is gone too, since it is no longer what the key stands for.
    @discardableResult
    public func insert(
        _ value: Value, for key: Key, cost: Int, lifetime: Duration? = nil,
        standing: Standing = .regular
    ) -> Bool {
        var dropped = Dropped()
        let isKept = insert(
            value, for: key, cost: cost, lifetime: lifetime, standing: standing, dropping: &dropped)
        report(dropped)
        return isKept
    }

    /// The value of `key`, which thereby becomes the most recently used; nil if there is none, or if it
    /// is too old, and then it is dropped.
    @inlinable
    public func value(for key: Key) -> Value? {
        value(for: key, countsAsUse: true)
    }

    /// The value of `key`, without making it more wanted than it is.
    @inlinable
    public func peek(_ key: Key) -> Value? {
        value(for: key, countsAsUse: false)
    }

    /// What all entries cost together, those included that are too old and were not asked for since.
    public var memoryUsage: Int { entries.withLock { $0.usage } }

    /// How many entries there are, likewise.
    public var count: Int { entries.withLock { $0.count } }

    /// The keys in the order of their last use, those on probation first; fails the invariants' check
    /// with nil.
    package var checkedKeys: [Key]? { entries.withLock { $0.checkedKeys } }

    @inlinable
    func value(for key: Key, countsAsUse: Bool) -> Value? {
        var isTooOld = false
        let value = entries.withLock { entries -> Value? in
            guard let index = entries.index(of: key) else { return nil }
            let expiry = entries.expiry(at: index)
            if expiry != .max, hasPassed(expiry) {
                isTooOld = true
                return nil
            }
            return countsAsUse ? entries.use(at: index) : entries.value(at: index)
        }
        if isTooOld { removeIfTooOld(key) }
        return value
    }

    @usableFromInline
    func hasPassed(_ expiry: UInt64) -> Bool { expiry <= time.uptime }

    @usableFromInline
    func removeIfTooOld(_ key: Key) {
        let now = time.uptime
        let expired = entries.withLock { entries -> RecencyList<Key, Value>.Removed? in
            guard let index = entries.index(of: key), entries.expiry(at: index) <= now else {
                return nil
            }
            return entries.remove(at: index)
        }
        if let expired { report(Dropped([expired], .expired)) }
    }
}

// MARK: - What leaves

extension MemoryCache {
    /// What a change has pushed out: to be reported, and released, once no lock is held.
    package struct Dropped: Sendable {
        var entries: [(key: Key, value: Value, reason: CacheDropReason)] = []

        package init() {}

        init(_ removed: [RecencyList<Key, Value>.Removed], _ reason: CacheDropReason) {
            add(removed, reason)
        }

        mutating func add(_ removed: [RecencyList<Key, Value>.Removed], _ reason: CacheDropReason) {
            for entry in removed { entries.append((entry.key, entry.value, reason)) }
        }
    }

    /// The same as the public one, for callers who hold a lock of their own: they hand `dropped` to
    /// ``report(_:)`` when they have let go of it.
    package func insert(
        _ value: Value, for key: Key, cost: Int, lifetime: Duration? = nil,
        standing: Standing = .regular, dropping dropped: inout Dropped
    ) -> Bool {
        let cost = max(cost, 0)
        let expiry = expiry(lifetime: lifetime)
        var changes = Dropped()
        let isKept = entries.withLock { entries in
            let old = entries.index(of: key)
            let wasUsed = old.map { !entries.isOnProbation(at: $0) } ?? false
            if let removed = old.flatMap({ entries.remove(at: $0) }) {
                changes.add([removed], .replaced)
            }
            guard cost <= capacity else { return false }
            let index = entries.add(
                value, for: key, cost: cost, expiry: expiry,
                onProbation: standing == .probation && !wasUsed)
            if entries.usage > capacity {
                while entries.usage > purgeTarget,
                    let removed = entries.removeLeastWanted(share: share, sparing: index)
                {
                    changes.add([removed], .capacity)
                }
            }
            while entries.count > countLimit ?? .max,
                let removed = entries.removeLeastWanted(share: share, sparing: index)
            {
                changes.add([removed], .count)
            }
            return true
        }
        if !isKept { changes.entries.append((key, value, .tooLarge)) }
        dropped.entries += changes.entries
        return isKept
    }

    /// Tells the observer, if there is one, and releases what was dropped.
    package func report(_ dropped: consuming Dropped) {
        guard let observer else { return }
        for entry in dropped.entries { observer(entry.key, entry.value, entry.reason) }
    }

    /// Brings the usage down to `usage`, least wanted first.
    func trim(to usage: Int) {
        var dropped = Dropped()
        entries.withLock { entries in
            while entries.usage > usage, let removed = entries.removeLeastWanted(share: share) {
                dropped.add([removed], .memoryPressure)
            }
        }
        report(dropped)
    }

    private func expiry(lifetime: Duration?) -> UInt64 {
        guard let span = lifetime ?? ageLimit else { return .max }
        return time.uptime(after: min(span, ageLimit ?? span))
    }
}
