import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// Everything that a server, a file or a user can get wrong: one typed error each, soon, and nothing
/// left behind in a cache.
@Suite struct BadInputTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Loads what must fail, and checks that neither memory nor disk has kept anything.
    private func failure(
        _ request: ImageRequest,
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ImageError {
        let loader = bench.loader(change)
        let error = await #expect(throws: ImageError.self, sourceLocation: sourceLocation) {
            try await loader.image(for: request)
        }
        await loader.waitUntilIdle()
        #expect(loader.imageCache.memoryUsage == 0, sourceLocation: sourceLocation)
        #expect(
            try await loader.diskStatistics()?.entries == 0, sourceLocation: sourceLocation)
        let leftovers = try FileManager.default.subpathsOfDirectory(atPath: bench.folder)
            .filter { !$0.contains("index") && !$0.hasSuffix("lock") }
            .filter { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(
                    atPath: bench.folder + "/" + path, isDirectory: &isFolder)
                return !isFolder.boolValue && path.hasPrefix("cache/")
            }
        #expect(leftovers == [], sourceLocation: sourceLocation)
        return try #require(error, sourceLocation: sourceLocation)
    }

    private func failure(
        _ path: String, query: String = "", _ endpoint: Endpoint
    ) async throws -> ImageError {
        bench.origin.route(path, endpoint)
        return try await failure(bench.request(path + query))
    }

    @Test("R6: a status that is no success", arguments: [400, 401, 403, 404, 410, 500, 503])
    func status(code: Int) async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        let error = try await failure(
            "/a", query: "?token=secret",
            .status(code, headers: ["Cache-Control: max-age=60"], body: png))
        #expect(error.reason == .status(code))
        #expect(error.http?.status == code)
        #expect(error.description.contains("/a?token=…: The server answered with status \(code)"))
        #expect(!error.description.contains("secret"))
    }

    @Test("R6: what is no image") func notImages() async throws {
        let html = Array("<!DOCTYPE html><html><body>Sign in</body></html>".utf8)
        let page = try await failure(
            "/a.png", .bytes(html, type: "image/png", headers: ["Cache-Control: max-age=60"]))
        guard case .imaging(.notAnImage(let found)) = page.reason else {
            Issue.record("\(page)")
            return
        }
        #expect(found == "HTML")
        #expect(page.http?.status == 200)

        var random = SeededRandom(seed: 3)
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for bytes in [[], Array("just some text\n".utf8), noise] {
            let error = try await failure("/b.png", .bytes(bytes, type: "image/png"))
            guard case .imaging(.notAnImage) = error.reason else {
                Issue.record("\(error)")
                continue
            }
        }
    }

    @Test("promise 16: a truncated body") func truncated() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        let cut = try await failure("/a", .truncated(png, sent: 100))
        #expect(
            cut.reason == .transport(.truncated(received: 100, expected: png.count)))
        let chunked = try await failure("/b", .truncatedChunked([png]))
        #expect(chunked.reason == .transport(.truncated(received: png.count, expected: nil)))
        // Complete as a transfer, but not as a file.
        let half = try await failure(
            "/c", .bytes(Array(png.dropLast(40)), headers: ["Cache-Control: max-age=60"]))
        #expect(half.reason == .imaging(.truncated(format: .png)))
    }

    @Test("R6: a connection that breaks") func broken() async throws {
        let reset = try await failure("/a", .reset(afterBytes: 500))
        #expect(reset.reason == .transport(.connectionLost(received: 500)))
        let closed = try await failure("/b", .closeWithoutAnswer)
        #expect(closed.reason == .transport(.connectionLost(received: 0)))
        let raw = try await failure("/c", .raw(Array("SSH-2.0-OpenSSH\r\n".utf8)))
        guard case .transport(.badResponse) = raw.reason else {
            Issue.record("\(raw)")
            return
        }
    }

    @Test("R12: a server that never answers, or stops") func silence() async throws {
        for endpoint in [Endpoint.never, .stall(afterBytes: 100)] {
            bench.origin.route("/a", endpoint)
            let start = ContinuousClock.now
            let error = try await failure(
                bench.request("/a") {
                    $0.timeouts = ImageRequest.Timeouts(idle: .milliseconds(300))
                })
            #expect(
                error.reason == .transport(.timeout(phase: .idle, after: .milliseconds(300))))
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    @Test("R12: a body that is too large") func tooLarge() async throws {
        bench.origin.route("/a", .bytes([UInt8](repeating: 0, count: 5000)))
        let error = try await failure(bench.request("/a")) { $0.maximumBytes = 1000 }
        #expect(error.reason == .transport(.bodyTooLarge(limit: 1000)))
    }

    @Test("promise 30: redirects that lead nowhere good") func redirects() async throws {
        let loop = try await failure("/loop", .redirectLoop)
        #expect(loop.reason == .transport(.redirectLoop(bench.origin.url("/loop"))))
        let file = try await failure("/file", .redirect(to: "file:///etc/passwd"))
        guard case .transport(.redirectRefused) = file.reason else {
            Issue.record("\(file)")
            return
        }
        for step in 0..<20 {
            bench.origin.route("/step\(step)", .redirect(to: "/step\(step + 1)"))
        }
        let many = try await failure(bench.request("/step0"))
        #expect(many.reason == .transport(.tooManyRedirects(limit: 10)))
    }

    @Test("promise 12: a redirect with no-store does not make the first URL fresh")
    func redirectNoStore() async throws {
        bench.origin.route("/a", .redirect(to: "/b", headers: ["Cache-Control: no-store"]))
        try bench.serve("/b", "scene.png", "Cache-Control: max-age=600")
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)
        #expect(
            loader.cachedImage(for: bench.request("/a") { $0.cachePolicy = .cacheElseLoad }) == nil)
        let again = try await loader.response(for: bench.request("/a"))
        #expect(again.source == .disk)
        #expect(bench.origin.requests(for: "/a").count == 2)
        #expect(bench.origin.requests(for: "/b").count == 1)
    }

    @Test("D7: a bomb is refused by its header") func bomb() async throws {
        bench.origin.route(
            "/a",
            .bytes(
                [UInt8](Bomb.png(width: 50_000, height: 50_000)),
                headers: ["Cache-Control: max-age=60"]))
        let error = try await failure(bench.request("/a"))
        guard case .imaging(.tooLarge) = error.reason else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("R7: files that cannot be read") func files() async throws {
        let folder = bench.folder
        let missing = try await failure(ImageRequest(URL(filePath: folder + "/none.png")))
        #expect(
            missing.reason == .file(path: folder + "/none.png", why: "there is no such file"))
        let directory = try await failure(ImageRequest(URL(filePath: folder)))
        guard case .file(_, "it is a directory") = directory.reason else {
            Issue.record("\(directory)")
            return
        }
        let text = folder + "/text.png"
        try Data("hello".utf8).write(to: URL(fileURLWithPath: text))
        let notImage = try await failure(ImageRequest(URL(filePath: text)))
        #expect(notImage.reason == .imaging(.notAnImage(found: "text")))
        // A pipe would block whoever opens it.
        let pipe = folder + "/pipe.png"
        #expect(mkfifo(pipe, 0o600) == 0)
        let fifo = try await failure(ImageRequest(URL(filePath: pipe)))
        #expect(fifo.reason == .file(path: pipe, why: "it is not a regular file"))
        let remote = try #require(URL(string: "file://host.example/a.png"))
        guard case .invalidURL = try await failure(ImageRequest(remote)).reason else {
            Issue.record("a file on another host")
            return
        }
        guard getuid() != 0 else { return }  // root reads everything
        chmod(text, 0)
        let unreadable = try await failure(ImageRequest(URL(filePath: text)))
        #expect(unreadable.reason == .file(path: text, why: "permission is denied"))
    }

    @Test(
        "R6: URLs that lead nowhere",
        arguments: ["", "ftp://host/a", "javascript:alert(1)", "a.png", "http:", "http:///a.png"])
    func urls(text: String) async throws {
        guard let url = URL(string: text) else { return }
        let error = try await failure(ImageRequest(url))
        switch error.reason {
        case .unsupportedScheme, .transport(.invalidURL): break
        default: Issue.record("\(text): \(error)")
        }
    }

    @Test("promise 30: a configuration may forbid schemes") func schemes() async throws {
        let error = try await failure(ImageRequest(URL(filePath: "/etc/passwd"))) {
            $0.schemes.remove("file")
        }
        #expect(error.reason == .unsupportedScheme("file"))
    }

    @Test("promise 30: the configuration for servers reaches no file and no private address")
    func serverConfiguration() async throws {
        try bench.serve("/a", "scene.png")
        var configuration = ImageLoader.Configuration.server
        configuration.diskCache = .none
        let loader = ImageLoader(configuration)
        let local = await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/a"))
        }
        let reason = TransportError.addressForbidden(host: "127.0.0.1", address: "127.0.0.1")
        #expect(local?.reason == .transport(reason))
        #expect(bench.origin.connectionCount == 0)
        let file = await #expect(throws: ImageError.self) {
            try await loader.image(from: URL(filePath: "/etc/passwd"))
        }
        #expect(file?.reason == .unsupportedScheme("file"))
    }

    @Test("promise 29: secrets do not follow to another origin, and other headers do")
    func secrets() async throws {
        let other = try OriginServer.start()
        defer { other.stop() }
        let png = [UInt8](try Fixture.data("scene.png"))
        other.route("/b", .bytes(png))
        bench.origin.route("/a", .redirect(to: other.address("/b")))
        _ = try await bench.loader().image(
            for: bench.request("/a") {
                $0.headers = [
                    "Authorization": "Bearer x", "Cookie": "k=v", "X-Api-Key": "y", "X-Width": "3",
                ]
                $0.secretHeaders = ["x-api-key"]
            })
        let first = try #require(bench.origin.requests(for: "/a").first)
        #expect(first.header("X-Api-Key") == "y" && first.header("Authorization") == "Bearer x")
        let second = try #require(other.requests(for: "/b").first)
        for secret in ["Authorization", "Cookie", "X-Api-Key"] {
            #expect(second.header(secret) == nil, "\(secret)")
        }
        #expect(second.header("X-Width") == "3")
    }

    @Test("promise 29, R8: within an origin a redirect keeps what is sent, and paths may lead up")
    func redirectsWithin() async throws {
        try bench.serve("/c/d.png", "scene.png", "Cache-Control: max-age=60")
        bench.origin.route("/a/b/x", .redirect(to: "../../c/./e"))
        bench.origin.route("/c/e", .redirect(to: "../../../c/f/../d.png", status: 308))
        let loader = bench.loader()
        let request = bench.request("/a/b/x") {
            $0.headers = ["Authorization": "Bearer x", "X-Api-Key": "y"]
            $0.secretHeaders = ["x-api-key"]
        }
        let response = try await loader.response(for: request)
        #expect(response.http?.finalURL == bench.origin.url("/c/d.png"))
        for path in ["/a/b/x", "/c/e", "/c/d.png"] {
            let sent = try #require(bench.origin.requests(for: path).first, "\(path)")
            #expect(sent.header("Authorization") == "Bearer x" && sent.header("X-Api-Key") == "y")
        }
        // A path of the caller's that leads up is sent as one that does not.
        bench.origin.routeOthers(.status(404))
        let up = try await loader.response(for: bench.request("/c/f/../d.png"))
        #expect(up.image.pixelSize.width == 96)
        #expect(bench.origin.requests(for: "/c/d.png").map(\.target) == ["/c/d.png", "/c/d.png"])
    }

    @Test("promise 16: an entry that was damaged on disk is fetched again") func damagedEntry()
        async throws
    {
        let large = try Workbench.largePicture()
        bench.origin.route("/a", .bytes([UInt8](large), headers: ["Cache-Control: max-age=600"]))
        _ = try await bench.loader().image(for: bench.request("/a"))
        let cache = bench.folder + "/cache/"
        let bodies = try FileManager.default.subpathsOfDirectory(atPath: cache).filter { path in
            (try? Data(contentsOf: URL(fileURLWithPath: cache + path)).count) == large.count
        }
        let body = URL(fileURLWithPath: cache + (try #require(bodies.first)))
        var bytes = try Data(contentsOf: body)
        bytes[large.count / 2] ^= 1
        try bytes.write(to: body)
        let response = try await bench.loader().response(for: bench.request("/a"))
        #expect(response.source == .network)
    }

    @Test("promise 16: a part that nobody asked for is not the whole") func partial() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        let end = png.count - 1
        let ranges = ["bytes 0-\(end)/\(png.count + 1)", "bytes 0-\(end)/*", "nonsense", ""]
        for range in ranges {
            let headers = [OriginHeader("Content-Range", range)]
            let error = try await failure("/a", .status(206, headers: headers, body: png))
            #expect(
                error.description.hasSuffix(
                    "it is a part of the content, and the whole was asked for."))
        }
        let whole: [OriginHeader] = [
            OriginHeader("Content-Range", "bytes 0-\(end)/\(png.count)")
        ]
        bench.origin.route("/whole", .status(206, headers: whole, body: png))
        #expect(try await bench.loader().image(for: bench.request("/whole")).pixelSize.width == 96)
    }

    @Test("R6: a content coding that was not asked for is named") func contentCoding() async throws
    {
        bench.origin.route("/echo", .echo)
        let echo = try await failure(bench.request("/echo"))
        guard case .imaging(.notAnImage) = echo.reason else {
            Issue.record("\(echo)")
            return
        }
        let asked = bench.origin.requests(for: "/echo").last
        #expect(asked?.header("Accept-Encoding") == "identity")

        let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        let error = try await failure("/a", .bytes(gzip, headers: ["Content-Encoding: GZip"]))
        #expect(error.description.contains("encoded as gzip, which was not asked for"))
        // Some servers say so of what is plain.
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/plain", .bytes(png, headers: ["Content-Encoding: utf-8"]))
        #expect(try await bench.loader().image(for: bench.request("/plain")).pixelSize.width == 96)
    }

    @Test("promise 21: a transport of one's own does not get past the limit of bytes")
    func endlessTransport() async throws {
        struct Endless: Transport {
            func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
                HTTP.Response(
                    url: request.url, status: 200,
                    body: HTTP.Body(next: { () async throws(TransportError) -> Data? in
                        Data(count: 100_000)
                    }))
            }
        }
        let error = try await failure(bench.request("/a")) {
            $0.transport = Endless()
            $0.maximumBytes = 1_000_000
        }
        #expect(error.reason == .transport(.bodyTooLarge(limit: 1_000_000)))
    }

    @Test("R6: a path with a zero byte names no file") func zeroByte() async throws {
        let picture = bench.folder + "/a.png"
        try Fixture.data("scene.png").write(to: URL(fileURLWithPath: picture))
        let url = try #require(URL(string: "file://\(picture)%00.txt"))
        let error = try await failure(ImageRequest(url))
        #expect(error.reason == .invalidURL("its path has a zero byte"))
    }

    @Test("promise 16: a readable part is shown to who asks for it, and kept nowhere")
    func readablePart() async throws {
        let gif = [UInt8](try Fixture.data("animated.gif"))
        let fresh: [OriginHeader] = ["Cache-Control: max-age=600"]
        bench.origin.route("/a", .bytes(Array(gif.dropLast(40)), headers: fresh))
        let loader = bench.loader()
        let strict = bench.request("/a")
        let lenient = bench.request("/a") {
            $0.damage = .readablePart
            $0.filters = [InvertFilter()]
        }
        await #expect(throws: ImageError.self) { try await loader.image(for: strict) }
        for _ in 0..<2 {
            let part = try await loader.response(for: lenient)
            #expect(!part.image.isComplete)
            #expect(part.source == .network)
            await loader.waitUntilIdle()
            #expect(loader.imageCache.memoryUsage == 0)
            #expect(try await loader.diskStatistics()?.entries == 0)
        }
        bench.origin.route("/a", .bytes(gif, headers: fresh))
        #expect(try await loader.response(for: lenient).image.isComplete)
        await loader.waitUntilIdle()
        #expect(loader.cachedImage(for: lenient) != nil)
        #expect(try await loader.response(for: strict).source == .disk)
        #expect(
            loader.cachedImage(for: bench.request("/a") { $0.damage = .readablePart }) != nil,
            "what is whole serves both")
    }
}
