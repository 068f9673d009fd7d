import DeterminismSupport
import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct MemoryResponseStoreTests {
    private func key(_ path: String, partition: String? = nil) throws -> ResponseKey {
        ResponseKey(HTTP.Request(try url("http://a.test/\(path)")), partition: partition)
    }

    private func body(_ store: MemoryResponseStore, _ key: ResponseKey) async -> String? {
        await store.response(for: key) { $0.isEmpty ? nil : 0 }.map { text($0.body) }
    }

    @Test("C14: what was not used for longest goes first, within the bound") func bound()
        async throws
    {
        let store = MemoryResponseStore(maximumBytes: 10_000)
        let head = try head(fields())
        for name in ["a", "b", "c", "d"] {
            try await store.store(head, body: BodySpool(Data(count: 1000)), for: key(name))
        }
        #expect(store.count == 4)
        _ = try await body(store, key("a"))
        try await store.store(head, body: BodySpool(Data(count: 1000)), for: key("e"))
        #expect(store.count == 3)
        #expect(try await body(store, key("a")) != nil)
        #expect(try await body(store, key("b")) == nil)
        try await store.store(head, body: BodySpool(Data(count: 10_000)), for: key("a"))
        #expect(
            try await body(store, key("a")) == nil, "larger than the bound, and the old is gone")
    }

    @Test("C14: a store of 0 bytes, or less, keeps nothing", arguments: [0, -5, .min])
    func nothing(bound: Int) async throws {
        let store = MemoryResponseStore(maximumBytes: bound)
        try await store.store(head(fields()), body: BodySpool(Data()), for: key("a"))
        #expect(store.count == 0)
    }

    @Test("C15: removal takes all variants and partitions of a URL, and no other's")
    func removal() async throws {
        let store = MemoryResponseStore()
        for path in ["a", "a?b", "ab"] {
            for partition in [nil, "ann"] {
                let key = try key(path, partition: partition)
                try await store.store(head(fields()), body: BodySpool(Data()), for: key)
                let other = try head(fields("Vary: A"), for: fields("A: 1"))
                await store.store(other, body: BodySpool(Data()), for: key)
            }
        }
        #expect(store.count == 12)
        await store.removeAll(for: try url("http://me:secret@a.test/a#top"))
        #expect(store.count == 8)
        #expect(try await store.heads(for: key("a")).isEmpty)
        #expect(try await store.heads(for: key("a?b")).count == 2)
    }

    @Test("C11: a head is replaced only if it is still the one that was read") func replace()
        async throws
    {
        let store = MemoryResponseStore()
        let key = try key("a")
        let (first, second) = (try head(fields("ETag: \"1\"")), try head(fields("ETag: \"2\"")))
        await store.store(first, body: BodySpool(Data("one".utf8)), for: key)
        let renewed = first.merged(with: fields("X: 1"), sentAt: 5, receivedAt: 5)
        await store.store(second, body: BodySpool(Data("two".utf8)), for: key)
        await store.replace(first, with: renewed, for: key)
        #expect(await store.heads(for: key) == [second])
        let now = second.merged(with: fields("X: 1"), sentAt: 5, receivedAt: 5)
        await store.replace(second, with: now, for: key)
        #expect(await store.heads(for: key) == [now])
        #expect(await body(store, key) == "two")
    }

    @Test("C14: random use agrees with a dictionary as long as nothing is evicted") func model()
        async throws
    {
        var random = SeededRandom(seed: 14)
        let store = MemoryResponseStore(maximumBytes: 1 << 20)
        var model: [ResponseKey: [String: String]] = [:]
        let keys = try (0..<5).map { try key("\($0)") }
        let heads = try (0..<4).map { try head(fields("Vary: A"), for: fields("A: \($0)")) }
        for step in 0..<2000 {
            let key = keys[Int.random(in: 0..<5, using: &random)]
            let head = heads[Int.random(in: 0..<4, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                await store.store(head, body: BodySpool(Data("\(step)".utf8)), for: key)
                model[key, default: [:]][head.variant] = "\(step)"
            case 2:
                await store.remove(variant: head.variant, for: key)
                model[key]?[head.variant] = nil
            default:
                let found = await store.response(for: key) { $0.firstIndex(of: head) }
                #expect(found.map { text($0.body) } == model[key]?[head.variant])
            }
            #expect(store.count == model.values.reduce(0) { $0 + $1.count })
        }
    }
}
