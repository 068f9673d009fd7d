/// The links between a cache's entries, from the most to the least recently used, without the entries.
///
/// There are two chains: the regular one, and one of entries on probation, which nobody has used yet.
/// Using an entry brings it to the regular chain's newest end. The links are indices into one array,
/// so that using an entry moves a few integers and neither allocates nor counts references.
///
/// Not generic, unlike what it serves, so that this part of a hit is compiled once and for all.
@usableFromInline
struct RecencyLinks {
    /// What entries on probation may keep when something has to go.
    struct Share {
        let cost: Int
        let count: Int
    }

    private struct Slot {
        var cost: Int
        var serial: UInt64
        var expiry: UInt64
        var isOnProbation: Bool
        var isUsed = true
        var newer = RecencyLinks.none
        var older = RecencyLinks.none
    }

    private struct Chain {
        var newest = RecencyLinks.none
        var oldest = RecencyLinks.none
        var cost = 0
        var count = 0
    }

    private static let none = -1

    private var slots: [Slot] = []
    private var unused: [Int] = []
    private var regular = Chain()
    private var probation = Chain()
    private var nextSerial: UInt64 = 0

    var usage: Int { regular.cost + probation.cost }

    /// The places of all entries.
    var indices: [Int] { slots.indices.filter { slots[$0].isUsed } }

    /// The number by which an entry is told from a later one at its place or of its key.
    func serial(at index: Int) -> UInt64 { slots[index].serial }

    /// The moment from which the entry no longer counts; `UInt64.max` for never.
    @usableFromInline
    func expiry(at index: Int) -> UInt64 { slots[index].expiry }

    func isOnProbation(at index: Int) -> Bool { slots[index].isOnProbation }

    /// Adds an entry as the newest of its chain, and says which place it has.
    mutating func add(cost: Int, expiry: UInt64, onProbation: Bool) -> Int {
        let slot = Slot(
            cost: cost, serial: nextSerial, expiry: expiry, isOnProbation: onProbation)
        nextSerial &+= 1
        let index: Int
        if let free = unused.popLast() {
            index = free
            slots[index] = slot
        } else {
            index = slots.count
            slots.append(slot)
        }
        link(index)
        return index
    }

    /// Makes an entry the newest of the regular chain.
    @usableFromInline
    mutating func use(_ index: Int) {
        guard index != regular.newest else { return }
        unlink(index)
        slots[index].isOnProbation = false
        link(index)
    }

    mutating func remove(_ index: Int) {
        unlink(index)
        slots[index].isUsed = false
        unused.append(index)
    }

    /// Removes all; numbers are not given twice.
    mutating func removeAll() {
        let serial = nextSerial
        self = RecencyLinks()
        nextSerial = serial
    }

    /// The entry that is wanted least, but not the one at `spared`; nil if there is no other.
    ///
    /// Those on probation go first while they have more than their share, then the regular ones, and the
    /// rest of those on probation last: what was just fetched ahead is about to be used.
    func leastWanted(share: Share, sparing spared: Int? = nil) -> Int? {
        let isOver = probation.cost > share.cost || probation.count > share.count
        let first = isOver ? probation.oldest : regular.oldest
        if first != Self.none, first != spared { return first }
        let second = isOver ? regular.oldest : probation.oldest
        return second != Self.none && second != spared ? second : nil
    }

    // MARK: - Chains

    private mutating func link(_ index: Int) {
        if slots[index].isOnProbation {
            Self.link(index, to: &probation, &slots)
        } else {
            Self.link(index, to: &regular, &slots)
        }
    }

    private mutating func unlink(_ index: Int) {
        if slots[index].isOnProbation {
            Self.unlink(index, from: &probation, &slots)
        } else {
            Self.unlink(index, from: &regular, &slots)
        }
    }

    /// Adds an entry at the newest end.
    private static func link(_ index: Int, to chain: inout Chain, _ slots: inout [Slot]) {
        slots[index].newer = none
        slots[index].older = chain.newest
        if chain.newest != none { slots[chain.newest].newer = index }
        chain.newest = index
        if chain.oldest == none { chain.oldest = index }
        chain.cost += slots[index].cost
        chain.count += 1
    }

    private static func unlink(_ index: Int, from chain: inout Chain, _ slots: inout [Slot]) {
        let (newer, older) = (slots[index].newer, slots[index].older)
        if newer != none { slots[newer].older = older } else { chain.newest = older }
        if older != none { slots[older].newer = newer } else { chain.oldest = newer }
        chain.cost -= slots[index].cost
        chain.count -= 1
    }

    // MARK: - Checking

    /// The places in the order in which they were last used, those on probation first; nil if the parts
    /// contradict each other.
    var checkedIndices: [Int]? {
        guard let waiting = checkedIndices(of: probation, onProbation: true),
            let used = checkedIndices(of: regular, onProbation: false),
            slots.count == waiting.count + used.count + unused.count
        else { return nil }
        return waiting + used
    }

    private func checkedIndices(of chain: Chain, onProbation: Bool) -> [Int]? {
        var indices: [Int] = []
        var cost = 0
        var previous = Self.none
        var index = chain.oldest
        while index != Self.none {
            let slot = slots[index]
            guard indices.count < chain.count, slot.older == previous, slot.isUsed,
                slot.isOnProbation == onProbation
            else { return nil }
            indices.append(index)
            cost += slot.cost
            previous = index
            index = slot.newer
        }
        let isWhole = indices.count == chain.count && cost == chain.cost
        return isWhole && previous == chain.newest ? indices : nil
    }
}
