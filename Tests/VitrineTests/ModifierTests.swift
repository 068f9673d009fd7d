import DeterminismSupport
import FoundationEssentials
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct ModifierTests {
    private let bench: Workbench
    private let png: [UInt8]

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description = "no token"
    }

    @Test("R8: the loader's modifier, then the request's, are part of what is loaded")
    func synchronous() async throws {
        try bench.serve("/b", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader {
            $0.modifier = { request in
                request.headers["X-App"] = "1"
                request.url = request.url.deletingLastPathComponent().appending(path: "b")
            }
        }
        var request = bench.request("/a")
        request.modifier = { request in
            request.headers["X-App"]?.append("2")
            request.url = request.url.appending(queryItems: [.init(name: "size", value: "2")])
            request.modifier = { _ in Issue.record("it is done with") }
        }
        let response = try await loader.response(for: request)
        let sent = try #require(bench.origin.requests(for: "/b").first)
        #expect(sent.target == "/b?size=2")
        #expect(sent.header("X-App") == "12")
        #expect(response.request.url.query() == "size=2")
        #expect(loader.cachedImage(for: request) != nil)
        // The same as what it makes of it, and no other.
        #expect(try await loader.response(for: request).source == .memory)
        // Without the second it is another picture.
        let other = loader.task(for: bench.request("/a"))
        #expect(try await other.response.source == .network)
        #expect(other.request.url.path() == "/a")
        #expect(bench.origin.requests(for: "/b").map(\.target) == ["/b?size=2", "/b"])
    }

    @Test("R8, promise 5: a modifier that throws ends the load, once")
    func throwing() async throws {
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a") { $0.modifier = { _ in throw Refusal() } })
        let error = await #expect(throws: ImageError.self) { try await task.image }
        #expect(error?.reason == .modifier("no token"))
        #expect(error?.description.hasSuffix("could not be prepared: no token.") == true)
        let own = ImageError(.invalidURL("x"), url: bench.origin.url("/x"))
        let other = loader.task(for: bench.request("/a") { $0.modifier = { _ in throw own } })
        #expect(await #expect(throws: ImageError.self) { try await other.image } == own)
        #expect(
            loader.cachedImage(for: bench.request("/a") { $0.modifier = { _ in throw own } })
                == nil)
        await loader.waitUntilIdle()
        #expect(bench.origin.requestCount == 0)
    }

    @Test("R8: what runs before the network runs for it alone, again for each attempt")
    func asynchronous() async throws {
        bench.origin.route(
            "/a",
            .sequence([
                .status(503), .bytes(png, headers: ["Cache-Control: max-age=60", "ETag: \"1\""]),
                .status(304, headers: ["Cache-Control: max-age=60"]),
            ]))
        let count = Lock(0)
        let loader = bench.loader {
            $0.retry = ImageRequest.Retry(firstDelay: .zero)
            $0.networkModifier = { request in
                await Task.yield()
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                request[header: "authorization"] = "Bearer \(number)"
                request[header: "X-Both"] = "loader"
            }
        }
        var request = bench.request("/a")
        request.networkModifier = { $0[header: "x-both"]?.append(", request") }
        _ = try await loader.image(for: request)
        var sent = bench.origin.requests(for: "/a")
        #expect(sent.map { $0.header("Authorization") } == ["Bearer 1", "Bearer 2"])
        #expect(sent.map { $0.header("X-Both") } == ["loader, request", "loader, request"])
        // Memory and a fresh disk need no network, and the token is no part of the identity.
        #expect(try await loader.response(for: request).source == .memory)
        loader.imageCache.removeAll()
        #expect(try await loader.response(for: request).source == .disk)
        #expect(count.withLock { $0 } == 2)
        request.cachePolicy = .revalidate
        #expect(try await loader.response(for: request).source == .revalidated)
        sent = bench.origin.requests(for: "/a")
        #expect(sent.last?.header("Authorization") == "Bearer 3")
        #expect(sent.last?.header("If-None-Match") == "\"1\"")
    }

    @Test("R8, promise 29: what a modifier adds does not go to another origin")
    func redirect() async throws {
        let other = try OriginServer.start()
        defer { other.stop() }
        other.route("/c", .bytes(png))
        bench.origin.route("/a", .redirect(to: "/b"))
        bench.origin.route("/b", .redirect(to: other.url("/c").absoluteString))
        let loader = bench.loader()
        let request = bench.request("/a") { $0.networkModifier = { $0[header: "X-Key"] = "k" } }
        _ = try await loader.image(for: request)
        #expect(bench.origin.requests(for: "/a").first?.header("X-Key") == "k")
        #expect(bench.origin.requests(for: "/b").first?.header("X-Key") == "k")
        #expect(other.requests(for: "/c").count == 1)
        #expect(other.requests(for: "/c").first?.header("X-Key") == nil)
    }

    @Test("R8: a signed URL is asked for, and stored under the plain one")
    func signedURL() async throws {
        let picture = Endpoint.bytes(png, headers: ["Cache-Control: max-age=60"])
        bench.origin.route(
            "/a", .dynamic { $0.target == "/a?signature=1" ? picture : .status(403) })
        let loader = bench.loader {
            $0.networkModifier = {
                $0.url.append(queryItems: [.init(name: "signature", value: "1")])
            }
        }
        #expect(try await loader.response(for: bench.request("/a")).source == .network)
        await loader.waitUntilIdle()
        loader.imageCache.removeAll()
        #expect(try await loader.response(for: bench.request("/a")).source == .disk)
    }

    @Test("R8, promise 5: one that throws is the load's error, and gives its turn back")
    func throwingLate() async throws {
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        try bench.serve("/b", "scene.png")
        let request = bench.request("/a") { $0.networkModifier = { _ in throw Refusal() } }
        let error = await #expect(throws: ImageError.self) { try await loader.image(for: request) }
        #expect(error?.reason == .modifier("no token"))
        #expect(try await loader.image(for: bench.request("/b")).pixelSize.width == 96)
        #expect(loader.downloads == (0, 0))
        #expect(bench.origin.requests(for: "/a").isEmpty)
    }

    @Test("R8, promise 6: one that never comes back is cancelled with the load")
    func suspended() async throws {
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        let (isSuspended, wasCancelled) = (Lock(false), Lock(false))
        let request = bench.request("/a") {
            $0.networkModifier = { _ in
                isSuspended.withLock { $0 = true }
                do {
                    try await Task.sleep(for: .seconds(1000))
                } catch {
                    wasCancelled.withLock { $0 = true }
                    throw error
                }
            }
        }
        let task = loader.task(for: request)
        try await eventually("It did not begin.") { isSuspended.withLock { $0 } }
        #expect(loader.downloads.active == 1)
        task.cancel()
        #expect(task.isFinished)
        await loader.waitUntilIdle()
        try await eventually("It goes on.") { wasCancelled.withLock { $0 } }
        try await eventually("Its turn was not given back.") { loader.downloads == (0, 0) }
        #expect(bench.origin.requestCount == 0)
    }
}
