import FoundationEssentials
import OriginSupport
import SlowResolver
import Testing
import VitrineBase

@testable import VitrineHTTP

@Suite struct RedirectFollowerTests {
    let follower = RedirectFollower(over: CurlTransport())

    @Test(arguments: [301, 302, 303, 307, 308])
    func followsAndRemembers(_ status: Int) async throws {
        try await withOrigin([
            "/a/b": .redirect(to: "../c?x=1", status: status), "/c": .bytes([1, 2, 3]),
        ]) { server throws in
            let (response, body) = try await follower.fetch(server.url("/a/b#part"))
            #expect(body == Data([1, 2, 3]))
            #expect(response.url.absoluteString == server.address("/c?x=1#part"))
            #expect(response.redirects == [.init(url: server.url("/a/b#part"), status: status)])
            // The short body of the redirect was read, so one connection was enough.
            #expect(server.connectionCount == 1)
        }
    }

    @Test func whatIsNoRedirectIsReturned() async throws {
        try await withOrigin([
            "/300": .status(300, headers: ["Location: /x"]),
            "/302": .status(302), "/200": .status(200, headers: ["Location: /x"]),
        ]) { server throws in
            for status in [300, 302, 200] {
                let response = try await follower.fetch(server.url("/\(status)")).response
                #expect(response.status == status)
                #expect(response.redirects.isEmpty)
            }
        }
    }

    @Test func aNewFragmentReplacesTheOld() async throws {
        try await withOrigin(["/a": .redirect(to: "/b#new"), "/b": .bytes([1])]) { server throws in
            let response = try await follower.fetch(server.url("/a#old")).response
            #expect(response.url.absoluteString == server.address("/b#new"))
        }
    }

