/// A dictionary whose entries are also linked from the most to the least recently used.
///
/// The links are indices into one array, so that using an entry moves four integers and neither
/// allocates nor counts references.
struct RecencyList<Key: Hashable, Value> {
    private struct Slot {
        var key: Key
        var value: Value
        var cost: Int
        var serial: UInt64
        var newer: Int
        var older: Int
    }

    private static var none: Int { -1 }

    private var table: [Key: Int] = [:]
    private var slots: [Slot?] = []
    private var unused: [Int] = []
    private var newest = RecencyList.none
    private var oldest = RecencyList.none
    private var nextSerial: UInt64 = 0

    private(set) var usage = 0

    var count: Int { table.count }

    /// Every key, with the number by which an entry is told from a later one of the same key.
    var keys: [(key: Key, serial: UInt64)] {
        slots.compactMap { slot in slot.map { ($0.key, $0.serial) } }
    }

    /// Adds an entry as the newest and returns the value that it replaces.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> Value? {
        let replaced = remove(key)
        let slot = Slot(
            key: key, value: value, cost: cost, serial: nextSerial, newer: Self.none,
            older: Self.none)
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
        usage += cost
        linkAsNewest(index)
        return replaced
    }

    /// The value of `key`, made the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let index = table[key] else { return nil }
        if index != newest {
            unlink(index)
            linkAsNewest(index)
        }
        return slots[index]?.value
    }

    /// Removes the entry of `key`, if its number is `serial` or none is asked for.
    mutating func remove(_ key: Key, ifSerial serial: UInt64? = nil) -> Value? {
        guard let index = table[key] else { return nil }
        if let serial, slots[index]?.serial != serial { return nil }
        return remove(at: index)
    }

    /// Removes the least recently used entry; nil if only one is left.
    mutating func removeLeastRecent() -> Value? {
        guard oldest != newest else { return nil }
        return remove(at: oldest)
    }

    private mutating func remove(at index: Int) -> Value? {
        unlink(index)
        guard let slot = slots[index] else { return nil }
        slots[index] = nil
        unused.append(index)
        table[slot.key] = nil
        usage -= slot.cost
        return slot.value
    }

    private mutating func linkAsNewest(_ index: Int) {
        slots[index]?.newer = Self.none
        slots[index]?.older = newest
        if newest != Self.none { slots[newest]?.newer = index }
        newest = index
        if oldest == Self.none { oldest = index }
    }

    private mutating func unlink(_ index: Int) {
        let newer = slots[index]?.newer ?? Self.none
        let older = slots[index]?.older ?? Self.none
        if newer != Self.none { slots[newer]?.older = older } else { newest = older }
        if older != Self.none { slots[older]?.newer = newer } else { oldest = newer }
    }

    /// The keys from the least to the most recently used, nil if the parts contradict each other.
    var checkedKeys: [Key]? {
        var keys: [Key] = []
        var cost = 0
        var previous = Self.none
        var index = oldest
        while index != Self.none {
            guard keys.count < table.count, let slot = slots[index], slot.older == previous,
                table[slot.key] == index
            else { return nil }
            keys.append(slot.key)
            cost += slot.cost
            previous = index
            index = slot.newer
        }
        let complete = keys.count == table.count && cost == usage && previous == newest
        return complete && slots.count == table.count + unused.count ? keys : nil
    }
}
