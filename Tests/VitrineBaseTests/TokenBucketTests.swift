import DeterminismSupport
import Testing
import VitrineBase

@Suite struct TokenBucketTests {
    @Test("L13: a burst goes at once, then one for each interval")
    func pace() {
        var bucket = TokenBucket(perSecond: 10, burst: 3)
        func take(_ milliseconds: UInt64) -> Bool { bucket.take(at: milliseconds * 1_000_000) }
        var taken = (0..<5).map { _ in take(1000) }
        #expect(taken == [true, true, true, false, false])
        let next = bucket.nextToken(after: 1_000_000_000)
        #expect(next == 1_100_000_000)
        taken = [take(1099), take(1100), take(1150), take(1199), take(1200)]
        #expect(taken == [false, true, false, false, true])
        taken = (0..<5).map { _ in take(60_000) }
        #expect(
            taken == [true, true, true, false, false], "it fills up to the burst, and no further")
    }

    @Test("L13: a clock that does not move, or moves back, gives no tokens")
    func brokenClock() {
        var bucket = TokenBucket(perSecond: 1, burst: 1)
        let taken = [10, 10, 3, 10, .max].map { bucket.take(at: $0) }
        #expect(taken == [true, false, false, false, true])
    }

    @Test(
        "L13: no rate traps, and none stands still for ever",
        arguments: [0, -5, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude])
    func strangeRates(perSecond: Double) {
        var endless = TokenBucket(perSecond: perSecond, burst: .max)
        let taken = (0..<100).filter { _ in endless.take(at: .max) }.count
        #expect(taken == 100)
        for burst in [Int.min, 0, 1] {
            var bucket = TokenBucket(perSecond: perSecond, burst: burst)
            let first = bucket.take(at: 0)
            #expect(first)
            let next = bucket.nextToken(after: 0)
            #expect(next <= 1_000_000_000_000)
            let second = bucket.take(at: next)
            #expect(second)
        }
    }

    @Test("L13: over any time no more go than the burst and what has come meanwhile")
    func bound() {
        var random = SeededRandom(seed: 3)
        var bucket = TokenBucket(perSecond: 50, burst: 4)
        var now: UInt64 = 0
        var taken = 0
        for _ in 0..<20_000 {
            now += UInt64.random(in: 0...8_000_000, using: &random)
            if bucket.take(at: now) { taken += 1 }
            #expect(taken <= 4 + Int(now / 20_000_000))
        }
        #expect(taken > Int(now / 20_000_000) - 4)
    }
}
