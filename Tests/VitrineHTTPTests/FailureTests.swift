import FoundationEssentials
import OriginSupport
import SlowResolver
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Each way in which an exchange fails, against an origin that misbehaves.
@Suite struct FailureTests {
    let transport = CurlTransport()

    @Test(
        "Promise 30: only http and https URLs with a host are fetched",
        arguments: [
            "http:///x", "http://", "https://:80/", "http:x", "/x", "http://h:0/",
            "http://h:99999/",
        ])
    func invalidURLs(_ text: String) async throws {
        guard let url = URL(string: text) else { return }
        #expect(await transport.failure(url) == .invalidURL(url.absoluteString))
    }

    @Test("Promise 30: other schemes are refused", arguments: ["file", "ftp", "data", "gopher"])
    func schemes(_ scheme: String) async throws {
        let url = try url("\(scheme)://localhost/etc/passwd")
        #expect(await transport.failure(url) == .unsupportedScheme(scheme))
    }

    @Test(arguments: [
        ("X", "a\r\nInjected: 1"), ("X", "a\0b"), ("X\r\nY", "1"), ("", "1"), ("X Y", "1"),
    ])
    func headersThatWouldBreakTheRequest(_ name: String, _ value: String) async throws {
        let request = HTTP.Request(
            try url("http://127.0.0.1:1/"), headers: HTTP.Headers(dictionaryLiteral: (name, value)))
        guard case .invalidRequest = await transport.failure(request) else {
            Issue.record("it was sent")
            return
        }
    }

    @Test func methodsThatWouldBreakTheRequest() async throws {
        let request = HTTP.Request(
            try url("http://127.0.0.1:1/"), method: .init(rawValue: "GET / HTTP/1.1\r\nX:"))
        let failure = await transport.failure(request)
        #expect(failure == .invalidRequest(reason: "the method is not a token"))
    }

    @Test func unknownHost() async throws {
        let failure = await transport.failure(try url("http://missing.test/"))
        #expect(failure == .dns(host: "missing.test"))
    }

