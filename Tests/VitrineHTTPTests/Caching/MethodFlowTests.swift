import DeterminismSupport
import FoundationEssentials
import OriginSupport
import Testing

@testable import VitrineHTTP

/// Methods, variants, conditions and directives, over real connections.
@Suite struct MethodFlowTests {
    private let bench: CacheWorkbench

    init() throws { bench = try CacheWorkbench() }

    @Test("C11: two variants are kept, and each request gets its own (RFC 9111, section 4.1)")
    func variants() async throws {
        bench.origin.route(
            "/a",
            .dynamic { request in
                .text(
                    request.header("Accept-Language") ?? "none", "Cache-Control: max-age=60",
                    "Vary: Accept-Language")
            })
        for language in ["en", "de"] {
            #expect(
                try await bench.load("/a", headers: ["Accept-Language": language]).source
                    == .network)
        }
        #expect(try await bench.load("/a").body == "none")
        for language in ["EN", " de "] {
            let again = try await bench.load("/a", headers: ["Accept-Language": language])
            #expect(
                again.source == .cache && again.body == language.lowercased().filter { $0 != " " })
        }
        #expect(bench.store.count == 3)
        await bench.cache.removeAll(for: bench.origin.url("/a"))
        #expect(bench.store.count == 0)
    }

    @Test("C11: of one URL, eight variants are kept at most, the newest") func manyVariants()
        async throws
    {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=600", "Vary: X"))
        for index in 0..<12 {
            _ = try await bench.load("/a", headers: ["X": "\(index)"])
            bench.clock.advance(by: .seconds(1))
        }
        #expect(bench.store.count == 8)
        #expect(try await bench.load("/a", .cacheOnly, headers: ["X": "11"]).body == "one")
        await #expect(throws: TransportError.cacheMiss) {
            try await bench.load("/a", .cacheOnly, headers: ["X": "3"])
        }
    }

    @Test("C11: a response without Vary takes the place of the one that the request had selected")
    func varyGone() async throws {
        bench.origin.route(
            "/a", .sequence([.text("one", "Vary: X"), .text("two", "Cache-Control: max-age=9")]))
        _ = try await bench.load("/a")
        _ = try await bench.load("/a")
        #expect(bench.store.count == 1)
        #expect(try await bench.load("/a").body == "two")
    }

    @Test(
        "C11: an unsafe request that succeeds makes what is stored outdated (RFC 9111, section 4.4)",
        arguments: [HTTP.Method.post, .put, .delete, .patch, .init(rawValue: "M-SEARCH")])
    func invalidation(method: HTTP.Method) async throws {
        for path in ["/a", "/b", "/c"] {
            bench.origin.route(path, .text("one", "Cache-Control: max-age=60"))
            _ = try await bench.load(path)
            _ = try await bench.load(path, partition: "ann")
        }
        bench.origin.route("/a", .status(500))
        #expect(try await bench.load("/a", method: method).status == 500)
        #expect(bench.store.count == 6, "it has failed")
        bench.origin.route("/a", .status(201, headers: ["Location: /b"]))
        #expect(try await bench.load("/a", .bypass, method: method).status == 201)
        #expect(bench.store.count == 2, "all partitions of both URLs are gone")
        #expect(try await bench.load("/c").source == .cache)
    }

    @Test("C11: the answer to a POST may stand for a GET (RFC 9110, section 9.3.3)") func post()
        async throws
    {
        bench.origin.route("/a", .text("one", "Content-Location: /a", "Cache-Control: max-age=60"))
        #expect(try await bench.load("/a", method: .post).source == .network)
        #expect(try await bench.load("/a").source == .cache)
        #expect(try await bench.load("/a", method: .post).source == .network)
    }

    @Test("C11: a HEAD is answered from a fresh GET, and renews or removes a stale one (4.3.5)")
    func head() async throws {
        let control: OriginHeader = "Cache-Control: max-age=10"
        bench.origin.route("/a", .text("one", control, "ETag: \"1\"", "X: 1"))
        _ = try await bench.load("/a")
        let fresh = try await bench.load("/a", method: .head)
        #expect(fresh.source == .cache && fresh.body.isEmpty)
        #expect(fresh.response.headers["Content-Length"] == "3")
        bench.clock.advance(by: .seconds(20))
        bench.origin.route("/a", .text("one", control, "ETag: \"1\"", "X: 2"))
        #expect(try await bench.load("/a", method: .head).source == .network)
        let renewed = try await bench.load("/a")
        #expect(renewed.source == .cache && renewed.response.headers["X"] == "2")
        for changed: Endpoint in [
            .text("two", control, "ETag: \"2\""), .text("longer", control, "ETag: \"1\""),
        ] {
            bench.origin.route("/a", .text("one", control, "ETag: \"1\""))
            _ = try await bench.load("/a", .reload)
            bench.clock.advance(by: .seconds(20))
            bench.origin.route("/a", changed)
            _ = try await bench.load("/a", method: .head)
            await #expect(throws: TransportError.cacheMiss) {
                try await bench.load("/a", .cacheOnly)
            }
        }
    }

    @Test("C11: a caller's own conditions (RFC 9111, section 4.3.2)") func conditions() async throws
    {
        let control: OriginHeader = "Cache-Control: max-age=10"
        bench.origin.route(
            "/a", .conditional(Array("one".utf8), etag: "\"1\"", headers: [control, "X: 1"]))
        let none = try await bench.load("/a", headers: ["If-None-Match": "\"1\""])
        #expect(none.status == 304 && none.source == .network, "nothing is stored: passed on")
        _ = try await bench.load("/a")
        let same = try await bench.load("/a", headers: ["If-None-Match": "\"1\""])
        #expect(same.status == 304 && same.source == .cache && same.body.isEmpty)
        #expect(same.response.headers["ETag"] == "\"1\"" && same.response.headers["X"] == nil)
        let other = try await bench.load("/a", headers: ["If-None-Match": "\"2\""])
        #expect(other.status == 200 && other.source == .cache && other.body == "one")
        #expect(bench.count("/a") == 2)
        _ = try await bench.load("/a", headers: ["If-Match": "\"1\""])
        #expect(bench.count("/a") == 3, "If-Match is for the server")
        bench.clock.advance(by: .seconds(20))
        let stale = try await bench.load("/a", headers: ["If-None-Match": "\"1\""])
        #expect(stale.status == 304 && stale.source == .network)
        #expect(try await bench.load("/a").source == .cache, "that 304 has renewed what is stored")
    }

    @Test("C11: only-if-cached is answered from the cache, or with a 504 (5.2.1.7)")
    func onlyIfCached() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10"))
        let asked: HTTP.Headers = ["Cache-Control": "only-if-cached"]
        #expect(try await bench.load("/a", headers: asked).status == 504)
        _ = try await bench.load("/a")
        #expect(try await bench.load("/a", headers: asked).body == "one")
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.load("/a", headers: asked).status == 504)
        #expect(try await bench.load("/a", method: .head, headers: asked).status == 504)
        #expect(try await bench.load("/a", method: .post, headers: asked).status == 504)
        await #expect(throws: TransportError.cacheMiss) {
            try await bench.load("/a", .cacheOnly, method: .post)
        }
        #expect(bench.count("/a") == 1)
    }

    @Test("promise 1: a GET with content is no GET of the same URL without") func content()
        async throws
    {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=60"))
        _ = try await bench.load("/a")
        var request = HTTP.Request(bench.origin.url("/a"))
        request.body = Data("question".utf8)
        let response = try await bench.cache.transport().exchange(request)
        #expect(response.source == .network && response.ticket == nil)
    }

    @Test("C11: fields that no-cache names come only after the server was asked (5.2.2.4)")
    func noCacheFields() async throws {
        bench.origin.route(
            "/a",
            .conditional(
                Array("one".utf8), etag: "\"1\"",
                headers: [
                    "Cache-Control: max-age=60, no-cache=\"Set-Cookie, X\"", "Set-Cookie: a=b",
                    "Y: 1",
                ]))
        _ = try await bench.load("/a")
        let reused = try await bench.load("/a")
        #expect(reused.source == .cache && reused.response.headers["Set-Cookie"] == nil)
        #expect(reused.response.headers["Y"] == "1")
        let asked = try await bench.load("/a", .revalidate)
        #expect(asked.source == .revalidated && asked.response.headers["Set-Cookie"] == "a=b")
        #expect(
            bench.origin.requests(for: "/a").last?.header("Cache-Control") == "max-age=0")
    }

    @Test("C11: each hop of a redirect is cached by itself") func redirects() async throws {
        bench.origin.route(
            "/a", .redirect(to: "/b", status: 301, headers: ["Cache-Control: max-age=100"]))
        bench.origin.route("/b", .redirect(to: "/c"))
        bench.origin.route("/c", .text("one", "Cache-Control: max-age=10"))
        let follower = RedirectFollower(over: bench.cache.transport())
        for _ in 0..<3 {
            let response = try await follower.exchange(HTTP.Request(bench.origin.url("/a")))
            let spool = BodySpool()
            for try await chunk in response.body { try await spool.append(chunk) }
            spool.finish()
            await response.ticket?.store(spool)
            #expect(response.url.path() == "/c" && response.redirects.count == 2)
        }
        #expect(["/a", "/b", "/c"].map(bench.count) == [1, 3, 1])
    }

    @Test("C11: a header of thousands of fields, and of nonsense, is stored and served")
    func hugeHeaders() async throws {
        var lines: [OriginHeader] = [
            "Cache-Control: max-age=99999999999999999999, ,=,\"", "Age: -1", "Date: never",
            "Expires: \"\"", "Vary: ,,", "ETag: W/", "Content-Location: http://[",
            "Cache-Control: \"max-age=0",
        ]
        for index in 0..<3000 { lines.append(OriginHeader("X-\(index)", "\(index)")) }
        bench.origin.route("/a", .bytes(Array("one".utf8), headers: lines))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(86_400))
        let again = try await bench.load("/a")
        #expect(again.source == .cache && again.response.headers["X-2999"] == "2999")
        #expect(again.response.headers["Age"] == "86400")
    }
}
