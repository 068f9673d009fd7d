import FoundationEssentials
import OriginSupport
import Testing
import VitrineBase

@testable import VitrineHTTP

/// Answers to challenges of a real origin.
@Suite struct AuthenticatorTests {
    private let ann = Credential(user: "ann", password: "hunter2")

    private func authenticator(
        _ credential: Credential, for url: URL
    ) throws -> Authenticator {
        var credentials = Credentials()
        try credentials.set(credential, forOriginOf: url)
        return Authenticator(over: CurlTransport(), credentials: credentials)
    }

    @Test("R9: Digest", arguments: DigestAnswer.Algorithm.allCases)
    func digest(_ algorithm: DigestAnswer.Algorithm) async throws {
        let origin = DigestOrigin(algorithm, user: "ann", password: "hunter2")
        try await withOrigin(["/a": origin.endpoint, "/b/c": origin.endpoint]) { server throws in
            let transport = try authenticator(ann, for: server.url())
            for path in ["/a", "/a?q=a%20b#x", "/b/./x/../c?"] {
                let (response, body) = try await transport.fetch(server.url(path))
                #expect(response.status == 200 && text(body) == "welcome")
            }
            // One challenge, since the later requests answer it at once.
            #expect(origin.seen == .init(challenges: 1, granted: 3))
            origin.renew()
            #expect(try await transport.fetch(server.url("/a")).response.status == 200)
            #expect(origin.seen == .init(challenges: 1, granted: 4, denied: 1))
        }
    }

    @Test("R9: a wrong password is a 401 at once, in two exchanges, each time")
    func wrongPassword() async throws {
        let origin = DigestOrigin(.sha256, user: "ann", password: "other")
        try await withOrigin([
            "/digest": origin.endpoint,
            "/basic": .basicAuth(user: "ann", password: "other", then: .bytes([1])),
        ]) { server throws in
            let transport = try authenticator(ann, for: server.url())
            for path in ["/digest", "/basic"] {
                for round in 1...2 {
                    let (response, body) = try await transport.fetch(server.url(path))
                    #expect(response.status == 401 && text(body) == "denied")
                    #expect(server.requests(for: path).count == 2 * round)
                }
            }
        }
    }

    @Test("R9: many requests at once")
    func concurrently() async throws {
        let origin = DigestOrigin(.sha256, user: "ann", password: "hunter2")
        try await withOrigin(["/a": origin.endpoint]) { server throws in
            let transport = try authenticator(ann, for: server.url())
            let target = server.url("/a")
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask { (try? await transport.fetch(target))?.response.status ?? 0 }
                }
                for await status in group { #expect(status == 200) }
            }
            #expect(origin.seen.granted == 50 && origin.seen.denied == 0)
        }
    }

    @Test("R9: Basic after a challenge, or unasked where the credential says so")
    func basic() async throws {
        let endpoint = Endpoint.basicAuth(user: "ann", password: "hunter2", then: .bytes([1]))
        try await withOrigin(["/a": endpoint]) { server throws in
            let target = server.url("/a")
            let asked = try authenticator(ann, for: target)
            #expect(try await asked.fetch(target).body == Data([1]))
            #expect(
                server.requests(for: "/a").map { $0.header("Authorization") != nil } == [
                    false, true,
                ])
            server.forget()
            var forward = ann
            forward.isSentUnasked = true
            #expect(try await authenticator(forward, for: target).fetch(target).body == Data([1]))
            #expect(server.requests(for: "/a").count == 1)
            server.forget()
            forward.password = "wrong"
            let denied = try await authenticator(forward, for: target).fetch(target)
            #expect(denied.response.status == 401)
            #expect(server.requests(for: "/a").count == 1)
            var only = ann
            only.schemes = [.digest]
            server.forget()
            #expect(try await authenticator(only, for: target).fetch(target).response.status == 401)
            #expect(server.requests(for: "/a").allSatisfy { $0.header("Authorization") == nil })
            // `Basic` cannot say a name with a colon.
            let colon = Credential(user: "a:b", password: "c")
            #expect(
                try await authenticator(colon, for: target).fetch(target).response.status == 401)
        }
    }

    @Test("R9: Digest goes before Basic")
    func preference() async throws {
        let both = Endpoint.dynamic { request in
            request.header("Authorization")?.hasPrefix("Digest ") == true
                ? .bytes([1])
                : .status(
                    401,
                    headers: [
                        "WWW-Authenticate: Basic realm=\"x\"",
                        "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth\"",
                    ])
        }
        try await withOrigin(["/a": both]) { server throws in
            let target = server.url("/a")
            #expect(try await authenticator(ann, for: target).fetch(target).response.status == 200)
            let all = server.requests(for: "/a").compactMap { $0.header("Authorization") }
            #expect(all.count == 1)
        }
    }

    @Test("R9, promise 29: nothing is shown to another origin")
    func otherOrigin() async throws {
        let challenge = Endpoint.status(401, headers: ["WWW-Authenticate: Basic realm=\"x\""])
        try await withOrigin(["/b": challenge]) { other throws in
            try await withOrigin(["/a": .redirect(to: other.address("/b"))]) { server throws in
                var forward = ann
                forward.isSentUnasked = true
                let transport = RedirectFollower(
                    over: try authenticator(forward, for: server.url()))
                #expect(try await transport.fetch(server.url("/a")).response.status == 401)
                #expect(server.requests(for: "/a").first?.header("Authorization") != nil)
                #expect(other.requests(for: "/b").count == 1)
                #expect(other.requests(for: "/b").first?.header("Authorization") == nil)
            }
        }
    }

    @Test("R9: a request's own Authorization, or the user in its URL, goes first")
    func ownHeader() async throws {
        try await withOrigin(["/a": .echo]) { server throws in
            var forward = ann
            forward.isSentUnasked = true
            let transport = try authenticator(forward, for: server.url())
            let own = HTTP.Request(server.url("/a"), headers: ["authorization": "Bearer x"])
            #expect(text(try await transport.fetch(own).body).contains("authorization: Bearer x"))
            let named = try url("http://bob:pw@127.0.0.1:\(server.port)/a")
            #expect(text(try await transport.fetch(named).body).contains("Basic Ym9iOnB3"))
        }
    }

    @Test("R12: the total time is that of both exchanges")
    func time() async throws {
        let slow = Endpoint.delayed(
            .milliseconds(400),
            then: .status(401, headers: ["WWW-Authenticate: Basic realm=\"x\""]))
        try await withOrigin(["/a": slow]) { server throws in
            var request = HTTP.Request(server.url("/a"))
            request.timeouts.total = .milliseconds(600)
            let failure = await (try authenticator(ann, for: server.url())).failure(request)
            guard case .timeout(.total, _) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }
}
