import AllocationCounter
import Glibc
import VitrineStorage

/// The memory cache beside the least that a cache can be: a dictionary under a mutex.
struct MemorySpeed {
    private final class Picture: Sendable {}

    /// What a URL of a picture is like.
    private static func key(_ number: Int) -> String {
        "https://images.example.org/albums/2026/autumn/\(number).jpg?width=640"
    }

    func run() throws {
        hits()
        inserts()
    }

    private func hits() {
        let keys = (0..<1000).map(Self.key)
        let cache = MemoryCache<String, Picture>()
        let peer = LockedDictionary<String, Picture>()
        for key in keys {
            let picture = Picture()
            cache.insert(picture, for: key, cost: 100)
            peer.insert(picture, for: key)
        }
        // In another order than that of use, so that each hit moves its entry to the front.
        let order = (0..<100_000).map { keys[$0 &* 7919 % keys.count] }
        var found = 0
        Turns.compare(
            "memory hit",
            ours: {
                Turns.cost(of: order.count) { if cache.value(for: order[$0]) != nil { found += 1 } }
            },
            theirs: {
                Turns.cost(of: order.count) { if peer.value(for: order[$0]) != nil { found += 1 } }
            })
        guard found == 32 * order.count else { exit(1) }
        let before = allocation_count()
        for key in order where cache.value(for: key) == nil { exit(1) }
        let count = Double(allocation_count() - before)
        Turns.report("allocations of \(order.count) memory hits", .init(wall: count, cpu: 0), .none)
    }

    /// Inserting into a full cache of so many entries, each of which drives out another one.
    private func inserts() {
        func full(_ count: Int) -> () -> Turns.Cost {
            let cache = MemoryCache<String, Picture>(capacity: count, purgeTarget: count - 1)
            for number in 0..<count { cache.insert(Picture(), for: Self.key(number), cost: 1) }
            var next = count
            return {
                let picture = Picture()
                let keys = (next..<next + 20_000).map(Self.key)
                next += keys.count
                return Turns.cost(of: keys.count) { cache.insert(picture, for: keys[$0], cost: 1) }
            }
        }
        Turns.compare("memory insert", ours: full(100_000), theirs: full(1000))
    }
}

/// A dictionary under a mutex.
private final class LockedDictionary<Key: Hashable, Value> {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var values: [Key: Value] = [:]

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func value(for key: Key) -> Value? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return values[key]
    }

    func insert(_ value: Value, for key: Key) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        values[key] = value
    }
}
