import DeterminismSupport
import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct PartBoundTests {
    private func item(_ owner: String, _ bytes: Int, at moment: Double = 0) -> PartBound.Item {
        PartBound.Item(owner: owner, bytes: bytes, receivedAt: moment)
    }

    @Test("R11: sixteen responses that were cut off are kept, the newest") func count() {
        let items = (0..<20).map { item("\($0)", 1, at: Double($0)) }
        let surplus = PartBound.surplus(of: items, for: item("new", 1, at: 30), bound: 1000)
        #expect(Set(surplus ?? []) == ["0", "1", "2", "3", "4"])
        let own = PartBound.surplus(of: items, for: item("0", 1, at: 30), bound: 1000)
        #expect(Set(own ?? []) == ["1", "2", "3", "4"])
    }

    @Test("R11: they take half of the store, and one that takes more is not gone on with")
    func bytes() {
        let items = [item("a", 20, at: 1), item("a", 10, at: 3), item("b", 15, at: 2)]
        func surplus(_ owner: String, _ bytes: Int) -> Set<String>? {
            PartBound.surplus(of: items, for: item(owner, bytes, at: 4), bound: 100).map(Set.init)
        }
        #expect(surplus("c", 5) == [])
        #expect(surplus("c", 6) == ["b"])
        #expect(surplus("c", 21) == ["a"], "what is smaller and older may stay")
        #expect(surplus("c", 40) == ["a", "b"])
        #expect(surplus("c", 50) == ["a", "b"])
        #expect(surplus("c", 51) == nil)
        #expect(surplus("a", 20) == ["b"])
        #expect(surplus("a", 21) == nil)
    }

    @Test("R11: what is a day older, or seems to be to come, goes") func age() {
        let items = [item("old", 1, at: 0), item("future", 1, at: 200_000)]
        let surplus = PartBound.surplus(of: items, for: item("new", 1, at: 90_000), bound: 100)
        #expect(Set(surplus ?? []) == ["old", "future"])
    }

    @Test("R11: a store in memory keeps within this bound") func memory() async throws {
        let store = MemoryResponseStore(maximumBytes: 100_000)
        func key(_ number: Int) throws -> ResponseKey {
            ResponseKey(HTTP.Request(try url("http://a.test/\(number)")))
        }
        func part(_ range: String, at moment: Double) throws -> StoredResponse.Head {
            var head = try head(206, ["Content-Range": range, "ETag": "\"1\""])
            head.receivedAt = moment
            return head
        }
        for number in 0..<20 {
            let head = try part("bytes 0-999/5000", at: Double(number))
            #expect(try await store.storePart(head, Data(count: 1000), for: key(number)))
        }
        #expect(try await store.parts(for: key(3)).isEmpty)
        #expect(try await store.parts(for: key(4)).count == 1)
        #expect(store.count == 0 && store.usedBytes == 16 * 2024)
        let large = try part("bytes 1000-40999/50000", at: 20)
        #expect(try await store.storePart(large, Data(count: 40_000), for: key(19)))
        #expect(store.usedBytes <= 50_000)
        #expect(try await store.parts(for: key(19)).count == 2)
        #expect(try await !store.storePart(large, Data(count: 50_000), for: key(19)))
        #expect(try await store.part(large, for: key(19))?.count == 40_000)
        try await store.removeParts(variant: large.variant, for: key(19))
        #expect(try await store.parts(for: key(19)).isEmpty)
    }
}
