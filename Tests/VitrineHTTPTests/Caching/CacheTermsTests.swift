import DeterminismSupport
import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// An expiry of one's own, names in place of URLs, and storing whatever the headers say.
@Suite struct CacheTermsTests {
    private let bench: CacheWorkbench
    private let now = 1_767_225_600.0

    init() throws { bench = try CacheWorkbench() }

    private func load(
        _ path: String, headers: HTTP.Headers = [:],
        _ change: (inout HTTPCache.Terms) -> Void = { _ in }
    ) async throws -> HTTP.Response {
        var terms = HTTPCache.Terms()
        change(&terms)
        let transport = RedirectFollower(over: bench.cache.transport(on: terms))
        let response = try await transport.exchange(
            HTTP.Request(bench.origin.url(path), headers: headers))
        await response.ticket?.store(BodySpool(try await response.body.collect(limit: 1 << 20)))
        return response
    }

    @Test(
        "C5: an expiry takes the place of what the header says, and nothing else",
        arguments: [
            fields("Cache-Control: max-age=60"), fields("Cache-Control: no-cache"), fields(),
            fields("Cache-Control: max-age=60, must-revalidate", "Age: 30"),
            fields("Expires: 0", "Date: Thu, 01 Jan 1970 00:00:00 GMT"),
        ])
    func freshness(_ headers: HTTP.Headers) {
        func freshness(_ expiresAt: Double) -> Freshness {
            Freshness(
                status: 200, headers: headers, sentAt: now, receivedAt: now, expiresAt: expiresAt)
        }
        let hundred = freshness(now + 100)
        #expect(hundred.isFresh(at: now) && hundred.isFresh(at: now + 99.9))
        #expect(!hundred.isFresh(at: now + 100) && hundred.freshUntil == now + 100)
        #expect(abs(hundred.staleness(at: now + 130) - 30) < 0.001)
        #expect(freshness(.infinity).isFresh(at: now + 1e12))
        #expect(!freshness(now).isFresh(at: now) && freshness(now).freshUntil == nil)
        #expect(!freshness(-.infinity).isFresh(at: now))
    }

    @Test("C5: whose word counts: the request's, that of storing, the default, HTTP's")
    func precedence() throws {
        var head = try head(fields("Cache-Control: max-age=60"), at: now)
        func expiresAt(_ own: CacheExpiry?, _ byDefault: CacheExpiry?) -> Double? {
            var terms = HTTPCache.Terms()
            terms.expiry = own
            terms.defaultExpiry = byDefault
            return terms.expiresAt(of: head)
        }
        let (own, byDefault) = (CacheExpiry.after(.seconds(1)), CacheExpiry.after(.seconds(3)))
        #expect(expiresAt(nil, nil) == nil)
        #expect(expiresAt(nil, byDefault) == now + 3)
        #expect(expiresAt(own, byDefault) == now + 1)
        head.expiresAt = now + 2
        #expect(expiresAt(nil, nil) == now + 2)
        #expect(expiresAt(nil, byDefault) == now + 2)
        #expect(expiresAt(own, byDefault) == now + 1)
        head.status = 404
        #expect(expiresAt(own, byDefault) == nil)
    }

    @Test("C5: the request's own directives go before an expiry") func directives() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: no-cache"))
        _ = try await load("/a") { $0.expiry = .never }
        #expect(try await load("/a").source == .cache)
        #expect(
            try await load("/a", headers: ["Cache-Control": "no-cache"]).source == .network)
    }

    @Test("C5: an error is not fresh for longer by an expiry") func errors() async throws {
        bench.origin.route("/a", .status(404, headers: ["Cache-Control: max-age=5"]))
        _ = try await load("/a") { $0.expiry = .never }
        #expect(try await load("/a") { $0.expiry = .never }.source == .cache)
        bench.clock.advance(by: .seconds(6))
        #expect(try await load("/a") { $0.expiry = .never }.source == .network)
    }

    @Test("C5: stale by an expiry, an unreachable server still leaves what HTTP allows")
    func disconnected() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=1000"))
        bench.origin.route("/b", .text("one", "Cache-Control: max-age=1000, must-revalidate"))
        for path in ["/a", "/b"] { _ = try await load(path) { $0.expiry = .after(.seconds(5)) } }
        bench.clock.advance(by: .seconds(6))
        for path in ["/a", "/b"] { bench.origin.route(path, .closeWithoutAnswer) }
        #expect(try await load("/a").source == .cache)
        #expect(try await load("/b").status == 504)
    }

    @Test("C9: names are told apart from URLs, other names and steps of the journey") func names()
        async throws
    {
        bench.origin.route("/a", .redirect(to: "/b", headers: ["Cache-Control: max-age=60"]))
        bench.origin.route("/b", .text("one", "Cache-Control: max-age=60"))
        _ = try await load("/a") { $0.name = "n" }
        #expect(bench.store.count == 2)
        #expect(try await load("/elsewhere") { $0.name = "n" }.source == .cache)
        #expect(try await load("/b").source == .network)
        #expect(bench.store.count == 3)
        await bench.cache.removeAll(named: "n/")
        await bench.cache.removeAll(named: "")
        #expect(bench.store.count == 3)
        await bench.cache.removeAll(named: "n")
        #expect(bench.store.count == 1)
        // By the URL from which it came.
        _ = try await load("/a") { $0.name = "n" }
        await bench.cache.removeAll(for: bench.origin.url("/b"))
        #expect(bench.store.count == 1)
    }

    @Test("C13: what stores always keeps what is good, and no error") func storesAlways()
        async throws
    {
        bench.origin.route("/ok", .text("one", "Cache-Control: no-store", "Vary: *"))
        bench.origin.route("/moved", .redirect(to: "/ok", headers: ["Cache-Control: no-store"]))
        bench.origin.route("/gone", .status(404, headers: ["Cache-Control: no-store"]))
        func terms(_ terms: inout HTTPCache.Terms) {
            terms.storesAlways = true
            terms.defaultExpiry = .never
        }
        _ = try await load("/moved", terms)
        _ = try await load("/gone", terms)
        #expect(bench.store.count == 2)
        bench.clock.advance(by: .seconds(1_000_000))
        #expect(try await load("/moved", terms).source == .cache)
        #expect(try await load("/gone", terms).source == .network)
    }

    @Test("C11: whose response it is: partition, secrets or user info, which never meet")
    func owners() throws {
        func key(
            _ headers: HTTP.Headers = [:], partition: String? = nil,
            _ text: String = "http://a.test/"
        ) throws -> ResponseKey {
            ResponseKey(
                HTTP.Request(try url(text), headers: headers, secretHeaders: ["x-key"]),
                partition: partition)
        }
        let keys = [
            try key(), try key(["Authorization": "a"]), try key(["Cookie": "a"]),
            try key(["X-Key": "a"]), try key(["Authorization": "a", "Cookie": "a"]),
            try key(partition: "a"), try key(partition: "authorization:a"), try key(partition: ""),
            try key([:], "http://a@a.test/"), try key(["Cookie": "a\ncookie:b"]),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(try key(["Accept": "a"]) == keys[0])
        #expect(
            try key(["cookie": "a", "authorization": "a"])
                == key(["Authorization": "a", "Cookie": "a"]))
        #expect(try key(["Authorization": "b"], partition: "a") == keys[5])
    }
}
