import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// Credentials and cookies of a loader.
@Suite struct CredentialTests {
    private let bench: Workbench
    private let png: [UInt8]
    private let gif: [UInt8]

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
        gif = [UInt8](try Fixture.data("scene.gif"))
    }

    private func credential(_ user: String, _ password: String = "pw") -> Credential {
        Credential(user: user, password: password)
    }

    /// A picture for each user.
    private func serveByUser(_ path: String, on origin: OriginServer) {
        let (png, gif) = (png, gif)
        origin.route(
            path,
            .dynamic { request in
                let fresh: [OriginHeader] = ["Cache-Control: max-age=60"]
                return switch request.header("Authorization") {
                case "Basic " + Data("ann:pw".utf8).base64EncodedString(),
                    "Basic " + Data("ann:new".utf8).base64EncodedString():
                    .bytes(png, headers: fresh)
                case "Basic " + Data("bob:pw".utf8).base64EncodedString():
                    .bytes(gif, headers: fresh)
                default: .status(401, headers: ["WWW-Authenticate: Basic realm=\"x\""])
                }
            })
    }

    private func reason(_ loader: ImageLoader, _ path: String) async -> ImageError.Reason? {
        do throws(ImageError) {
            _ = try await loader.image(for: bench.request(path))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("R9: added to and removed from a running loader, for later loads; users never share")
    func users() async throws {
        serveByUser("/a", on: bench.origin)
        let loader = bench.loader()
        let request = bench.request("/a")
        #expect(await reason(loader, "/a") == .status(401))
        loader.setCredential(credential("ann"))
        #expect(try await loader.response(for: request).image.info.format == .png)
        #expect(try await loader.response(for: request).source == .memory)
        loader.setCredential(credential("bob"))
        #expect(loader.cachedImage(for: request) == nil)
        let bob = try await loader.response(for: request)
        #expect(bob.source == .network && bob.image.info.format == .gif)
        // A new password keeps what was stored, in memory and on disk.
        let count = bench.origin.requestCount
        loader.setCredential(credential("ann", "new"))
        #expect(try await loader.response(for: request).source == .memory)
        let other = bench.loader()
        other.setCredential(credential("ann", "other"))
        #expect(try await other.response(for: request).source == .disk)
        #expect(bench.origin.requestCount == count)
        loader.removeCredentials()
        #expect(loader.cachedImage(for: request) == nil)
        #expect(await reason(loader, "/a") == .status(401))
    }

    @Test("R9: a wrong password is .status(401) at once, with the facts")
    func wrongPassword() async throws {
        serveByUser("/a", on: bench.origin)
        let loader = bench.loader()
        loader.setCredential(credential("ann", "hunter2"))
        let error = await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/a"))
        }
        #expect(error?.reason == .status(401))
        #expect(error?.http?.headers["www-authenticate"] == "Basic realm=\"x\"")
        #expect(bench.origin.requests(for: "/a").count == 2)
        #expect("\(String(describing: error))".contains("hunter2") == false)
    }

    @Test("R9: the loader's credential never follows a redirect; that of an origin is its own")
    func redirects() async throws {
        let other = try Workbench()
        serveByUser("/b", on: other.origin)
        bench.origin.route(
            "/a",
            .redirect(
                to: other.origin.address("/b"), headers: ["Cache-Control: max-age=60"]))
        let loader = bench.loader()
        loader.setCredential(credential("ann"))
        #expect(await reason(loader, "/a") == .status(401))
        #expect(other.origin.requests(for: "/b").allSatisfy { $0.header("Authorization") == nil })

        try loader.setCredential(credential("bob"), forOriginOf: other.origin.url())
        #expect(try await loader.image(for: bench.request("/a")).info.format == .gif)
        // What came with another's credential is not found in memory, nor by another on disk.
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)
        #expect(try await loader.response(for: bench.request("/a")).source == .disk)
        try loader.setCredential(credential("ann"), forOriginOf: other.origin.url())
        #expect(try await loader.image(for: bench.request("/a")).info.format == .png)
        try loader.setCredential(nil, forOriginOf: other.origin.url())
        #expect(await reason(loader, "/a") == .status(401))

        #expect(throws: ImageError.self) {
            try loader.setCredential(
                credential("ann"), forOriginOf: try #require(URL(string: "file:///a")))
        }
    }

    @Test("R9: a load under way goes on as it began, and one of another user does not join it")
    func underWay() async throws {
        let (png, gif) = (png, gif)
        bench.origin.route(
            "/a",
            .dynamic { request in
                switch request.header("Authorization") {
                case nil: .status(401, headers: ["WWW-Authenticate: Basic realm=\"x\""])
                case "Basic " + Data("ann:pw".utf8).base64EncodedString():
                    .delayed(.milliseconds(300), then: .bytes(png))
                default: .bytes(gif)
                }
            })
        let loader = bench.loader()
        loader.setCredential(credential("ann"))
        let first = loader.task(for: bench.request("/a"))
        try await eventually("ann asks") { bench.origin.requests(for: "/a").count == 2 }
        loader.setCredential(credential("bob"))
        let second = loader.task(for: bench.request("/a"))
        #expect(try await second.response.image.info.format == .gif)
        #expect(try await first.response.image.info.format == .png)
    }

    @Test("R9: a partition by name goes before the user")
    func partition() async throws {
        serveByUser("/a", on: bench.origin)
        let loader = bench.loader()
        let request = bench.request("/a") { $0.partition = "team" }
        loader.setCredential(credential("ann"))
        _ = try await loader.image(for: request)
        loader.setCredential(credential("bob"))
        #expect(try await loader.response(for: request).source == .memory)
    }

    @Test("R13: without a jar there are no cookies")
    func noCookies() async throws {
        bench.origin.route(
            "/a", .bytes(png, headers: ["Set-Cookie: id=1", "Cache-Control: no-store"]))
        let loader = bench.loader()
        for _ in 1...2 { _ = try await loader.image(for: bench.request("/a")) }
        #expect(bench.origin.requests(for: "/a").allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("R13: a jar of the caller's is asked for each hop, and hears what servers set")
    func jar() async throws {
        let other = try Workbench()
        other.origin.route("/b", .bytes(png, headers: ["Set-Cookie: x=1", "Set-Cookie: y=2"]))
        bench.origin.route(
            "/a", .redirect(to: other.origin.address("/b"), headers: ["Set-Cookie: hop=1"]))
        let heard = Lock<[String]>([])
        let port = other.origin.port
        let loader = bench.loader {
            $0.cookies = CookieJar(
                send: { $0.port == port ? "id=other" : "id=own" },
                receive: { url, lines in
                    heard.withLock { $0 += lines.map { "\(url.path()) \($0)" } }
                })
        }
        _ = try await loader.image(for: bench.request("/a"))
        #expect(bench.origin.requests(for: "/a").map { $0.header("Cookie") } == ["id=own"])
        #expect(other.origin.requests(for: "/b").map { $0.header("Cookie") } == ["id=other"])
        #expect(heard.withLock { $0 } == ["/a hop=1", "/b x=1", "/b y=2"])
        // A request's own header goes first, and does not follow to the other origin.
        let own = bench.request("/a") { $0.headers["cookie"] = "mine" }
        _ = try await loader.image(for: own)
        #expect(bench.origin.requests(for: "/a").last?.header("Cookie") == "mine")
        #expect(other.origin.requests(for: "/b").last?.header("Cookie") == nil)
    }

    @Test("R13, promise 1: other cookies are other loads, in memory, on disk and under way")
    func cookieIdentity() async throws {
        let (png, gif) = (png, gif)
        bench.origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    request.header("Cookie") == "ann" ? png : gif,
                    headers: ["Cache-Control: max-age=60"])
            })
        let cookie = Lock("ann")
        let loader = bench.loader {
            $0.cookies = CookieJar(send: { _ in cookie.withLock { $0 } }, receive: { _, _ in })
        }
        let request = bench.request("/a")
        async let first = loader.response(for: request)
        async let second = loader.response(for: request)
        #expect(try await first.image.info.format == .png)
        #expect(try await second.image.info.format == .png)
        #expect(bench.origin.requestCount == 1)
        cookie.withLock { $0 = "bob" }
        #expect(loader.cachedImage(for: request) == nil)
        #expect(try await loader.image(for: request).info.format == .gif)
        cookie.withLock { $0 = "ann" }
        #expect(try await loader.response(for: request).source == .memory)
        loader.imageCache.removeAll()
        let stored = try await loader.response(for: request)
        #expect(stored.source == .disk && stored.image.info.format == .png)
        #expect(bench.origin.requestCount == 2)
    }
}
