/// A dictionary whose entries are also linked from the most to the least recently used.
///
/// There are two chains: the regular one, and one of entries on probation, which nobody has used yet.
/// Using an entry brings it to the regular chain's newest end. The links are indices into one array,
/// so that using an entry moves a few integers and neither allocates nor counts references.
struct RecencyList<Key: Hashable, Value> {
    /// An entry that has left the list.
    struct Removed {
        let key: Key
        let value: Value
    }

    /// What entries on probation may keep when something has to go.
    struct Share {
        let cost: Int
        let count: Int
    }

    fileprivate struct Slot {
        var key: Key
        var value: Value
        var cost: Int
        var serial: UInt64
        var expiry: UInt64
        var isOnProbation: Bool
        var newer: Int
        var older: Int
    }

    fileprivate struct Chain {
        var newest = RecencyList.none
        var oldest = RecencyList.none
        var cost = 0
        var count = 0
    }

    fileprivate static var none: Int { -1 }

    private var table: [Key: Int] = [:]
    private var slots: [Slot?] = []
    private var unused: [Int] = []
    private var regular = Chain()
    private var probation = Chain()
    private var nextSerial: UInt64 = 0

    var usage: Int { regular.cost + probation.cost }

    var count: Int { table.count }

    /// Every key, with the number by which an entry is told from a later one of the same key.
    var keys: [(key: Key, serial: UInt64)] {
        slots.compactMap { slot in slot.map { ($0.key, $0.serial) } }
    }

    /// Where the entry of `key` is; good until the next change.
    func index(of key: Key) -> Int? { table[key] }

    /// The moment from which the entry no longer counts; `UInt64.max` for never.
    func expiry(at index: Int) -> UInt64 { slots[index]?.expiry ?? .max }

    func value(at index: Int) -> Value? { slots[index]?.value }

    /// Adds an entry as the newest of its chain. The key must not be there.
    mutating func add(
        _ value: Value, for key: Key, cost: Int, expiry: UInt64, onProbation: Bool
    ) -> Int {
        let slot = Slot(
            key: key, value: value, cost: cost, serial: nextSerial, expiry: expiry,
            isOnProbation: onProbation, newer: Self.none, older: Self.none)
        nextSerial &+= 1
        let index: Int
        if let free = unused.popLast() {
            index = free
            slots[index] = slot
        } else {
            index = slots.count
            slots.append(slot)
        }
        table[key] = index
        link(index)
        return index
    }

    /// The value at `index`, made the newest of the regular chain.
    mutating func use(at index: Int) -> Value? {
        if index != regular.newest {
            unlink(index)
            slots[index]?.isOnProbation = false
            link(index)
        }
        return slots[index]?.value
    }

    func isOnProbation(at index: Int) -> Bool { slots[index]?.isOnProbation ?? false }

    /// Removes the entry of `key`, if its number is `serial` or none is asked for.
    mutating func remove(_ key: Key, ifSerial serial: UInt64? = nil) -> Removed? {
        guard let index = table[key] else { return nil }
        if let serial, slots[index]?.serial != serial { return nil }
        return remove(at: index)
    }

    /// Removes the entry that is wanted least, but not the one at `spared`; nil if there is no other.
    ///
    /// Those on probation go first while they have more than their share, then the regular ones, and the
    /// rest of those on probation last: what was just fetched ahead is about to be used.
    mutating func removeLeastWanted(share: Share, sparing spared: Int? = nil) -> Removed? {
        let isOver = probation.cost > share.cost || probation.count > share.count
        let first = isOver ? probation.oldest : regular.oldest
        if first != Self.none, first != spared { return remove(at: first) }
        let second = isOver ? regular.oldest : probation.oldest
        return second != Self.none && second != spared ? remove(at: second) : nil
    }

    /// Removes the entries that no longer count at `now`.
    mutating func removeExpired(at now: UInt64) -> [Removed] {
        slots.indices.filter { expiry(at: $0) <= now }.compactMap { remove(at: $0) }
    }

    /// Removes everything.
    mutating func removeAll() -> [Removed] {
        let all = slots.compactMap { slot in slot.map { Removed(key: $0.key, value: $0.value) } }
        let serial = nextSerial
        self = RecencyList()
        nextSerial = serial
        return all
    }

    mutating func remove(at index: Int) -> Removed? {
        unlink(index)
        guard let slot = slots[index] else { return nil }
        slots[index] = nil
        unused.append(index)
        table[slot.key] = nil
        return Removed(key: slot.key, value: slot.value)
    }

    // MARK: - Links

    private mutating func link(_ index: Int) {
        if isOnProbation(at: index) {
            probation.link(index, in: &slots)
        } else {
            regular.link(index, in: &slots)
        }
    }

    private mutating func unlink(_ index: Int) {
        if isOnProbation(at: index) {
            probation.unlink(index, in: &slots)
        } else {
            regular.unlink(index, in: &slots)
        }
    }

    /// The keys in the order in which they were last used, those on probation first; nil if the parts
    /// contradict each other.
    var checkedKeys: [Key]? {
        guard let waiting = checkedKeys(of: probation, onProbation: true),
            let used = checkedKeys(of: regular, onProbation: false),
            waiting.count + used.count == table.count,
            slots.count == table.count + unused.count
        else { return nil }
        return waiting + used
    }

    private func checkedKeys(of chain: Chain, onProbation: Bool) -> [Key]? {
        var keys: [Key] = []
        var cost = 0
        var previous = Self.none
        var index = chain.oldest
        while index != Self.none {
            guard keys.count < chain.count, let slot = slots[index], slot.older == previous,
                slot.isOnProbation == onProbation, table[slot.key] == index
            else { return nil }
            keys.append(slot.key)
            cost += slot.cost
            previous = index
            index = slot.newer
        }
        let isWhole = keys.count == chain.count && cost == chain.cost
        return isWhole && previous == chain.newest ? keys : nil
    }
}

extension RecencyList.Chain {
    /// Adds an entry at the newest end.
    fileprivate mutating func link(_ index: Int, in slots: inout [RecencyList.Slot?]) {
        slots[index]?.newer = RecencyList.none
        slots[index]?.older = newest
        if newest != RecencyList.none { slots[newest]?.newer = index }
        newest = index
        if oldest == RecencyList.none { oldest = index }
        cost += slots[index]?.cost ?? 0
        count += 1
    }

    fileprivate mutating func unlink(_ index: Int, in slots: inout [RecencyList.Slot?]) {
        let newer = slots[index]?.newer ?? RecencyList.none
        let older = slots[index]?.older ?? RecencyList.none
        if newer != RecencyList.none { slots[newer]?.older = older } else { newest = older }
        if older != RecencyList.none { slots[older]?.newer = newer } else { oldest = newer }
        cost -= slots[index]?.cost ?? 0
        count -= 1
    }
}
