import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// What arrives when all goes well.
@Suite struct CurlTransportTests {
    let transport = CurlTransport()

    @Test("L7: the transport is usable alone")
    func bytesArrive() async throws {
        let bytes = patterned(30_000)
        try await withOrigin([
            "/a": .bytes(bytes, type: "image/png", headers: ["X-A: 1", "X-A: 2"])
        ]) { server throws in
            let (response, body) = try await transport.fetch(server.url("/a?x=1#fragment"))
            #expect(response.status == 200)
            #expect(response.version == .http11)
            #expect(response.headers["content-type"] == "image/png")
            #expect(response.headers.values(for: "x-a") == ["1", "2"])
            #expect(response.source == .network)
            #expect(response.redirects.isEmpty)
            #expect(response.url == server.url("/a?x=1#fragment"))
            #expect(body == Data(bytes))
            #expect(server.requests(for: "/a").first?.target == "/a?x=1")
        }
    }

    @Test("L7: a request to a host that has answered nothing yet waits for no other")
    func coldHost() async throws {
        try await withOrigin(["/slow": .never, "/a": .bytes([1])]) { server throws in
            let slow = Task { try? await transport.fetch(server.url("/slow")) }
            #expect(try await eventually { server.requests(for: "/slow").count == 1 })
            let request = HTTP.Request(
                server.url("/a"), timeouts: HTTP.Timeouts(total: .seconds(5)))
            #expect(try await transport.fetch(request).body == Data([1]))
            slow.cancel()
            _ = await slow.value
        }
    }

    @Test func theRequestIsSentAsGiven() async throws {
        try await withOrigin(["/echo": .echo]) { server throws in
            var request = HTTP.Request(
                server.url("/echo"), method: .put, body: Data("content".utf8))
            request.headers = ["Accept": "image/webp", "X-Empty": "", "x-two": "1"]
            request.headers.add("x-two", "2")
            let seen = text(try await transport.fetch(request).body)
            #expect(seen.hasPrefix("PUT /echo HTTP/1.1\r\n"))
            #expect(seen.contains("\r\nAccept: image/webp\r\n"))
            #expect(seen.contains("\r\nx-two: 1\r\nx-two: 2\r\n"))
            #expect(seen.contains("\r\nX-Empty:\r\n"))
            #expect(seen.contains("\r\nContent-Length: 7\r\n"))
            #expect(seen.contains("\r\nUser-Agent: Vitrine/0.1\r\n"))
            #expect(!seen.contains("Content-Type"))
            #expect(!seen.contains("Expect"))
            #expect(!seen.contains("Accept-Encoding"))
            #expect(seen.hasSuffix("\r\n\r\ncontent"))
        }
    }

    @Test("R13: the user agent is the configuration's, or the request's, or none")
    func userAgent() async throws {
        try await withOrigin(["/echo": .echo]) { server throws in
            let none = CurlTransport(configuration: .init(userAgent: nil))
            #expect(!text(try await none.fetch(server.url("/echo")).body).contains("User-Agent"))
            let mine = CurlTransport(configuration: .init(userAgent: "Mine/1"))
            #expect(text(try await mine.fetch(server.url("/echo")).body).contains("Mine/1"))
            let request = HTTP.Request(server.url("/echo"), headers: ["user-agent": "Other"])
            let seen = text(try await mine.fetch(request).body)
            #expect(seen.contains("user-agent: Other"))
            #expect(!seen.contains("Mine/1"))
        }
    }

