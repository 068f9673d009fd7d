import OriginSupport
import Testing

@testable import VitrineHTTP

/// Parts, over real connections.
@Suite struct RangeFlowTests {
    private let bench: CacheWorkbench

    init() throws { bench = try CacheWorkbench() }

    private func load(
        _ range: String, _ headers: HTTP.Headers = [:]
    ) async throws -> CacheWorkbench.Loaded {
        var headers = headers
        headers["Range"] = range
        return try await bench.load("/a", headers: headers)
    }

    @Test("C11: parts are taken from a whole (RFC 9110, section 14.2)") func fromWhole()
        async throws
    {
        bench.origin.route(
            "/a", .text("0123456789", "Cache-Control: max-age=60", "ETag: \"1\"", "X: 1"))
        _ = try await bench.load("/a")
        for (range, expected, place) in [
            ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=7-", "789", "bytes 7-9/10"),
            ("bytes=-1", "9", "bytes 9-9/10"), ("bytes=5-100", "56789", "bytes 5-9/10"),
        ] {
            let part = try await load(range)
            #expect(part.body == expected && part.status == 206 && part.source == .cache)
            #expect(part.response.headers["Content-Range"] == place)
            #expect(part.response.headers["Content-Length"] == "\(expected.utf8.count)")
            #expect(part.response.headers["X"] == "1")
        }
        let beyond = try await load("bytes=10-")
        #expect(beyond.status == 416 && beyond.body.isEmpty)
        #expect(beyond.response.headers["Content-Range"] == "bytes */10")
        #expect(try await load("bytes=0-1", ["If-Range": "\"1\""]).body == "01")
        #expect(try await load("bytes=0-1", ["If-Range": "\"2\""]).body == "0123456789")
        #expect(bench.count("/a") == 1)
        #expect(try await load("bytes=0-1, 4-5").source == .network, "the server's to answer")
    }

    @Test("C11: a part is stored, serves parts of itself, and is completed (RFC 9111, section 3.3)")
    func completion() async throws {
        bench.origin.route("/a", .ranged(Array("0123456789".utf8), etag: "\"1\""))
        let first = try await load("bytes=0-4")
        #expect(first.body == "01234" && first.status == 206)
        #expect(
            try await bench.load("/a", .cacheElseLoad, headers: ["Range": "bytes=1-2"]).body == "12"
        )
        #expect(bench.count("/a") == 1)
        let whole = try await bench.load("/a")
        #expect(whole.body == "0123456789" && whole.status == 200 && whole.source == .network)
        #expect(whole.response.headers["Content-Length"] == "10")
        #expect(whole.response.headers["Content-Range"] == nil)
        let asked = try #require(bench.origin.requests(for: "/a").last)
        #expect(asked.header("Range") == "bytes=5-" && asked.header("If-Range") == "\"1\"")
        #expect(try await bench.load("/a", .cacheOnly).body == "0123456789")
        #expect(bench.store.count == 1)
    }

    @Test("C11: the beginning is fetched where the end is stored") func beginning() async throws {
        bench.origin.route("/a", .ranged(Array("0123456789".utf8), etag: "\"1\""))
        _ = try await load("bytes=6-9")
        #expect(try await bench.load("/a").body == "0123456789")
        #expect(bench.origin.requests(for: "/a").last?.header("Range") == "bytes=0-5")
    }

    @Test("C11: parts that meet become one, and the whole if nothing is missing") func joining()
        async throws
    {
        bench.origin.route("/a", .ranged(Array("0123456789".utf8), etag: "\"1\""))
        for range in ["bytes=0-3", "bytes=7-9", "bytes=4-8"] { _ = try await load(range) }
        // The last one met 7-9, which had taken the place of 0-3.
        let held = try await bench.load("/a", .cacheElseLoad, headers: ["Range": "bytes=4-9"])
        #expect(held.body == "456789" && held.source == .cache)
        _ = try await load("bytes=0-4")
        let whole = try await bench.load("/a", .cacheOnly)
        #expect(whole.body == "0123456789" && whole.status == 200)
    }

    @Test("C11: parts of two versions are never joined") func changed() async throws {
        bench.origin.route("/a", .ranged(Array("0123456789".utf8), etag: "\"1\""))
        _ = try await load("bytes=0-4")
        bench.origin.route("/a", .ranged(Array("abcdefghij".utf8), etag: "\"2\""))
        #expect(try await bench.load("/a").body == "abcdefghij")
    }

    @Test(
        "C11: a rest that does not fit makes the whole be asked for",
        arguments: [
            ("bytes 5-9/11", "\"1\"", "56789"), ("bytes 4-9/10", "\"1\"", "456789"),
            ("bytes 5-8/10", "\"1\"", "5678"), ("bytes 5-9/10", "W/\"1\"", "56789"),
            ("bytes 0-1/2", "\"1\"", "01"), ("nonsense", "\"1\"", "56789"),
        ])
    func misfit(range: String, tag: String, rest: String) async throws {
        bench.origin.route(
            "/a",
            .dynamic { request in
                switch request.header("Range") {
                case "bytes=0-4":
                    .status(
                        206, headers: ["Content-Range: bytes 0-4/10", "ETag: \"1\""],
                        body: Array("01234".utf8))
                case nil: .text("the whole", "ETag: \"1\"")
                default:
                    .status(
                        206,
                        headers: [OriginHeader("Content-Range", range), OriginHeader("ETag", tag)],
                        body: Array(rest.utf8))
                }
            })
        _ = try await load("bytes=0-4")
        #expect(try await bench.load("/a").body == "the whole")
        #expect(bench.count("/a") == 3)
    }

    @Test("promise 16: a rest that is cut off is no whole") func truncated() async throws {
        bench.origin.route(
            "/a",
            .dynamic { request in
                request.header("Range") == "bytes=0-4"
                    ? .status(
                        206, headers: ["Content-Range: bytes 0-4/10", "ETag: \"1\""],
                        body: Array("01234".utf8))
                    // Ends with the connection, so that only the range tells how much is missing.
                    : .raw(
                        Array(
                            """
                            HTTP/1.1 206 Partial\r\nContent-Range: bytes 5-9/10\r\nETag: "1"\r\n\
                            Connection: close\r\n\r\n56
                            """.utf8))
            })
        _ = try await load("bytes=0-4")
        await #expect(throws: TransportError.truncated(received: 7, expected: 10)) {
            try await bench.load("/a")
        }
        await #expect(throws: TransportError.cacheMiss) { try await bench.load("/a", .cacheOnly) }
    }

    @Test("promise 16: a part whose body is not as long as its range is not stored")
    func lyingPart() async throws {
        bench.origin.route(
            "/a",
            .status(
                206, headers: ["Content-Range: bytes 4-9/10", "Cache-Control: max-age=60"],
                body: Array("01234".utf8)))
        #expect(try await load("bytes=-5").body == "01234")
        #expect(bench.store.count == 0)
    }
}
