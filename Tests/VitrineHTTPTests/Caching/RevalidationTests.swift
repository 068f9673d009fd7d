import DeterminismSupport
import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

@Suite struct RevalidationTests {
    private let bench: CacheWorkbench

    init() throws { bench = try CacheWorkbench() }

    /// Loads so often at once, after the entry is stale and the origin has become slow.
    private func crowd(_ count: Int, _ slow: Endpoint) async throws -> [(
        String, HTTP.Response.Source
    )] {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        bench.origin.route("/a", .delayed(.milliseconds(300), then: slow))
        return try await withThrowingTaskGroup(of: (String, HTTP.Response.Source).self) { group in
            for _ in 0..<count {
                group.addTask { [bench] in
                    let loaded = try await bench.load("/a")
                    return (loaded.body, loaded.source)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("C11: of many who find the same entry stale, one asks and all have the answer")
    func once() async throws {
        let all = try await crowd(
            20,
            .conditional(Array("one".utf8), etag: "\"1\"", headers: ["Cache-Control: max-age=10"]))
        #expect(all.allSatisfy { $0 == ("one", .revalidated) } && all.count == 20)
        #expect(bench.count("/a") == 2)
    }

    @Test("C11: where the answer is another one, the others ask for themselves") func changed()
        async throws
    {
        let all = try await crowd(5, .text("two", "Cache-Control: max-age=10"))
        #expect(all.allSatisfy { $0 == ("two", .network) } && all.count == 5)
        #expect(bench.changes.contains("/a"))
    }

    @Test("C11: where there is no answer, all have the old one") func failed() async throws {
        let all = try await crowd(5, .closeWithoutAnswer)
        #expect(all.allSatisfy { $0 == ("one", .cache) } && all.count == 5)
    }

    @Test("promise 6: who asks may leave, and another one asks") func abandoned() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        bench.origin.route("/a", .never)
        let bench = bench
        let first = Task { try await bench.load("/a") }
        #expect(try await eventually { bench.count("/a") == 2 })
        bench.origin.route("/a", .conditional(Array("one".utf8), etag: "\"1\""))
        let second = Task { try await bench.load("/a") }
        try await Task.sleep(for: .milliseconds(100))
        #expect(bench.count("/a") == 2, "it waits for the first")
        first.cancel()
        await #expect(throws: TransportError.cancelled) { try await first.value }
        #expect(try await second.value.source == .revalidated)
    }

    @Test("promise 6: who waits may leave at once") func waiterLeaves() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        bench.origin.route("/a", .never)
        let bench = bench
        let first = Task { try await bench.load("/a") }
        #expect(try await eventually { bench.count("/a") == 2 })
        let second = Task { try await bench.load("/a") }
        try await Task.sleep(for: .milliseconds(100))
        second.cancel()
        await #expect(throws: TransportError.cancelled) { try await second.value }
        first.cancel()
        await #expect(throws: TransportError.cancelled) { try await first.value }
    }

    @Test("C11: a late 304 does not put an old header over a new body") func lateAnswer()
        async throws
    {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        bench.origin.route(
            "/a", .delayed(.milliseconds(400), then: .status(304, headers: ["ETag: \"1\""])))
        let bench = bench
        let slow = Task { try await bench.load("/a") }
        #expect(try await eventually { bench.count("/a") == 2 })
        bench.origin.route("/a", .text("two", "Cache-Control: max-age=100", "ETag: \"2\""))
        #expect(try await bench.load("/a", .reload).body == "two")
        #expect(try await slow.value.body == "one")
        let now = try await bench.load("/a")
        #expect(now.body == "two" && now.response.headers["ETag"] == "\"2\"")
    }

    @Test("C11: an answer that was long on its way does not take the place of a newer one")
    func lateBody() async throws {
        bench.origin.route(
            "/a", .delayed(.milliseconds(400), then: .text("one", "Cache-Control: max-age=100")))
        let bench = bench
        let slow = Task { try await bench.load("/a") }
        #expect(try await eventually { bench.count("/a") == 1 })
        bench.clock.advance(by: .seconds(1))
        bench.origin.route("/a", .text("two", "Cache-Control: max-age=100"))
        #expect(try await bench.load("/a", .reload).body == "two")
        #expect(try await slow.value.body == "one")
        let now = try await bench.load("/a")
        #expect(now.body == "two", "\(now.source), of \(bench.store.count)")
        // With the clock set back, what comes now is stored all the same.
        bench.clock.setWallClock(1_700_000_000)
        bench.origin.route("/a", .text("three", "Cache-Control: max-age=100"))
        _ = try await bench.load("/a", .reload)
        #expect(try await bench.load("/a", .cacheOnly).body == "three")
    }

    @Test("C11: what another process has stored of the same bytes meanwhile is kept, not failed")
    func sameStoredMeanwhile() async throws {
        bench.origin.routeOthers(.text("one", "Cache-Control: max-age=100"))
        // Over one store, as two processes have it.
        let other = HTTPCache(
            over: CurlTransport(), store: bench.store, time: bench.clock.source)
        func ask(_ cache: HTTPCache, _ path: String) async throws -> (StoreTicket, BodySpool) {
            let response = try await cache.transport(policy: .reload).exchange(
                HTTP.Request(bench.origin.url(path)))
            let spool = BodySpool()
            for try await chunk in response.body { try await spool.append(chunk) }
            spool.finish()
            return (try #require(response.ticket), spool)
        }
        for (path, isSame) in [("/a", true), ("/b", false)] {
            let (ticket, spool) = try await ask(bench.cache, path)
            bench.clock.advance(by: .seconds(1))
            if !isSame { bench.origin.route(path, .text("two", "Cache-Control: max-age=100")) }
            let (later, laterSpool) = try await ask(other, path)
            #expect(await later.store(laterSpool))
            let outcome = await ticket.outcome(ofStoring: spool)
            #expect(outcome == .init(isStored: isSame, isChange: false, isOutdated: !isSame))
            #expect(try await bench.load(path, .cacheOnly).body == (isSame ? "one" : "two"))
        }
    }

    /// Takes long to store "one".
    private final class SlowStore: ResponseStore {
        let base = MemoryResponseStore()
        let isStoring = Lock(false)

        func response(
            for key: ResponseKey,
            choosing choice: @escaping @Sendable ([StoredResponse.Head]) -> Int?
        ) async -> StoredResponse? { await base.response(for: key, choosing: choice) }

        func heads(for key: ResponseKey) async -> [StoredResponse.Head] {
            await base.heads(for: key)
        }

        func store(
            _ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey
        ) async -> Bool {
            if let bytes = try? await body.bytes(), text(bytes) == "one" {
                isStoring.withLock { $0 = true }
                try? await Task.sleep(for: .milliseconds(200))
            }
            return await base.store(head, body: body, for: key)
        }

        func replace(
            _ old: StoredResponse.Head, with new: StoredResponse.Head, for key: ResponseKey
        ) async { await base.replace(old, with: new, for: key) }

        func remove(variant: String, for key: ResponseKey) async {
            await base.remove(variant: variant, for: key)
        }

        func removeAll(for url: URL) async { await base.removeAll(for: url) }

        func removeAll(named name: String) async { await base.removeAll(named: name) }

        func removeAll() async { await base.removeAll() }
    }

    @Test("C11: of two answers that are stored at the same moment, the newer one stays")
    func atTheSameMoment() async throws {
        let store = SlowStore()
        let cache = HTTPCache(over: CurlTransport(), store: store, time: bench.clock.source)
        let request = HTTP.Request(bench.origin.url("/a"))
        func ticket(_ text: String) async throws -> StoreTicket {
            bench.origin.route("/a", .text(text, "Cache-Control: max-age=100"))
            bench.clock.advance(by: .seconds(1))
            let response = try await cache.transport(policy: .reload).exchange(request)
            _ = try await response.body.collect(limit: 100)
            return try #require(response.ticket)
        }
        let (older, newer) = (try await ticket("one"), try await ticket("two"))
        let slow = Task { await older.outcome(ofStoring: BodySpool(Data("one".utf8))) }
        #expect(try await eventually { store.isStoring.withLock { $0 } })
        let outcome = await newer.outcome(ofStoring: BodySpool(Data("two".utf8)))
        #expect(outcome.isStored && outcome.isChange, "it has taken the place of another")
        #expect(await slow.value == StoreTicket.Outcome(isStored: true))
        let now = try await cache.transport(policy: .cacheOnly).exchange(request)
        #expect(text(try await now.body.collect(limit: 100)) == "two")
    }

    @Test("C6: what is decoded elsewhere is refreshed there, not by the cache") func ownRefresh()
        async throws
    {
        bench.origin.route(
            "/a", .text("one", "Cache-Control: max-age=10, stale-while-revalidate=60"))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        let calls = Lock(0)
        let transport = bench.cache.transport(
            on: HTTPCache.Terms(), over: CurlTransport()
        ) { calls.withLock { $0 += 1 } }
        _ = try await transport.exchange(HTTP.Request(bench.origin.url("/a")))
        #expect(calls.withLock { $0 } == 1 && bench.count("/a") == 1)
    }
}
