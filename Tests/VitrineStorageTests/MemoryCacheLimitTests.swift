import DeterminismSupport
import Testing
import VitrineBase
import VitrineStorage

@Suite struct MemoryCacheLimitTests {
    @Test("C1: no more entries than the limit, the least recently used goes")
    func countLimit() {
        let cache = MemoryCache<Int, Int>(capacity: 1000, purgeTarget: 600, countLimit: 3)
        for key in 1...3 { cache.insert(key, for: key, cost: 1) }
        #expect(cache.value(for: 1) == 1)
        cache.insert(4, for: 4, cost: 1)
        #expect(cache.checkedKeys == [3, 1, 4])
        #expect(MemoryCache<Int, Int>(countLimit: 0).countLimit == 1)
    }

    @Test("C1, C5: an entry counts until its age reaches the limit, and is dropped when asked for")
    func ageLimit() {
        let clock = ManualClock()
        let drops = Lock<[Int: CacheDropReason]>([:])
        let cache = MemoryCache<Int, Int>(
            capacity: 1000, purgeTarget: 600, ageLimit: .seconds(10), time: clock.source
        ) { key, _, reason in drops.withLock { $0[key] = reason } }
        cache.insert(1, for: 1, cost: 5)
        cache.insert(2, for: 2, cost: 5, lifetime: .seconds(3))
        cache.insert(3, for: 3, cost: 5, lifetime: .seconds(30))
        clock.advance(by: .milliseconds(2_999))
        #expect(cache.value(for: 2) == 2)
        clock.advance(by: .milliseconds(1))
        #expect(cache.value(for: 2) == nil)
        #expect(drops.withLock { $0 } == [2: .expired])
        clock.advance(by: .seconds(6))
        #expect(cache.value(for: 1) == 1, "use makes nothing older or younger")
        clock.setWallClock(5e9)
        #expect(cache.value(for: 1) == 1, "a clock that is set changes nothing")
        clock.advance(by: .seconds(1))
        #expect(cache.memoryUsage == 10)
        #expect(cache.removeExpired() == 2)
        #expect(cache.memoryUsage == 0 && cache.count == 0)
        #expect(drops.withLock { $0 } == [1: .expired, 2: .expired, 3: .expired])
    }

    @Test(
        "C5: every lifetime can be counted",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(-1)])
    func lifetimes(lifetime: Duration) {
        let cache = MemoryCache<Int, Int>(capacity: 10, purgeTarget: 5)
        cache.insert(1, for: 1, cost: 1, lifetime: lifetime)
        #expect(cache.value(for: 1) == (lifetime > .zero ? 1 : nil))
    }

    @Test("C1: an entry larger than the capacity is refused, and that is told")
    func refused() {
        let drops = Lock<[String]>([])
        let cache = MemoryCache<String, Int>(capacity: 100, purgeTarget: 60) { key, value, reason in
            drops.withLock { $0.append("\(key) \(value) \(reason)") }
        }
        cache.insert(1, for: "a", cost: 1)
        #expect(!cache.insert(2, for: "a", cost: 101))
        #expect(!cache.insert(3, for: "b", cost: .max))
        #expect(drops.withLock { $0 } == ["a 1 replaced", "a 2 tooLarge", "b 3 tooLarge"])
        #expect(cache.count == 0)
    }

    @Test("L6: what was fetched ahead goes before what was used, and is regular once it is used")
    func probation() {
        let cache = MemoryCache<Int, Int>(capacity: 100, purgeTarget: 60)
        for key in 1...6 { cache.insert(key, for: key, cost: 10) }
        for key in 11...14 { cache.insert(key, for: key, cost: 10, standing: .probation) }
        #expect(cache.value(for: 11) == 11)
        cache.insert(7, for: 7, cost: 10)
        // 110: of 12, 13 and 14 two must go, so that at most 15 are on probation; then the oldest.
        #expect(cache.checkedKeys == [14, 4, 5, 6, 11, 7])
        // What was used is not put back by being fetched ahead once more.
        cache.insert(5, for: 5, cost: 10, standing: .probation)
        #expect(cache.checkedKeys == [14, 4, 6, 11, 7, 5])
        #expect(cache.peek(14) == 14)
        #expect(cache.checkedKeys?.first == 14)
    }

    @Test("C2: a warning leaves the purge target or half, what is critical leaves nothing")
    func pressure() {
        let cache = MemoryCache<Int, Int>(capacity: 100, purgeTarget: 60)
        for key in 0..<10 { cache.insert(key, for: key, cost: 10) }
        cache.respond(to: .warning)
        #expect(cache.checkedKeys == [5, 6, 7, 8, 9])
        cache.respond(to: .warning)
        #expect(cache.checkedKeys == [8, 9])
        cache.respond(to: .critical)
        #expect(cache.count == 0 && cache.memoryUsage == 0)
    }

    @Test("C1: observers may use the cache")
    func observerUsesTheCache() {
        final class Holder: Sendable { let cache = Lock<MemoryCache<Int, Int>?>(nil) }
        let holder = Holder()
        let counts = Lock<[Int]>([])
        let cache = MemoryCache<Int, Int>(capacity: 10, purgeTarget: 5) { _, _, _ in
            let count = holder.cache.withLock { $0 }?.count  // would wait for ever under the lock
            counts.withLock { $0.append(count ?? -1) }
        }
        holder.cache.withLock { $0 = cache }
        for key in 0..<11 { cache.insert(key, for: key, cost: 1) }
        #expect(counts.withLock { $0 } == [5, 5, 5, 5, 5, 5])
        holder.cache.withLock { $0 = nil }
    }
}
