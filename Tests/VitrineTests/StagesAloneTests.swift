import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineHTTP
import VitrineStorage

/// What a loader is made of, used without one.
@Suite(.timeLimit(.minutes(2))) struct StagesAloneTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// One exchange, its body, and the picture in it, by public means alone.
    private func fetch(
        _ path: String, over transport: some Transport
    ) async throws -> (HTTP.Response, RasterImage?) {
        let response = try await transport.exchange(HTTP.Request(bench.origin.url(path)))
        let spool = BodySpool()
        for try await chunk in response.body { try await spool.append(chunk) }
        spool.finish()
        let head = ImageResponseSerializer.Head(
            url: response.url, status: response.status,
            headers: ["Content-Type": response.headers["Content-Type"] ?? ""])
        let image = try await ImageResponseSerializer().serialized(try await spool.bytes(), head)
            .image
        // Only what is a picture is handed over to be stored.
        if image != nil { _ = await response.ticket?.store(spool) }
        return (response, image)
    }

    @Test("L7, I-12: a downloader alone, which keeps nothing") func downloader() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        bench.origin.route("/old", .redirect(to: "/a"))
        let downloader = RedirectFollower(over: CurlTransport())
        for _ in 0..<2 {
            let (response, image) = try await fetch("/old", over: downloader)
            #expect(response.source == .network && response.url == bench.origin.url("/a"))
            expectPixels(try #require(image).posterFrame, equals: Scene.plain, within: 0)
        }
        #expect(bench.origin.requests(for: "/a").count == 2)
        await #expect(throws: ImageError.self) { try await fetch("/none", over: downloader) }
        await #expect(throws: TransportError.self) {
            try await downloader.exchange(HTTP.Request(URL(filePath: "/etc/passwd")))
        }
    }

    @Test("L7, I-13: a fetcher alone, from the cache or the network")
    func fetcher() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60", "ETag: \"1\"")
        bench.origin.route(
            "/page", .bytes(Array("<html>".utf8), headers: ["Cache-Control: max-age=60"]))
        let store = MemoryResponseStore()
        let cache = HTTPCache(over: CurlTransport(), store: store)
        func fetch(_ path: String, _ policy: CachePolicy = .standard) async throws -> (
            HTTP.Response, RasterImage?
        ) {
            try await self.fetch(
                path, over: RedirectFollower(over: cache.transport(policy: policy)))
        }
        await #expect(throws: TransportError.self) { try await fetch("/a", .cacheOnly) }
        #expect(try await fetch("/a").0.source == .network)
        let (response, image) = try await fetch("/a")
        #expect(response.source == .cache)
        expectPixels(try #require(image).posterFrame, equals: Scene.plain, within: 0)
        #expect(bench.origin.requestCount == 1)
        for _ in 0..<2 { await #expect(throws: ImageError.self) { try await fetch("/page") } }
        #expect(bench.origin.requests(for: "/page").count == 2, "a page is not kept")
        await cache.removeAll(for: bench.origin.url("/a"))
        #expect(try await fetch("/a").0.source == .network)
    }

    @Test("L7: decoder, filter, encoder and store alone, without a network") func withoutNetwork()
        async throws
    {
        let store = DiskStore(DiskStore.Configuration(directory: bench.folder + "/own"))
        let image = try await RasterImage.decoded(from: try Fixture.data("scene.png"))
        let filters: [any ImageFilter] = [.fill(width: 20, height: 20), .circle]
        let small = try await image.filtered(by: filters)
        let key = "scene, " + filters.map(\.identifier).joined(separator: ", ")
        let png = try await small.data(as: .png)
        try await store.insert(.bytes(png), metadata: Data(), for: key)
        let body = try #require(try await store.entry(for: key)?.body)
        expectPixels(try RasterImage(decoding: body).posterFrame, equals: small.posterFrame)
    }
}
