import DeterminismSupport
import OriginSupport
import Testing

@testable import VitrineHTTP

/// What a cache answers past a response's time, over real connections.
@Suite struct StaleFlowTests {
    private let bench: CacheWorkbench

    init() throws { bench = try CacheWorkbench() }

    @Test("C11: stale-while-revalidate answers at once and asks meanwhile (RFC 5861, section 3)")
    func staleWhileRevalidate() async throws {
        bench.origin.route(
            "/a",
            .text("one", "Cache-Control: max-age=10, stale-while-revalidate=60", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.origin.route("/a", .text("two", "Cache-Control: max-age=10", "ETag: \"2\""))
        bench.clock.advance(by: .seconds(20))
        let stale = try await bench.load("/a")
        #expect(stale.body == "one" && stale.source == .cache)
        #expect(stale.response.headers["Age"] == "20")
        #expect(try await eventually { bench.changes == ["/a"] })
        let asked = try #require(bench.origin.requests(for: "/a").last)
        #expect(asked.header("If-None-Match") == "\"1\"")
        let fresh = try await bench.load("/a")
        #expect(fresh.body == "two" && fresh.source == .cache && bench.count("/a") == 2)
    }

    @Test("C11: a refresh that finds the same is no change, and after the window there is none")
    func refreshWithoutChange() async throws {
        let control: OriginHeader = "Cache-Control: max-age=10, stale-while-revalidate=60"
        bench.origin.route("/a", .conditional(Array("one".utf8), etag: "\"1\"", headers: [control]))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.load("/a").source == .cache)
        #expect(try await eventually { bench.count("/a") == 2 })
        // The head is renewed just after the origin has answered.
        var renewed = false
        for _ in 0..<1000 where !renewed {
            renewed = try await bench.load("/a").response.headers["Age"] == "0"
            if !renewed { try await Task.sleep(for: .milliseconds(10)) }
        }
        #expect(renewed && bench.changes.isEmpty)
        bench.clock.advance(by: .seconds(100))
        #expect(try await bench.load("/a").source == .revalidated)
    }

    @Test("C11: many who find the same stale response ask once") func refreshesOnce() async throws {
        bench.origin.route(
            "/a",
            .text("one", "Cache-Control: max-age=10, stale-while-revalidate=60", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.origin.route(
            "/a", .delayed(.milliseconds(300), then: .text("two", "Cache-Control: max-age=10")))
        bench.clock.advance(by: .seconds(20))
        for _ in 0..<10 { #expect(try await bench.load("/a").body == "one") }
        #expect(try await eventually { bench.changes == ["/a"] })
        #expect(bench.count("/a") == 2)
    }

    @Test(
        "C11: without a connection the old one answers (RFC 9111, section 4.2.4)",
        arguments: [Endpoint.closeWithoutAnswer, .reset(afterBytes: nil)])
    func disconnected(endpoint: Endpoint) async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10", "ETag: \"1\""))
        _ = try await bench.load("/a")
        bench.origin.route("/a", endpoint)
        bench.clock.advance(by: .seconds(1000))
        let stale = try await bench.load("/a")
        #expect(stale.body == "one" && stale.source == .cache && stale.response.cause != nil)
        await #expect(throws: TransportError.self) { try await bench.load("/a", .revalidate) }
        await #expect(throws: TransportError.self) { try await bench.load("/a", .reload) }
    }

    @Test(
        "C11: … but a 504 where the server forbids that (RFC 9111, section 5.2.2.2)",
        arguments: ["max-age=10, must-revalidate", "no-cache", "max-age=10, no-cache"])
    func mustRevalidate(control: String) async throws {
        bench.origin.route("/a", .text("one", OriginHeader("Cache-Control", control)))
        _ = try await bench.load("/a")
        bench.origin.route("/a", .closeWithoutAnswer)
        bench.clock.advance(by: .seconds(20))
        let answer = try await bench.load("/a")
        #expect(answer.status == 504 && answer.body.isEmpty && answer.source == .cache)
        #expect(answer.response.cause == .connectionLost(received: 0))
        #expect(try await bench.load("/a", .cacheOnly).body == "one")
    }

    @Test("C11: a failure of the server is passed on, unless stale-if-error hides it")
    func staleIfError() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10"))
        bench.origin.route("/b", .text("one", "Cache-Control: max-age=10, stale-if-error=60"))
        for path in ["/a", "/b"] {
            _ = try await bench.load(path)
            bench.origin.route(path, .status(503, body: Array("no".utf8)))
        }
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.load("/a").status == 503)
        #expect(try await bench.load("/b").body == "one")
        bench.clock.advance(by: .seconds(60))
        #expect(try await bench.load("/b").status == 503)
        #expect(try await bench.load("/b", .cacheOnly).body == "one", "it is still there")
    }

    @Test("C11: a fresh error answers, and the picture from before comes back after it")
    func errorBesidePicture() async throws {
        bench.origin.route(
            "/a",
            .sequence([
                .text("one", "Cache-Control: max-age=10", "ETag: \"1\""),
                .status(503, headers: ["Cache-Control: max-age=10"], body: Array("no".utf8)),
                .conditional(Array("one".utf8), etag: "\"1\""),
            ]))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.load("/a").status == 503)
        let error = try await bench.load("/a")
        #expect(error.status == 503 && error.source == .cache)
        #expect(try await bench.load("/a", .cacheElseLoad).body == "one")
        bench.clock.advance(by: .seconds(20))
        let again = try await bench.load("/a")
        #expect(again.body == "one" && again.source == .revalidated)
    }

    @Test("C11: offline, nothing is sent, and what is stored answers as far as it may")
    func offline() async throws {
        bench.origin.route("/a", .text("one", "Cache-Control: max-age=10"))
        bench.origin.route("/b", .text("one", "Cache-Control: max-age=10, must-revalidate"))
        for path in ["/a", "/b"] { _ = try await bench.load(path) }
        bench.cache.isOffline = true
        let copy = bench.cache
        #expect(copy.isOffline)
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.load("/a").body == "one")
        #expect(try await bench.load("/b").status == 504)
        #expect(try await bench.load("/b", .cacheElseLoad).body == "one")
        await #expect(throws: TransportError.cacheMiss) { try await bench.load("/c") }
        await #expect(throws: TransportError.cacheMiss) { try await bench.load("/a", .reload) }
        await #expect(throws: TransportError.cacheMiss) {
            try await bench.load("/a", method: .delete)
        }
        #expect(bench.count("/a") == 1 && bench.count("/c") == 0)
        bench.cache.isOffline = false
        #expect(try await bench.load("/a").source == .network)
    }
}
