/// Memory that was given back and is kept for those who want as much again: the newest first, since
/// processors still have it in their caches. A pure value, which touches none of the memory.
struct KeptPages {
    /// Some memory and its size.
    struct Pages: Equatable {
        let start: UnsafeMutableRawPointer
        let count: Int
    }

    /// Most bytes that are kept.
    let limit: Int
    private(set) var bytes = 0
    /// The oldest first.
    private var all: [Pages] = []

    init(limit: Int) { self.limit = limit }

    /// Memory of just this size, if some is kept.
    mutating func take(_ count: Int) -> UnsafeMutableRawPointer? {
        guard let index = all.lastIndex(where: { $0.count == count }) else { return nil }
        bytes -= count
        return all.remove(at: index).start
    }

    /// Keeps this, if there can be room for it. Returns what is not kept any more.
    mutating func put(_ start: UnsafeMutableRawPointer, count: Int) -> [Pages] {
        let pages = Pages(start: start, count: count)
        guard count <= limit else { return [pages] }
        var gone = 0
        while bytes > limit - count {
            bytes -= all[gone].count
            gone += 1
        }
        defer { all.removeFirst(gone) }
        bytes += count
        all.append(pages)
        return Array(all[..<gone])
    }

    /// Returns all of it.
    mutating func removeAll() -> [Pages] {
        defer { (all, bytes) = ([], 0) }
        return all
    }
}
