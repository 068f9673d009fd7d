import DeterminismSupport
import Testing
import VitrineBase
import VitrineStorage

@Suite struct MemoryCacheTests {
    @Test("C1: a purge starts above the capacity and stops at the target, to the byte")
    func purgeIsExact() {
        let cache = MemoryCache<Int, Int>(capacity: 104_857_600, purgeTarget: 62_914_560)
        for key in 1...639 { cache.insert(key, for: key, cost: 164_000) }
        #expect(cache.memoryUsage == 104_796_000)
        #expect(cache.count == 639)
        cache.insert(640, for: 640, cost: 164_000)
        #expect(cache.memoryUsage == 62_812_000)
        #expect((1...257).allSatisfy { cache.value(for: $0) == nil })
        #expect((258...640).allSatisfy { cache.value(for: $0) == $0 })
    }

    @Test("C1: an entry that was used is kept, the next oldest goes instead")
    func useSaves() {
        let cache = MemoryCache<Int, Int>(capacity: 104_857_600, purgeTarget: 62_914_560)
        for key in 1...639 { cache.insert(key, for: key, cost: 164_000) }
        #expect(cache.value(for: 1) == 1)
        cache.insert(640, for: 640, cost: 164_000)
        #expect(cache.value(for: 1) == 1)
        #expect((2...258).allSatisfy { cache.value(for: $0) == nil })
        #expect((259...640).allSatisfy { cache.value(for: $0) == $0 })
    }

    @Test("C1: usage equal to the capacity purges nothing")
    func fullIsNotOver() {
        let cache = MemoryCache<String, Int>(capacity: 100, purgeTarget: 60)
        for key in ["a", "b", "c", "d"] { cache.insert(0, for: key, cost: 25) }
        #expect(cache.memoryUsage == 100)
        #expect(cache.count == 4)
    }

    @Test("C1: an entry of the whole capacity is kept, a larger one refused")
    func entriesUpToTheCapacity() {
        let cache = MemoryCache<String, Int>(capacity: 100, purgeTarget: 60)
        cache.insert(1, for: "a", cost: 30)
        #expect(cache.insert(2, for: "b", cost: 100))
        #expect(cache.value(for: "a") == nil)
        #expect(cache.value(for: "b") == 2)
        #expect(!cache.insert(3, for: "b", cost: 101))
        #expect(cache.value(for: "b") == nil)
        #expect(cache.memoryUsage == 0)
    }

    @Test("C1: replacing an entry accounts for it anew")
    func replacing() {
        let cache = MemoryCache<String, Int>(capacity: 100, purgeTarget: 60)
        cache.insert(1, for: "a", cost: 40)
        cache.insert(2, for: "a", cost: 10)
        #expect(cache.memoryUsage == 10)
        #expect(cache.count == 1)
        #expect(cache.remove("a") == 2)
        #expect(cache.remove("a") == nil)
        #expect(cache.memoryUsage == 0)
    }

    @Test(
        "C1: every pair of numbers makes a cache",
        arguments: [
            (100, 200, 100, 100), (-1, 5, 0, 0), (100, -5, 100, 0),
            (Int.max, Int.max, Int.max / 2, Int.max / 2),
        ])
    func clamped(capacity: Int, target: Int, expected: Int, expectedTarget: Int) {
        let cache = MemoryCache<Int, Int>(capacity: capacity, purgeTarget: target)
        #expect(cache.capacity == expected)
        #expect(cache.purgeTarget == expectedTarget)
        cache.insert(1, for: 1, cost: .min)
        cache.insert(2, for: 2, cost: expected)
        #expect(cache.value(for: 2) == 2)
        #expect(cache.memoryUsage == expected)
    }

    @Test("C1: removal by a condition on the key")
    func removalByKey() {
        let cache = MemoryCache<Int, Int>(capacity: 1000, purgeTarget: 500)
        for key in 0..<10 { cache.insert(key, for: key, cost: 1) }
        #expect(cache.removeAll { $0.isMultiple(of: 3) } == 4)
        #expect(cache.checkedKeys == [1, 2, 4, 5, 7, 8])
        #expect(cache.removeAll { _ in false } == 0)
    }

    @Test("C1: an entry that is replaced while keys are looked at stays")
    func replacedMeanwhile() {
        let cache = MemoryCache<Int, Int>(capacity: 1000, purgeTarget: 500)
        cache.insert(1, for: 1, cost: 1)
        let removed = cache.removeAll { _ in
            cache.insert(2, for: 1, cost: 1)
            return true
        }
        #expect(removed == 0)
        #expect(cache.value(for: 1) == 2)
    }

    @Test("C1: dropped values are released when the lock is free")
    func releasedOutsideTheLock() {
        final class Reader: Sendable {
            let cache: MemoryCache<Int, Reader>
            let seen: Lock<[Int]>
            init(_ cache: MemoryCache<Int, Reader>, _ seen: Lock<[Int]>) {
                self.cache = cache
                self.seen = seen
            }
            deinit {
                let count = cache.count  // would wait for ever if the lock were held
                seen.withLock { $0.append(count) }
            }
        }
        let seen = Lock<[Int]>([])
        let cache = MemoryCache<Int, Reader>(capacity: 10, purgeTarget: 5)
        for key in 0..<11 { cache.insert(Reader(cache, seen), for: key, cost: 1) }  // purges 6
        cache.insert(Reader(cache, seen), for: 10, cost: 1)  // replaces
        cache.insert(Reader(cache, seen), for: 10, cost: 11)  // refuses
        cache.remove(9)
        cache.removeAll { $0 == 8 }
        cache.removeAll()
        #expect(seen.withLock { $0.count } == 13)
    }

    @Test("C1: many threads at once stay within the capacity")
    func manyThreads() async {
        let cache = MemoryCache<Int, Int>(capacity: 1000, purgeTarget: 600)
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(worker))
                    var fine = true
                    for _ in 0..<2000 {
                        let key = Int.random(in: 0..<100, using: &random)
                        cache.insert(key, for: key, cost: key)
                        let found = cache.value(for: Int.random(in: 0..<100, using: &random))
                        fine = fine && cache.memoryUsage <= 1000 && (found ?? 0) < 100
                    }
                    return fine
                }
            }
            for await fine in group { #expect(fine) }
        }
        #expect(cache.checkedKeys != nil)
    }
}