    @Test func theLimit() async throws {
        try await withOrigin { server throws in
            for step in 0..<12 { server.route("/\(step)", .redirect(to: "/\(step + 1)")) }
            server.route("/12", .bytes([1]))
            #expect(try await follower.fetch(server.url("/2")).response.redirects.count == 10)
            #expect(
                await follower.failure(server.url("/1")) == .tooManyRedirects(limit: 10))
            let none = RedirectFollower(over: CurlTransport(), limit: 0)
            #expect(await none.failure(server.url("/11")) == .tooManyRedirects(limit: 0))
            #expect(try await none.fetch(server.url("/12")).body == Data([1]))
        }
    }

    @Test func loops() async throws {
        try await withOrigin([
            "/self": .redirectLoop, "/a": .redirect(to: "/b"), "/b": .redirect(to: "/a#x"),
        ]) { server throws in
            #expect(
                await follower.failure(server.url("/self"))
                    == .redirectLoop(server.url("/self")))
            #expect(
                await follower.failure(server.url("/a")) == .redirectLoop(server.url("/a#x")))
            #expect(server.requestCount == 3)
        }
    }

    @Test(
        "Promise 30: redirects lead to http and https only",
        arguments: [
            "file:///etc/passwd", "data:text/plain,hi", "ftp://127.0.0.1/x", "javascript:1",
        ])
    func schemes(_ target: String) async throws {
        try await withOrigin(["/a": .redirect(to: target)]) { server throws in
            #expect(
                await follower.failure(server.url("/a"))
                    == .redirectRefused(to: try url(target)))
        }
    }

    @Test func aTargetThatIsNoURL() async throws {
        try await withOrigin(["/a": .redirect(to: "http:///x"), "/b": .redirect(to: "")]) {
            server throws in
            #expect(await follower.failure(server.url("/a")) == .invalidURL("http:///x"))
            guard case .badResponse = await follower.failure(server.url("/b")) else {
                Issue.record("it was followed")
                return
            }
        }
    }

    @Test("Promise 29: secrets do not follow a redirect to another origin, and do not come back")
    func secretsStayAtTheirOrigin() async throws {
        try await withOrigin(["/echo": .echo]) { other throws in
            try await withOrigin(["/echo": .echo]) { server throws in
                server.route("/same", .redirect(to: "/echo"))
                server.route("/away", .redirect(to: other.address("/echo")))
                server.route("/host", .redirect(to: server.address("/echo", host: "localhost")))
                server.route("/twice", .redirect(to: other.address("/back")))
                other.route("/back", .redirect(to: server.address("/echo")))

                func seen(_ path: String) async throws -> String {
                    let request = HTTP.Request(
                        server.url(path),
                        headers: [
                            "Authorization": "Bearer S1", "Cookie": "k=S2", "X-Api-Key": "S3",
                            "Proxy-Authorization": "Basic S4", "Accept": "image/png",
                        ], secretHeaders: ["x-api-key"])
                    return text(try await follower.fetch(request).body)
                }
                let same = try await seen("/same")
                for secret in ["S1", "S2", "S3", "S4"] { #expect(same.contains(secret)) }
                for path in ["/away", "/host", "/twice"] {
                    let away = try await seen(path)
                    #expect(away.contains("Accept: image/png"))
                    for secret in ["S1", "S2", "S3", "S4"] { #expect(!away.contains(secret)) }
                }
            }
        }
    }

    @Test(arguments: [
        (301, HTTP.Method.post, "GET"), (302, .post, "GET"), (303, .post, "GET"),
        (303, .put, "GET"),
        (307, .post, "POST"), (308, .post, "POST"), (301, .put, "PUT"), (303, .head, "HEAD"),
    ])
    func methods(_ status: Int, _ method: HTTP.Method, _ expected: String) async throws {
        try await withOrigin(["/a": .redirect(to: "/echo", status: status), "/echo": .echo]) {
            server throws in
            let request = HTTP.Request(
                server.url("/a"), method: method, headers: ["Content-Type": "text/plain"],
                body: method == .head ? nil : Data("content".utf8))
            _ = try await follower.fetch(request)
            let seen = try #require(server.requests(for: "/echo").first)
            #expect(seen.method == expected)
            let keepsContent = expected != "GET" && expected != "HEAD"
            #expect(seen.body == (keepsContent ? Array("content".utf8) : []))
            if expected == "GET" { #expect(seen.header("Content-Type") == nil) }
        }
    }

    @Test("Promise 29: a step from https to http drops secrets")
    func downgrade() throws {
        let request = HTTP.Request(
            try url("https://h.test/a"), headers: ["Cookie": "k=v", "Accept": "*/*"])
        let response = HTTP.Response(url: request.url, status: 301)
        let next = try RedirectFollower.request(
            after: response, at: "http://h.test/a", from: request)
        #expect(next.headers == ["Accept": "*/*"])
        // The default port and the case of the host make no other origin.
        let same = try RedirectFollower.request(
            after: response, at: "https://H.test:443/b", from: request)
        #expect(same.headers == request.headers)
    }

    @Test func aLongBodyOfARedirectIsNotRead() async throws {
        try await withOrigin([
            "/a": .dynamic { _ in
                .status(302, headers: ["Location: /b"], body: patterned(30 << 20))
            }, "/b": .bytes([1]),
        ]) { server throws in
            #expect(try await follower.fetch(server.url("/a")).body == Data([1]))
            #expect(server.connectionCount == 2)
        }
    }

    @Test func theBodyOfARedirectIsOfferedToTheCache() async throws {
        struct Fake: Transport {
            let stored: Lock<[Data]>
            func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
                guard request.url.path == "/a" else {
                    return HTTP.Response(url: request.url, status: 200)
                }
                let stored = stored
                return HTTP.Response(
                    url: request.url, status: 301, headers: ["Location": "/b"],
                    body: .bytes(Data("moved".utf8)),
                    freshUntil: Date(timeIntervalSince1970: 5),
                    ticket: StoreTicket { spool in
                        let bytes = try? await spool.bytes()
                        stored.withLock { $0.append(bytes ?? Data()) }
                        return true
                    })
            }
        }
        let fake = Fake(stored: Lock([]))
        let response = try await RedirectFollower(over: fake).exchange(
            HTTP.Request(try url("http://h.test/a")))
        #expect(fake.stored.withLock { $0 } == [Data("moved".utf8)])
        #expect(response.redirects.first?.freshUntil == Date(timeIntervalSince1970: 5))
    }

    @Test("R4: a redirect whose body does not come holds nothing up") func stalledBody()
        async throws
    {
        try await withOrigin(["/a": .stalledRedirect(to: "/b"), "/b": .bytes([1])]) {
            server throws in
            var request = HTTP.Request(server.url("/a"))
            request.timeouts.idle = .seconds(60)
            let start = ContinuousClock.now
            #expect(try await follower.fetch(request).body == Data([1]))
            #expect(ContinuousClock.now - start < soon)
        }
    }

    @Test("R12: redirects share one total time") func totalTime() async throws {
        try await withOrigin { server throws in
            for step in 0..<8 {
                server.route(
                    "/\(step)",
                    .delayed(.milliseconds(300), then: .redirect(to: "/\(step + 1)")))
            }
            server.route("/8", .bytes([1]))
            var request = HTTP.Request(server.url("/0"))
            request.timeouts.total = .seconds(1)
            let failure = await follower.failure(request)
            #expect(failure == .timeout(phase: .total, after: .seconds(1)))
        }
    }
}
