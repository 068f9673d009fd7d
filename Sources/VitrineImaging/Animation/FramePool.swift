/// The frames of an animation that are kept, and those that are waited for: a pure state machine.
///
/// Of frames that do not all fit, the least recently used go first; the first frame is kept elsewhere.
struct FramePool {
    typealias WaiterID = UInt64

    private struct Entry {
        let frame: PixelBuffer
        var lastUse: UInt64
    }

    /// Most bytes of frames that are kept; the newest is kept in any case.
    let capacity: Int
    private(set) var usage = 0
    private var entries: [Int: Entry] = [:]
    private var uses: UInt64 = 0
    private var waiting: [(id: WaiterID, index: Int)] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The frame at `index` if it is kept.
    mutating func frame(at index: Int) -> PixelBuffer? {
        uses += 1
        entries[index]?.lastUse = uses
        return entries[index]?.frame
    }

    mutating func wait(_ id: WaiterID, for index: Int) {
        waiting.append((id, index))
    }

    /// True if it had waited.
    mutating func leave(_ id: WaiterID) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// The frame for which somebody has waited longest.
    var nextWanted: Int? { waiting.first?.index }

    func isWanted(_ index: Int) -> Bool { waiting.contains { $0.index == index } }

    /// Keeps a frame as far as there is room. Returns who has waited for it.
    mutating func insert(_ frame: PixelBuffer, at index: Int) -> [WaiterID] {
        remove(index)
        uses += 1
        entries[index] = Entry(frame: frame, lastUse: uses)
        usage += frame.byteCount
        while usage > capacity, entries.count > 1,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            remove(oldest.key)
        }
        return takeWaiters { $0 == index }
    }

    /// Those who wait for a frame that `isLost` will not come any more.
    mutating func takeWaiters(_ isLost: (Int) -> Bool) -> [WaiterID] {
        let taken = waiting.filter { isLost($0.index) }.map(\.id)
        waiting.removeAll { isLost($0.index) }
        return taken
    }

    private mutating func remove(_ index: Int) {
        if let entry = entries.removeValue(forKey: index) { usage -= entry.frame.byteCount }
    }
}
