import DeterminismSupport
import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Transfers that are cut off, and what the next one asks for.
@Suite struct ResumptionFlowTests {
    private let bench: CacheWorkbench
    private let body = patterned(400_000)
    private let fresh: OriginHeader = "Cache-Control: max-age=100"

    init() throws { bench = try CacheWorkbench() }

    private var ranges: [String?] { bench.origin.requests(for: "/a").map { $0.header("Range") } }

    /// The first request is cut off, the others are answered as told.
    private func cut(
        at sent: Int = 200_000, by cut: Cut = .closing, _ headers: [OriginHeader] = [],
        then next: Endpoint
    ) {
        let headers = [fresh, "ETag: \"1\""] + headers
        bench.origin.route(
            "/a", .sequence([.cut(body, sent: sent, by: cut, headers: headers), next]))
    }

    private var ranged: Endpoint { .ranged(body, etag: "\"1\"", headers: [fresh]) }

    private func loadCutOff(
        _ policy: CachePolicy = .standard, headers: HTTP.Headers = [:],
        timeouts: HTTP.Timeouts = HTTP.Timeouts()
    ) async {
        await #expect(throws: TransportError.self) {
            try await bench.load("/a", policy, headers: headers, timeouts: timeouts)
        }
    }

    private func expectWhole(_ loaded: CacheWorkbench.Loaded, _ expected: [UInt8]? = nil) {
        // Not in one expectation, which would keep both.
        let isSame = loaded.data == Data(expected ?? body)
        #expect(isSame)
        #expect(loaded.status == 200 && loaded.source == .network)
        #expect(loaded.response.headers["Content-Range"] == nil)
        #expect(loaded.response.headers["Content-Length"] == "\((expected ?? body).count)")
    }

    private var heldParts: Int {
        get async throws {
            let key = ResponseKey(HTTP.Request(bench.origin.url("/a")))
            return await bench.store.parts(for: key).count
        }
    }

    @Test(
        "R11: a transfer that is cut off is gone on with",
        arguments: [Cut.closing, .resetting, .stalling])
    func resumes(by way: Cut) async throws {
        cut(by: way, then: ranged)
        await loadCutOff(timeouts: HTTP.Timeouts(idle: .milliseconds(500)))
        #expect(bench.store.count == 0, "it is no entry")
        #expect(try await heldParts == 1)
        await #expect(throws: TransportError.cacheMiss) { try await bench.load("/a", .cacheOnly) }

        expectWhole(try await bench.load("/a"))
        let second = try #require(bench.origin.requests(for: "/a").last)
        #expect(second.header("Range") == "bytes=200000-")
        #expect(second.header("If-Range") == "\"1\"")
        #expect(second.header("Accept-Encoding") == "identity")
        #expect(bench.store.count == 1, "the whole is")
        #expect(try await heldParts == 0)
        #expect(try await bench.load("/a").source == .cache)
    }

    @Test("R11: one who cancels may come back") func cancelled() async throws {
        cut(by: .stalling, then: ranged)
        let bench = bench
        let first = Task { try await bench.load("/a") }
        #expect(try await eventually { bench.received == 200_000 })
        first.cancel()
        await #expect(throws: TransportError.cancelled) { try await first.value }
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, "bytes=200000-"])
    }

    @Test("R11: a strong date of change is a validator too, which the rest may leave out")
    func lastModified() async throws {
        let changed: OriginHeader = "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT"
        let rest = Array(body[200_000...])
        bench.origin.route(
            "/a",
            .sequence([
                .cut(body, sent: 200_000, headers: [changed]),
                .status(206, headers: ["Content-Range: bytes 200000-399999/400000"], body: rest),
            ]))
        await loadCutOff()
        expectWhole(try await bench.load("/a"))
        #expect(
            bench.origin.requests(for: "/a").last?.header("If-Range")
                == "Thu, 01 Jan 2015 00:00:00 GMT")
    }

    @Test("R11: a body of unknown length is gone on with, too") func unknownLength() async throws {
        bench.origin.route(
            "/a",
            .sequence([
                .raw(
                    Array(
                        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                        + Array("30d40\r\n".utf8) + body[..<200_000] + Array("\r\n".utf8)),
                .cut(
                    Array(body[200_000...]), sent: 100_000, status: 206,
                    headers: ["ETag: \"1\"", "Content-Range: bytes 200000-399999/400000"]),
                ranged,
            ]))
        await loadCutOff()
        await loadCutOff()
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, "bytes=200000-", "bytes=300000-"])
    }

    @Test("R11: cut off again and again, no byte comes twice") func again() async throws {
        let (body, fresh) = (body, fresh)
        bench.origin.route(
            "/a",
            .dynamic { request in
                let text = request.header("Range")?.dropFirst(6).dropLast() ?? "0"
                let start = Int(text) ?? 0
                let headers = [
                    fresh, "ETag: \"1\"",
                    OriginHeader("Content-Range", "bytes \(start)-399999/400000"),
                ]
                return .cut(
                    Array(body[start...]), sent: 100_000, status: start == 0 ? 200 : 206,
                    headers: headers)
            })
        for _ in 0..<3 { await loadCutOff() }
        #expect(try await heldParts == 3)
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, "bytes=100000-", "bytes=200000-", "bytes=300000-"])
    }

    @Test(
        "R11: what cannot be gone on with is not kept",
        arguments: [
            ["ETag: W/\"1\""], [], ["ETag: \"1\"", "Content-Encoding: gzip"],
            ["ETag: \"1\"", "Cache-Control: no-store"], ["ETag: \"1\"", "Vary: *"],
            ["Last-Modified: Thu, 01 Jan 2037 00:00:00 GMT"],
        ] as [[OriginHeader]])
    func notKept(headers: [OriginHeader]) async throws {
        bench.origin.route(
            "/a", .sequence([.cut(body, sent: 200_000, headers: headers), ranged]))
        await loadCutOff()
        #expect(bench.store.usedBytes == 0)
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, nil])
    }

    @Test(
        "R11: nor what was asked for in another way, nor little",
        arguments: [
            (200_000, 200, .standard, ["Accept-Encoding": "gzip, identity"]),
            (200_000, 206, .standard, ["Range": "bytes=0-"]),
            (200_000, 200, .bypass, [:]), (200_000, 404, .standard, [:]),
            (60_000, 200, .standard, [:]),
        ] as [(Int, Int, CachePolicy, HTTP.Headers)])
    func notKeptEither(
        sent: Int, status: Int, policy: CachePolicy, headers: HTTP.Headers
    ) async throws {
        let answer: [OriginHeader] = ["ETag: \"1\"", "Content-Range: bytes 0-399999/400000"]
        bench.origin.route(
            "/a", .sequence([.cut(body, sent: sent, status: status, headers: answer), ranged]))
        await loadCutOff(policy, headers: headers)
        #expect(bench.store.usedBytes == 0)
    }

    /// What servers say in place of the rest.
    static let liars: [(String, Endpoint)] = {
        let rest = Array(patterned(400_000)[200_000...])
        func part(_ range: String, _ headers: OriginHeader...) -> Endpoint {
            .status(206, headers: headers + [OriginHeader("Content-Range", range)], body: rest)
        }
        return [
            ("another tag", part("bytes 200000-399999/400000", "ETag: \"2\"")),
            ("a weak tag", part("bytes 200000-399999/400000", "ETag: W/\"1\"")),
            ("no tag", part("bytes 200000-399999/400000")),
            ("another start", part("bytes 100000-299999/400000", "ETag: \"1\"")),
            ("another end", part("bytes 200000-399998/400000", "ETag: \"1\"")),
            ("a shorter whole", part("bytes 200000-299999/300000", "ETag: \"1\"")),
            ("a longer whole", part("bytes 200000-399999/500000", "ETag: \"1\"")),
            ("no length of the whole", part("bytes 200000-399999/*", "ETag: \"1\"")),
            ("nonsense", part("bytes 4-2/1", "ETag: \"1\"")),
            (
                "a coding",
                part("bytes 200000-399999/400000", "ETag: \"1\"", "Content-Encoding: gzip")
            ),
            (
                "several ranges",
                .status(
                    206,
                    headers: ["ETag: \"1\"", "Content-Type: multipart/byteranges; boundary=x"],
                    body: Array("--x\r\n\r\nbytes\r\n--x--".utf8))
            ),
            (
                "a length that contradicts the range",
                .status(
                    206, headers: ["ETag: \"1\"", "Content-Range: bytes 200000-399999/400000"],
                    body: Array(rest.dropLast()))
            ),
            ("416", .status(416, headers: ["Content-Range: bytes */400000"])),
            ("304", .status(304, headers: ["ETag: \"1\""])),
            ("204", .status(204)),
            ("400", .status(400)),
            ("501", .status(501)),
        ]
    }()

    @Test(
        "R11: an answer that is not the rest makes it begin anew", arguments: liars.map(\.0))
    func begunAnew(name: String) async throws {
        let lie = try #require(Self.liars.first { $0.0 == name }).1
        let other = patterned(300_000).reversed() as [UInt8]
        bench.origin.route(
            "/a",
            .sequence([
                .cut(body, sent: 200_000, headers: ["ETag: \"1\""]), lie,
                .bytes(other, headers: ["ETag: \"9\"", fresh]),
            ]))
        await loadCutOff()
        expectWhole(try await bench.load("/a"), other)
        #expect(ranges == [nil, "bytes=200000-", nil])
        #expect(bench.origin.requests(for: "/a").last?.header("If-Range") == nil)
        #expect(try await heldParts == 0)
    }

    @Test("R11: a file that has changed comes whole, with one request") func changed() async throws
    {
        let other = patterned(300_000).reversed() as [UInt8]
        cut(then: .ranged(other, etag: "\"2\""))
        await loadCutOff()
        expectWhole(try await bench.load("/a"), other)
        #expect(ranges == [nil, "bytes=200000-"])
        #expect(try await heldParts == 0)
    }

    @Test("R11: a rest that is short is kept, one that is too long is not") func wrongLength()
        async throws
    {
        let headers = "ETag: \"1\"\r\nContent-Range: bytes 200000-399999/400000\r\n\r\n"
        let head = Array("HTTP/1.1 206 Partial\r\n\(headers)".utf8)
        bench.origin.route(
            "/a",
            .sequence([
                .cut(body, sent: 200_000, headers: ["ETag: \"1\""]),
                .raw(head + body[200_000..<300_000]),
                .raw(head + body[300_000...] + body), ranged,
            ]))
        await loadCutOff()
        let short = await #expect(throws: TransportError.self) { try await bench.load("/a") }
        #expect(short == .truncated(received: 300_000, expected: 400_000))
        // It says the old range, which is not the rest any more.
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, "bytes=200000-", "bytes=300000-", nil])

        bench.origin.forget()
        bench.origin.route(
            "/a",
            .sequence([
                .cut(body, sent: 200_000, headers: ["ETag: \"1\""]),
                .raw(head + body[200_000...] + [1]), ranged,
            ]))
        await bench.store.removeAll(for: bench.origin.url("/a"))
        await loadCutOff()
        let long = await #expect(throws: TransportError.self) { try await bench.load("/a") }
        #expect(long == .badResponse(reason: "more bytes came than its Content-Range says"))
        #expect(try await heldParts == 0)
        #expect(ranges == [nil, "bytes=200000-"])
    }

    @Test("R11: beside an old version that is whole, the newer one is gone on with")
    func besideOld() async throws {
        bench.origin.route("/a", .text("old", "Cache-Control: max-age=10", "ETag: \"0\""))
        _ = try await bench.load("/a")
        bench.clock.advance(by: .seconds(20))
        bench.origin.forget()
        bench.origin.route(
            "/a",
            .sequence([
                .cut(body, sent: 200_000, headers: ["ETag: \"1\"", fresh]), .closeWithoutAnswer,
                ranged,
            ]))
        await loadCutOff()
        let offline = try await bench.load("/a")
        #expect(offline.body == "old" && offline.source == .cache)
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, "bytes=200000-", "bytes=200000-"])
        #expect(bench.changes == ["/a"])
        // A whole that came later is the newer one.
        #expect(try await bench.load("/a").source == .cache)
    }

    @Test("R11: a policy that reads no cache begins anew") func reload() async throws {
        cut(then: ranged)
        await loadCutOff()
        expectWhole(try await bench.load("/a", .reload))
        #expect(ranges == [nil, nil])
    }

    @Test("R11: after a day it begins anew") func expired() async throws {
        cut(then: ranged)
        await loadCutOff()
        bench.clock.advance(by: .seconds(86_500))
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, nil])
    }

    @Test("R11: what a store has lost since is asked for anew") func lost() async throws {
        let (body, store, url) = (body, bench.store, bench.origin.url("/a"))
        bench.origin.route(
            "/a",
            .dynamic { request in
                guard request.header("Range") != nil else {
                    return .cut(body, sent: 200_000, headers: ["ETag: \"1\""])
                }
                return .delayed(.milliseconds(300), then: .ranged(body, etag: "\"1\""))
            })
        await loadCutOff()
        let bench = bench
        let second = Task { try await bench.load("/a") }
        #expect(try await eventually { bench.count("/a") == 2 })
        await store.removeAll(for: url)
        bench.origin.route("/a", ranged)
        expectWhole(try await second.value)
        #expect(ranges == [nil, "bytes=200000-", nil])
    }

    @Test("R11: partitions and variants go on with their own") func apart() async throws {
        let body = body
        bench.origin.route(
            "/a",
            .dynamic { request in
                let headers: [OriginHeader] = ["ETag: \"1\"", "Vary: Accept"]
                return request.header("Range") == nil
                    ? .cut(body, sent: 200_000, headers: headers)
                    : .ranged(body, etag: "\"1\"", headers: headers)
            })
        for partition in ["ann", "bob"] {
            for type in ["image/png", "image/gif"] {
                await #expect(throws: TransportError.self) {
                    try await bench.load("/a", partition: partition, headers: ["Accept": type])
                }
            }
        }
        #expect(ranges == [nil, nil, nil, nil])
        expectWhole(try await bench.load("/a", partition: "bob", headers: ["Accept": "image/gif"]))
        let key = ResponseKey(HTTP.Request(bench.origin.url("/a")), partition: "ann")
        #expect(await bench.store.parts(for: key).count == 2)
        await bench.store.removeAll(for: bench.origin.url("/a"))
        #expect(bench.store.usedBytes == 0)
    }

    @Test("R11: a slow transfer is written down as it goes, a fast one is not") func advance()
        async throws
    {
        cut(at: 400_000, then: ranged)
        let request = HTTP.Request(bench.origin.url("/a"))
        let response = try await bench.cache.transport().exchange(request)
        let ticket = try #require(response.ticket)
        let spool = BodySpool()
        try await spool.append(Data(body[..<300_000]))
        await ticket.advance(spool)
        #expect(try await heldParts == 0, "all of it came at once")
        bench.clock.advance(by: .seconds(3))
        await ticket.advance(spool)
        #expect(try await heldParts == 1)
        bench.clock.advance(by: .seconds(3))
        await ticket.advance(spool)
        #expect(try await heldParts == 1, "nothing is new")
        expectWhole(try await bench.load("/a"))
        #expect(ranges == [nil, "bytes=300000-"])
    }

    @Test("R11: what turns out to be no picture is forgotten") func discarded() async throws {
        cut(then: ranged)
        await loadCutOff()
        let response = try await bench.cache.transport().exchange(
            HTTP.Request(bench.origin.url("/a")))
        await response.discard?()
        #expect(bench.store.usedBytes == 0)
    }
}
