import DeterminismSupport
import FoundationEssentials
import OriginSupport
import Testing

@testable import VitrineHTTP

@Suite struct HTTPCacheTests {
    private let bench: CacheWorkbench
    private var origin: OriginServer { bench.origin }
    private var clock: ManualClock { bench.clock }
    private var store: MemoryResponseStore { bench.store }
    private var cache: HTTPCache { bench.cache }

    init() throws { bench = try CacheWorkbench() }

    private func load(
        _ path: String, _ policy: CachePolicy = .standard, partition: String? = nil,
        headers: HTTP.Headers = [:]
    ) async throws -> CacheWorkbench.Loaded {
        try await bench.load(path, policy, partition: partition, headers: headers)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("C11: a fresh response answers without the server") func fresh() async throws {
        origin.route("/a", .bytes(bytes("one"), headers: ["Cache-Control: max-age=60"]))
        #expect(try await load("/a").source == .network)
        clock.advance(by: .seconds(59))
        let second = try await load("/a")
        #expect(second.source == .cache && second.body == "one")
        clock.advance(by: .seconds(2))
        #expect(try await load("/a").source == .network)
        #expect(origin.requests(for: "/a").count == 2)
    }

    @Test("C11: a stale response is asked for conditionally, and renewed by a 304")
    func revalidation() async throws {
        origin.route(
            "/a",
            .conditional(bytes("one"), etag: "\"v1\"", headers: ["Cache-Control: max-age=10"]))
        _ = try await load("/a")
        clock.advance(by: .seconds(11))
        let second = try await load("/a")
        #expect(second.source == .revalidated && second.body == "one")
        #expect(origin.requests(for: "/a").last?.header("If-None-Match") == "\"v1\"")
        clock.advance(by: .seconds(9))
        #expect(try await load("/a").source == .cache, "the 304 has renewed it")
    }

    @Test("C11: what changed on the server replaces the entry") func replaced() async throws {
        origin.route("/a", .conditional(bytes("one"), etag: "\"v1\""))
        _ = try await load("/a")
        origin.route("/a", .conditional(bytes("two"), etag: "\"v2\""))
        #expect(try await load("/a").body == "two")
        origin.route("/a", .never)
        #expect(try await load("/a", .cacheOnly).body == "two")
    }

    @Test(
        "C11: no-store and Vary: * are not stored",
        arguments: ["Cache-Control: no-store", "Vary: *"])
    func notStored(header: String) async throws {
        origin.route(
            "/a",
            .bytes(
                bytes("one"),
                headers: ["Cache-Control: max-age=60", OriginHeader(stringLiteral: header)]))
        #expect(try await load("/a").response.ticket == nil)
        #expect(store.count == 0)
    }

    @Test("C11: an entry that became no-store is forgotten") func becameNoStore() async throws {
        origin.route("/a", .bytes(bytes("one")))
        _ = try await load("/a")
        origin.route("/a", .bytes(bytes("two"), headers: ["Cache-Control: no-store"]))
        _ = try await load("/a")
        await #expect(throws: TransportError.cacheMiss) { try await load("/a", .cacheOnly) }
    }

    @Test("promise 16: errors and bodies nobody handed over are not stored")
    func onlyHandedOver() async throws {
        origin.route("/a", .bytes(bytes("one"), headers: ["Cache-Control: max-age=60"]))
        origin.route(
            "/b", .status(404, headers: ["ETag: \"1\""], body: bytes("no")))
        let transport = cache.transport()
        _ = try await transport.exchange(HTTP.Request(origin.url("/a")))
        #expect(try await load("/b").response.ticket == nil)
        #expect(store.count == 0)
    }

    @Test("C11: a response is for those who sent the headers that Vary names")
    func vary() async throws {
        origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    Array((request.header("Accept") ?? "").utf8),
                    headers: ["Cache-Control: max-age=60", "Vary: Accept"])
            })
        #expect(try await load("/a", headers: ["Accept": "x"]).source == .network)
        #expect(try await load("/a", headers: ["Accept": "x"]).source == .cache)
        let other = try await load("/a", headers: ["Accept": "y"])
        #expect(other.source == .network && other.body == "y")
    }

    @Test("promise 1: partitions never share a response, and a rotated token keeps its own")
    func partitions() async throws {
        origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    Array((request.header("Authorization") ?? "nobody").utf8),
                    headers: ["Cache-Control: max-age=60"])
            })
        #expect(try await load("/a", headers: ["Authorization": "ann"]).body == "ann")
        #expect(try await load("/a", headers: ["Authorization": "bob"]).body == "bob")
        #expect(try await load("/a").body == "nobody")
        #expect(try await load("/a", headers: ["Authorization": "ann"]).source == .cache)

        _ = try await load("/a", partition: "carl", headers: ["Authorization": "old"])
        let rotated = try await load("/a", partition: "carl", headers: ["Authorization": "new"])
        #expect(rotated.source == .cache && rotated.body == "old")
        for (headers, partition) in [
            (["Authorization": "ann"], nil), (["Authorization": "old"], "carl"),
        ] as [(HTTP.Headers, String?)] {
            let request = HTTP.Request(origin.url("/a"), headers: headers)
            let key = ResponseKey(request, partition: partition).text
            for secret in ["ann", "carl", "old"] { #expect(!key.contains(secret)) }
        }
    }

    @Test("promise 29: no key holds what a URL has of user and password")
    func keys() throws {
        func key(_ text: String, partition: String? = nil) throws -> String {
            let url = try #require(URL(string: text))
            return ResponseKey(HTTP.Request(url), partition: partition).text
        }
        #expect(try key("http://a.test/x?q=1#top") == "GET http://a.test/x?q=1")
        let secret = try key("http://me:hunter2@a.test/x@y")
        #expect(secret.hasPrefix("GET http://a.test/x@y "))
        #expect(!secret.contains("hunter2"))
        #expect(try key("http://other@a.test/x@y") != secret)
        #expect(try key("http://a.test/x@y") == "GET http://a.test/x@y")
        #expect(try key("http://a.test/", partition: "") != key("http://a.test/"))
    }

    @Test("C6: what each policy takes and leaves") func policies() async throws {
        origin.route(
            "/a",
            .conditional(bytes("one"), etag: "\"v1\"", headers: ["Cache-Control: max-age=60"]))
        await #expect(throws: TransportError.cacheMiss) { try await load("/a", .cacheOnly) }
        #expect(try await load("/a", .bypass).response.ticket == nil)
        #expect(try await load("/a", .cacheElseLoad).source == .network)
        #expect(try await load("/a", .revalidate).source == .revalidated)
        #expect(try await load("/a", .reload).source == .network)
        #expect(origin.requests(for: "/a").last?.header("If-None-Match") == nil)
        #expect(origin.requests(for: "/a").last?.header("Cache-Control") == "no-cache")
        #expect(try await load("/a", .bypass).source == .network)
        clock.advance(by: .seconds(1000))
        #expect(try await load("/a", .cacheElseLoad).source == .cache)
        #expect(try await load("/a", .cacheOnly).source == .cache)
        #expect(try await load("/a", .standard).source == .revalidated)
    }

    @Test("C6: immutable counts as answered while it is fresh") func immutable() async throws {
        origin.route(
            "/a",
            .bytes(bytes("one"), headers: ["Cache-Control: max-age=60, immutable", "ETag: \"1\""]))
        _ = try await load("/a")
        #expect(try await load("/a", .revalidate).source == .cache)
        clock.advance(by: .seconds(61))
        #expect(try await load("/a", .revalidate).source == .network)
    }

    @Test func onlyGetIsCached() async throws {
        origin.route("/a", .bytes(bytes("one"), headers: ["Cache-Control: max-age=60"]))
        var request = HTTP.Request(origin.url("/a"))
        request.method = .post
        let response = try await cache.transport().exchange(request)
        #expect(response.ticket == nil && response.source == .network)
    }

    @Test("promise 12: a redirect marked no-store is not made fresh by its target")
    func redirectHops() async throws {
        origin.route("/a", .redirect(to: "/b", headers: ["Cache-Control: no-store"]))
        origin.route("/b", .bytes(bytes("one"), headers: ["Cache-Control: max-age=60"]))
        let follower = RedirectFollower(over: cache.transport())
        let response = try await follower.exchange(HTTP.Request(origin.url("/a")))
        #expect(response.freshUntil != nil)
        #expect(response.redirects.map(\.freshUntil) == [nil])
    }

    @Test(
        "C11: a validator that cannot be sent back does not spoil the entry",
        arguments: [
            OriginHeader(raw: Array("ETag: \"a".utf8) + [1] + Array("b\"".utf8)),
            OriginHeader("ETag", "\"" + String(repeating: "e", count: 50_000) + "\""),
            OriginHeader("ETag", ""),
            OriginHeader(raw: Array("Last-Modified: yester\u{7F}day".utf8)),
        ])
    func strangeValidators(_ header: OriginHeader) async throws {
        origin.route("/a", .bytes(bytes("one"), headers: [header]))
        #expect(try await load("/a").source == .network)
        #expect(try await load("/a").body == "one")
        let asked = try #require(origin.requests(for: "/a").last)
        #expect(asked.header("If-None-Match") == nil && asked.header("If-Modified-Since") == nil)
    }

    @Test("C11: a 304 about another version brings the whole") func otherVersion() async throws {
        origin.route(
            "/a",
            .dynamic { [self] request in
                request.header("If-None-Match") == nil
                    ? .bytes(bytes("two"), headers: ["ETag: \"2\""])
                    : .status(304, headers: ["ETag: W/\"2\""])
            })
        origin.route(
            "/b",
            .dynamic { [self] request in
                request.header("If-None-Match") == nil
                    ? .bytes(bytes("two"), headers: ["ETag: \"2\""])
                    : .status(304, headers: ["ETag: \"3\""])
            })
        #expect(try await load("/a").source == .network)
        #expect(try await load("/a").source == .revalidated, "only the mark of weakness differs")
        #expect(try await load("/b").source == .network)
        #expect(try await load("/b").source == .network)
        #expect(origin.requests(for: "/b").count == 3)
    }
}