    @Test func connectionRefused() async throws {
        let port = try await withOrigin { $0.port }
        let failure = await transport.failure(try url("http://127.0.0.1:\(port)/"))
        #expect(
            failure == .connect(host: "127.0.0.1", port: port, reason: "Connection refused"))
    }

    @Test func truncatedBodies() async throws {
        try await withOrigin([
            "/length": .truncated(patterned(1000), sent: 512),
            "/chunked": .truncatedChunked([[1, 2, 3], [4]]),
        ]) { server throws in
            #expect(
                await transport.failure(server.url("/length"))
                    == .truncated(received: 512, expected: 1000))
            #expect(
                await transport.failure(server.url("/chunked"))
                    == .truncated(received: 4, expected: nil))
        }
    }

    @Test func whatCameBeforeTheErrorIsReadable() async throws {
        try await withOrigin(["/a": .truncated(patterned(1000), sent: 512)]) { server throws in
            let response = try await transport.exchange(HTTP.Request(server.url("/a")))
            var received = Data()
            await #expect(throws: TransportError.truncated(received: 512, expected: 1000)) {
                for try await chunk in response.body { received.append(chunk) }
            }
            #expect(received == Data(patterned(512)))
        }
    }

    @Test func resets() async throws {
        try await withOrigin(["/head": .reset(afterBytes: nil), "/body": .reset(afterBytes: 500)]) {
            server throws in
            #expect(
                await transport.failure(server.url("/head")) == .connectionLost(received: 0))
            #expect(
                await transport.failure(server.url("/body")) == .connectionLost(received: 500))
        }
    }

    @Test func closedWithoutAnAnswer() async throws {
        try await withOrigin(["/a": .closeWithoutAnswer]) { server throws in
            #expect(await transport.failure(server.url("/a")) == .connectionLost(received: 0))
        }
    }

    @Test func answersThatAreNotHTTP() async throws {
        try await withOrigin([
            "/garbage": .raw(Array("SSH-2.0-OpenSSH_9.2\r\nhello\r\n".utf8)),
            "/chunk": .badChunk,
            "/binary": .raw((0..<200).map { UInt8($0) }),
        ]) { server throws in
            for path in ["/garbage", "/chunk", "/binary"] {
                guard case .badResponse(let reason) = await transport.failure(server.url(path))
                else {
                    Issue.record("\(path) was accepted")
                    continue
                }
                #expect(!reason.isEmpty)
            }
        }
    }

    @Test func headersThatAreTooLarge() async throws {
        try await withOrigin([
            "/fine": .hugeHeader(bytes: 90_000), "/many": .hugeHeader(bytes: 400_000),
            "/line": .longHeaderLine(bytes: 150_000),
        ]) { server throws in
            #expect(await transport.failure(server.url("/fine")) == nil)
            #expect(
                await transport.failure(server.url("/many"))
                    == .headerTooLarge(limit: Transfer.maximumHeaderBytes))
            #expect(
                await transport.failure(server.url("/line"))
                    == .headerTooLarge(limit: Transfer.maximumLineBytes))
        }
    }

    @Test("R12: a body above the limit is refused, announced or not")
    func bodiesThatAreTooLarge() async throws {
        try await withOrigin([
            "/length": .bytes(patterned(1000)),
            "/chunked": .chunked(Array(repeating: patterned(100), count: 10)),
        ]) { server throws in
            for path in ["/length", "/chunked"] {
                let url = server.url(path)
                #expect(
                    await transport.failure(HTTP.Request(url, maximumBodyBytes: 999))
                        == .bodyTooLarge(limit: 999))
                #expect(
                    await transport.failure(HTTP.Request(url, maximumBodyBytes: 1000)) == nil)
                #expect(
                    await transport.failure(HTTP.Request(url, maximumBodyBytes: .min))
                        == .bodyTooLarge(limit: .min))
            }
            // Announced: refused before a byte of it is taken, so there is no head either.
            await #expect(throws: TransportError.bodyTooLarge(limit: 10)) {
                _ = try await transport.exchange(
                    HTTP.Request(server.url("/length"), maximumBodyBytes: 10))
            }
            let response = try await transport.exchange(HTTP.Request(server.url("/chunked")))
            await #expect(throws: TransportError.bodyTooLarge(limit: 500)) {
                _ = try await response.body.collect(limit: 500)
            }
            await #expect(throws: TransportError.bodyTooLarge(limit: .min)) {
                _ = try await HTTP.Body.bytes(Data([1])).collect(limit: .min)
            }
        }
    }

    @Test func credentialsThatAreRefusedAreAResponse() async throws {
        try await withOrigin(["/a": .basicAuth(user: "me", password: "pw", then: .bytes([1]))]) {
            server throws in
            #expect(try await transport.fetch(server.url("/a")).response.status == 401)
            let request = HTTP.Request(
                server.url("/a"), headers: ["Authorization": "Basic bWU6cHc="])
            #expect(try await transport.fetch(request).response.status == 200)
        }
    }

    @Test func shutdownEndsWhatRunsAndRefusesTheRest() async throws {
        try await withOrigin(["/never": .never, "/stall": .stall(afterBytes: 10)]) {
            server throws in
            let transport = CurlTransport()
            let never = HTTP.Request(server.url("/never"))
            let stalled = try await transport.exchange(HTTP.Request(server.url("/stall")))
            async let failure = transport.failure(never)
            #expect(try await eventually { server.requestCount == 2 })
            transport.shutdown()
            #expect(await failure == .shutDown)
            await #expect(throws: TransportError.shutDown) {
                _ = try await stalled.body.collect(limit: 100)
            }
            #expect(await transport.failure(never) == .shutDown)
        }
    }

    @Test(
        "R6: two lengths that differ, and a length beyond all numbers",
        arguments: [
            ("Content-Length: 3\r\nContent-Length: 4", "contradictory"),
            ("Content-Length: 4, 3", "contradictory"),
            ("Content-Length: 99999999999999999999", "large"),
            ("Content-Length: 3\r\nContent-Length: 3", "fine"), ("Content-Length: 3, 3", "fine"),
            ("Content-Length: 003", "fine"),
            ("Content-Length: 9\r\nTransfer-Encoding: chunked", "chunked"),
        ])
    func lengths(_ header: String, _ expected: String) async throws {
        let body = expected == "chunked" ? "3\r\nabc\r\n0\r\n\r\n" : "abc"
        let answer = "HTTP/1.1 200 OK\r\n\(header)\r\n\r\n\(body)"
        try await withOrigin(["/a": .raw(Array(answer.utf8))]) { server throws in
            let failure = await transport.failure(HTTP.Request(server.url("/a")))
            switch expected {
            case "contradictory":
                let reason = "it says two different lengths of its body"
                #expect(failure == .badResponse(reason: reason))
            case "large": #expect(failure == .bodyTooLarge(limit: 256 << 20))
            default: #expect(failure == nil)
            }
        }
    }

    @Test(
        "R6: a head that breaks off is no answer",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Ty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/pa",
        ])
    func brokenHead(_ head: String) async throws {
        try await withOrigin(["/a": .raw(Array(head.utf8))]) { server throws in
            let follower = RedirectFollower(over: transport)
            #expect(await follower.failure(server.url("/a")) == .connectionLost(received: 0))
        }
    }

    @Test("R6: a switch of protocols that nobody asked for is no answer")
    func switchedProtocols() async throws {
        let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nbytes"
        try await withOrigin(["/a": .raw(Array(answer.utf8))]) { server throws in
            let failure = await transport.failure(server.url("/a"))
            #expect(failure == .badResponse(reason: "it has no final status"))
        }
    }

    @Test("R6: a URL beyond all reason is refused before it is sent") func longURL() async throws {
        try await withOrigin { server throws in
            let url = try url(server.address("/a?") + String(repeating: "x", count: 2_000_000))
            let failure = await transport.failure(url)
            guard case .invalidRequest(let reason) = failure else {
                Issue.record("\(String(describing: failure).prefix(200))")
                return
            }
            #expect(reason.hasSuffix(", and 1048576 is the limit"))
        }
    }

    @Test("the texts of libcurl end no sentence") func texts() async throws {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: nonsense\r\n\r\nbytes"
        try await withOrigin(["/a": .raw(Array(answer.utf8))]) { server throws in
            let failure = await transport.failure(server.url("/a"))
            guard case .badResponse(let reason) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(reason.last?.isLetter == true)
        }
    }
}
