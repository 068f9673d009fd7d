import AllocationCounter
import VitrineStorage

/// Prints how often memory is allocated during 1,000 hits of a memory cache, and during as many
/// insertions, which shows that the counter counts; or that it cannot count here.
@main
enum AllocationCount {
    private final class Picture: Sendable {}

    static func main() {
        guard allocations_are_counted() != 0 else { return print("not counted") }
        let cache = MemoryCache<String, Picture>(capacity: 500, purgeTarget: 500)
        let keys = (0..<1000).map { "https://images.example.org/albums/2026/\($0).jpg?width=640" }
        let beforeInserts = allocation_count()
        for key in keys { cache.insert(Picture(), for: key, cost: 1) }
        let inserts = allocation_count() - beforeInserts
        var found = 0
        let beforeHits = allocation_count()
        for number in 0..<1000 where cache.value(for: keys[500 + number * 7 % 500]) != nil {
            found += 1
        }
        let hits = allocation_count() - beforeHits
        print("hits \(found) allocations \(hits) insertions allocations \(inserts)")
    }
}
