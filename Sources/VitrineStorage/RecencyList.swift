/// A dictionary whose entries are also linked from the most to the least recently used
/// (``RecencyLinks``).
@usableFromInline
struct RecencyList<Key: Hashable, Value> {
    /// An entry that has left the list.
    struct Removed {
        let key: Key
        let value: Value
    }

    @usableFromInline var table: [Key: Int] = [:]
    @usableFromInline var links = RecencyLinks()
    // Two arrays by place: of the two, a hit looks into one.
    private var ownKeys: [Key?] = []
    @usableFromInline var values: [Value?] = []

    var usage: Int { links.usage }

    var count: Int { table.count }

    /// Every key, with the number by which an entry is told from a later one of the same key.
    var keys: [(key: Key, serial: UInt64)] {
        links.indices.compactMap { index in
            ownKeys[index].map { ($0, links.serial(at: index)) }
        }
    }

    /// Where the entry of `key` is; good until the next change.
    @inlinable
    func index(of key: Key) -> Int? { table[key] }

    /// The moment from which the entry no longer counts; `UInt64.max` for never.
    @inlinable
    func expiry(at index: Int) -> UInt64 { links.expiry(at: index) }

    @inlinable
    func value(at index: Int) -> Value? { values[index] }

    /// Adds an entry as the newest of its chain. The key must not be there.
    mutating func add(
        _ value: Value, for key: Key, cost: Int, expiry: UInt64, onProbation: Bool
    ) -> Int {
        let index = links.add(cost: cost, expiry: expiry, onProbation: onProbation)
        if index < values.count {
            ownKeys[index] = key
            values[index] = value
        } else {
            ownKeys.append(key)
            values.append(value)
        }
        table[key] = index
        return index
    }

    /// The value at `index`, made the newest of the regular chain.
    @inlinable
    mutating func use(at index: Int) -> Value? {
        links.use(index)
        return values[index]
    }

    func isOnProbation(at index: Int) -> Bool { links.isOnProbation(at: index) }

    /// Removes the entry of `key`, if its number is `serial` or none is asked for.
    mutating func remove(_ key: Key, ifSerial serial: UInt64? = nil) -> Removed? {
        guard let index = table[key] else { return nil }
        if let serial, links.serial(at: index) != serial { return nil }
        return remove(at: index)
    }

    /// Removes the entry that is wanted least, but not the one at `spared`; nil if there is no other.
    mutating func removeLeastWanted(
        share: RecencyLinks.Share, sparing spared: Int? = nil
    ) -> Removed? {
        links.leastWanted(share: share, sparing: spared).flatMap { remove(at: $0) }
    }

    /// Removes the entries that no longer count at `now`.
    mutating func removeExpired(at now: UInt64) -> [Removed] {
        links.indices.filter { links.expiry(at: $0) <= now }.compactMap { remove(at: $0) }
    }

    /// Removes everything.
    mutating func removeAll() -> [Removed] {
        let all = links.indices.compactMap { index -> Removed? in
            guard let key = ownKeys[index], let value = values[index] else { return nil }
            return Removed(key: key, value: value)
        }
        table = [:]
        ownKeys = []
        values = []
        links.removeAll()
        return all
    }

    mutating func remove(at index: Int) -> Removed? {
        guard let key = ownKeys[index], let value = values[index] else { return nil }
        links.remove(index)
        ownKeys[index] = nil
        values[index] = nil
        table[key] = nil
        return Removed(key: key, value: value)
    }

    /// The keys in the order in which they were last used, those on probation first; nil if the parts
    /// contradict each other.
    var checkedKeys: [Key]? {
        guard let indices = links.checkedIndices, indices.count == table.count,
            values.count == ownKeys.count
        else { return nil }
        let keys = indices.compactMap { index in
            ownKeys[index].flatMap { table[$0] == index && values[index] != nil ? $0 : nil }
        }
        return keys.count == indices.count ? keys : nil
    }
}
