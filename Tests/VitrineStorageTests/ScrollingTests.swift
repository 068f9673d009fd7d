import DeterminismSupport
import Testing
import VitrineStorage

/// How many looks at pictures that are on screen find them in memory.
@Suite struct ScrollingTests {
    /// 164 KB a picture, so that 609 fit and 365 stay after a purge.
    private static let cost = 164_000

    private struct Trace {
        let cache = MemoryCache<Int, Int>()
        let ahead: MemoryCache<Int, Int>.Standing
        var looks = 0
        var hits = 0
        var fetches = 0

        mutating func prefetch(_ picture: Int) {
            if cache.peek(picture) != nil { return }
            fetches += 1
            cache.insert(picture, for: picture, cost: ScrollingTests.cost, standing: ahead)
        }

        mutating func show(_ picture: Int) {
            looks += 1
            if cache.value(for: picture) != nil {
                hits += 1
                return
            }
            fetches += 1
            cache.insert(picture, for: picture, cost: ScrollingTests.cost)
        }

        var rate: Double { Double(hits) / Double(looks) }
    }

    /// Somebody scrolls through 3,000 pictures, six a row, mostly a little back and forth, now and then
    /// far; 30 are on screen and 40 are fetched ahead. A look is a picture that comes on screen.
    private func scrolling(_ ahead: MemoryCache<Int, Int>.Standing) -> Trace {
        var trace = Trace(ahead: ahead)
        var random = SeededRandom(seed: 4)
        var top = 0
        var onScreen: Set<Int> = []
        for round in 0..<400 {
            let reach = round.isMultiple(of: 8) ? 1_200 : 90
            let goal = min(max(top + Int.random(in: -reach...reach, using: &random), 0), 2_970)
            let direction = goal < top ? -1 : 1
            while (goal - top) * direction > 0 {
                top += 6 * direction
                let rows = Set(top..<(top + 30))
                for picture in rows.subtracting(onScreen).sorted() { trace.show(picture) }
                onScreen = rows
                for step in 1...40 {
                    let picture = direction > 0 ? top + 29 + step : top - step
                    if (0..<3_000).contains(picture) { trace.prefetch(picture) }
                }
            }
        }
        return trace
    }

    /// 200 pictures of a screenful that is looked at now and then, while 10,000 others are fetched ahead.
    private func scan(_ ahead: MemoryCache<Int, Int>.Standing) -> Trace {
        var trace = Trace(ahead: ahead)
        for picture in 0..<200 { trace.show(picture) }
        (trace.looks, trace.hits) = (0, 0)
        for picture in 1_000..<11_000 {
            trace.prefetch(picture)
            if picture.isMultiple(of: 1_000) { for shown in 0..<200 { trace.show(shown) } }
        }
        return trace
    }

    @Test("L6: a scan of 10,000 pictures fetched ahead pushes nothing out that is on screen")
    func scanLeavesTheScreen() {
        let (plain, ours) = (scan(.regular), scan(.probation))
        #expect(ours.hits == ours.looks && ours.looks == 2_000)
        #expect(plain.hits == 200, "only the first time, before anything went")
        #expect(ours.fetches == 10_200 && plain.fetches == 12_000)
    }

    @Test("L6: scrolling finds no less than without probation")
    func scrollingIsNoWorse() {
        let (plain, ours) = (scrolling(.regular), scrolling(.probation))
        #expect(ours.rate > plain.rate && plain.rate > 0.998)
        #expect(Double(ours.fetches) < 1.06 * Double(plain.fetches), "the price, in fetches ahead")
    }
}