    @Test(arguments: [HTTP.Method.post, .delete, .patch, .options])
    func methods(_ method: HTTP.Method) async throws {
        try await withOrigin(["/echo": .echo]) { server throws in
            let plain = HTTP.Request(server.url("/echo"), method: method)
            #expect(text(try await transport.fetch(plain).body).hasPrefix("\(method) /echo "))
            let empty = HTTP.Request(server.url("/echo"), method: method, body: Data())
            #expect(
                text(try await transport.fetch(empty).body).contains("\r\nContent-Length: 0\r\n"))
        }
    }

    @Test func headHasNoBody() async throws {
        try await withOrigin(["/a": .bytes(patterned(1000))]) { server throws in
            let request = HTTP.Request(server.url("/a"), method: .head, maximumBodyBytes: 10)
            let (response, body) = try await transport.fetch(request)
            #expect(response.headers["Content-Length"] == "1000")
            #expect(body.isEmpty)
            #expect(server.requests(for: "/a").first?.method == "HEAD")
        }
    }

    @Test func everyStatusIsAResponse() async throws {
        try await withOrigin { server throws in
            for status in [204, 301, 304, 404, 401, 500] {
                server.route("/s", .status(status, headers: ["Location: /elsewhere"]))
                #expect(try await transport.fetch(server.url("/s")).response.status == status)
            }
            #expect(server.requests(for: "/elsewhere").isEmpty)
        }
    }

    @Test func interimHeadsAreSkipped() async throws {
        try await withOrigin(["/a": .interim([100, 103], then: .bytes([1, 2, 3]))]) {
            server throws in
            let (response, body) = try await transport.fetch(server.url("/a"))
            #expect(response.status == 200)
            #expect(!response.headers.contains("Link"))
            #expect(body == Data([1, 2, 3]))
        }
    }

    @Test func chunkedBodiesAndSlowOnes() async throws {
        try await withOrigin([
            "/chunked": .chunked([[1, 2], [3], [4, 5]], interval: .milliseconds(20)),
            "/slow": .slowBody(patterned(2000), bytesPerSecond: 10_000),
        ]) { server throws in
            #expect(
                try await transport.fetch(server.url("/chunked")).body == Data([1, 2, 3, 4, 5]))
            #expect(try await transport.fetch(server.url("/slow")).body == Data(patterned(2000)))
        }
    }

    @Test func headerBytesThatAreNotUTF8AreLatin1() async throws {
        let value: [UInt8] = Array("X-Name: caf".utf8) + [0xE9, 0xFF]
        let name: [UInt8] = Array("X-".utf8) + [0xE9] + Array(": 1".utf8)
        try await withOrigin([
            "/a": .status(200, headers: [OriginHeader(raw: value), OriginHeader(raw: name)])
        ]) { server throws in
            let response = try await transport.fetch(server.url("/a")).response
            #expect(response.headers["x-name"] == "caféÿ")
        }
    }

    @Test func connectionsAreKeptAndLimited() async throws {
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 3))
        try await withOrigin(["/a": .delayed(.milliseconds(5), then: .bytes(patterned(10_000)))]) {
            server throws in
            let url = server.url("/a")
            let first = try await transport.fetch(url).response
            let second = try await transport.fetch(url).response
            #expect(!first.timings.reusedConnection)
            #expect(first.timings.connect != nil)
            #expect(first.timings.firstByte.map { $0 >= .milliseconds(4) } == true)
            #expect(second.timings.reusedConnection)
            #expect(second.timings.connect == nil)
            #expect(server.connectionCount == 1)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await transport.fetch(url).body.count }
                }
                for try await count in group { #expect(count == 10_000) }
            }
            #expect(server.requestCount == 202)
            #expect(server.connectionCount <= 3)
        }
    }

    @Test("L1: a host that does not answer the first request is asked the second all the same")
    func silenceHoldsNothingUp() async throws {
        try await withOrigin(["/silent": .never, "/a": .bytes(patterned(100))]) { server throws in
            let silent = Task { try await transport.fetch(server.url("/silent")).body.count }
            while server.requestCount < 1 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await transport.fetch(server.url("/a")).body.count == 100)
            silent.cancel()
            await #expect(throws: TransportError.cancelled) { try await silent.value }
        }
    }

    @Test func aReaderThatIsSlowPausesTheTransfer() async throws {
        let bytes = patterned(20 << 20)
        try await withOrigin(["/big": .bytes(bytes), "/small": .bytes([1])]) { server throws in
            let response = try await transport.exchange(HTTP.Request(server.url("/big")))
            var received = Data()
            var chunks = 0
            for try await chunk in response.body {
                // What waits is bounded: that is what back-pressure means.
                #expect(chunk.count <= Transfer.highWater)
                received.append(chunk)
                chunks += 1
                if chunks % 20 == 0 { try await Task.sleep(for: .milliseconds(5)) }
                if chunks == 20 { _ = try await transport.fetch(server.url("/small")) }
            }
            #expect(received == Data(bytes))
        }
    }

    @Test("R12: a paused transfer is not idle")
    func pausedTimeDoesNotCount() async throws {
        let bytes = patterned(2 << 20)
        try await withOrigin(["/big": .bytes(bytes)]) { server throws in
            let request = HTTP.Request(
                server.url("/big"), timeouts: .init(idle: .milliseconds(300)))
            let response = try await transport.exchange(request)
            try await Task.sleep(for: .milliseconds(900))
            #expect(try await response.body.collect(limit: bytes.count) == Data(bytes))
        }
    }

    @Test func aReusedConnectionThatWasResetIsTriedOnceMore() async throws {
        try await withOrigin(["/a": .resetWhenReused(then: .bytes([1, 2, 3]))]) { server throws in
            for _ in 0..<5 {
                #expect(try await transport.fetch(server.url("/a")).body == Data([1, 2, 3]))
            }
            #expect(server.connectionCount >= 5)
            // What may have had an effect is not sent again.
            let post = HTTP.Request(server.url("/a"), method: .post, body: Data([1]))
            #expect(await transport.failure(post) == nil)
            #expect(server.requests(for: "/a").filter { $0.method == "POST" }.count == 1)
        }
    }

    @Test func aTransportThatIsReleasedEndsItsThreadAndConnections() async throws {
        try await withOrigin(["/a": .bytes([1])]) { server throws in
            var transport: CurlTransport? = CurlTransport()
            _ = try await transport?.fetch(server.url("/a"))
            #expect(server.openConnections == 1)
            transport = nil
            #expect(try await eventually { server.openConnections == 0 })
        }
    }

    @Test func aBodyKeepsItsTransport() async throws {
        let bytes = patterned(3 << 20)
        try await withOrigin(["/a": .bytes(bytes)]) { server throws in
            var transport: CurlTransport? = CurlTransport()
            let response = try await transport?.exchange(HTTP.Request(server.url("/a")))
            transport = nil
            #expect(try await response?.body.collect(limit: bytes.count) == Data(bytes))
        }
    }

    @Test("R13: a proxy is used when told, and never under an address rule")
    func proxies() async throws {
        try await withOrigin { server throws in
            let proxy = server
            proxy.routeOthers(.bytes(Array("from the proxy".utf8)))
            let through = CurlTransport(
                configuration: .init(proxy: .url(proxy.address(""))))
            let target = try url("http://loopback.test:1/a")
            #expect(text(try await through.fetch(target).body) == "from the proxy")
            #expect(proxy.requests(for: "/a").first?.target == "http://loopback.test:1/a")
            let guarded = CurlTransport(
                configuration: .init(
                    addressRule: AddressRule { _ in true }, proxy: .url(proxy.address(""))))
            guard case .proxy = await guarded.failure(target) else {
                Issue.record("the proxy was asked")
                return
            }
        }
    }

    @Test func manyConnectionsAtOnce() async throws {
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1000))
        try await withOrigin(["/a": .delayed(.seconds(1), then: .bytes([1]))]) { server throws in
            let url = server.url("/a")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<1000 {
                    group.addTask {
                        var request = HTTP.Request(url)
                        request.timeouts.connect = .seconds(60)
                        return try await transport.fetch(request).body.count
                    }
                }
                for try await count in group { #expect(count == 1) }
            }
            #expect(server.requestCount == 1000)
            #expect(server.mostOpenConnections > 200)
        }
    }
}
