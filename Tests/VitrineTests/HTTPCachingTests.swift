import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// What the HTTP cache means for a loader, over a disk cache.
@Suite struct HTTPCachingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func picture(_ name: String) throws -> [UInt8] { [UInt8](try Fixture.data(name)) }

    @Test("C11: variants lie beside each other on disk, and go together") func variants()
        async throws
    {
        let (png, gif) = (try picture("scene.png"), try picture("scene.gif"))
        bench.origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    request.header("Accept") == "image/gif" ? gif : png,
                    headers: ["Cache-Control: max-age=60", "Vary: Accept"])
            })
        func load(_ type: String, _ loader: ImageLoader) async throws -> ImageResponse {
            try await loader.response(for: bench.request("/a") { $0.headers["Accept"] = type })
        }
        let loader = bench.loader()
        for type in ["image/gif", "image/png"] { _ = try await load(type, loader) }
        let other = bench.loader()
        let first = try await load("image/gif", other)
        let second = try await load("image/png", other)
        #expect(first.source == .disk && first.image.info.format == .gif)
        #expect(second.source == .disk && second.image.info.format == .png)
        #expect(try await other.diskStatistics()?.entries == 2)
        try await other.removeFromCaches(bench.origin.url("/a"))
        #expect(try await other.diskStatistics()?.entries == 0)
    }

    @Test("C15: removal by URL takes every partition's, and no other URL's") func removal()
        async throws
    {
        for path in ["/a", "/ab"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=60")
        }
        let loader = bench.loader()
        for path in ["/a", "/ab"] {
            for partition in [nil, "ann", "bob"] {
                _ = try await loader.image(for: bench.request(path) { $0.partition = partition })
            }
        }
        #expect(try await loader.diskStatistics()?.entries == 6)
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(try await loader.diskStatistics()?.entries == 3)
    }

    @Test("C12: an entry of an older version is a miss, and what is loaded takes its place")
    func olderVersion() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let key = ResponseKey(HTTP.Request(bench.origin.url("/a"))).text
        let disk = DiskStore(DiskStore.Configuration(directory: bench.folder + "/cache"))
        let old = Data(
            #"{"status":200,"headers":[],"selectedBy":[],"sentAt":0,"receivedAt":0}"#.utf8)
        try await disk.insert(.bytes(Data("what it was".utf8)), metadata: old, for: key)
        let loader = bench.loader()
        #expect(try await loader.response(for: bench.request("/a")).source == .network)
        await loader.waitUntilIdle()
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .disk)
        #expect(try await disk.statistics().entries == 1)
    }

    @Test("C11: without a connection the old picture is shown, unless the server forbids it")
    func disconnected() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=10")
        try bench.serve("/b", "scene.png", "Cache-Control: max-age=10, must-revalidate")
        let loader = bench.loader()
        for path in ["/a", "/b"] {
            _ = try await loader.image(for: bench.request(path))
            bench.origin.route(path, .closeWithoutAnswer)
        }
        bench.clock.advance(by: .seconds(20))
        #expect(try await loader.response(for: bench.request("/a")).source == .disk)
        let error = await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/b"))
        }
        #expect(error?.reason == .transport(.connectionLost(received: 0)))
    }

    @Test("C6, L6: what must be revalidated is there offline, after a restart, if any age will do")
    func offlineAfterRestart() async throws {
        try bench.serve(
            "/a", "scene.png", "Cache-Control: max-age=0, must-revalidate", "ETag: \"1\"")
        let first = bench.loader()
        let prefetcher = ImagePrefetcher(first, to: .disk)
        prefetcher.start([bench.origin.url("/a")])
        await prefetcher.waitUntilIdle()
        await first.waitUntilIdle()
        bench.origin.route("/a", .closeWithoutAnswer)
        bench.clock.advance(by: .seconds(90 * 86_400))

        let second = bench.loader()
        let error = await #expect(throws: ImageError.self) {
            try await second.image(for: bench.request("/a"))
        }
        #expect(error?.reason == .transport(.connectionLost(received: 0)))
        let count = bench.origin.requestCount
        for policy in [CachePolicy.cacheElseLoad, .cacheOnly] {
            let request = bench.request("/a") { $0.cachePolicy = policy }
            let response = try await bench.loader().response(for: request)
            #expect(response.source == .disk && response.image.pixelSize.width == 96)
        }
        #expect(bench.origin.requestCount == count)
        // Back on line it is asked about, and not fetched again.
        bench.origin.route("/a", .conditional([1], etag: "\"1\""))
        let back = try await bench.loader().response(for: bench.request("/a"))
        #expect(back.source == .revalidated && back.image.pixelSize.width == 96)
    }

    @Test("R6, C11: a 304 that nobody asked for is a status, and neither a picture nor kept")
    func unaskedFor() async throws {
        bench.origin.route(
            "/a", .status(304, headers: ["Cache-Control: max-age=60", "ETag: \"1\""]))
        let loader = bench.loader()
        for _ in 0..<2 {
            let error = await #expect(throws: ImageError.self) {
                try await loader.image(for: bench.request("/a"))
            }
            #expect(error?.reason == .status(304) && error?.http?.status == 304)
        }
        #expect(bench.origin.requests(for: "/a").allSatisfy { $0.header("If-None-Match") == nil })
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.entries == 0)
        try bench.serve("/a", "scene.png")
        #expect(try await loader.image(for: bench.request("/a")).pixelSize.width == 96)
    }

    @Test("promise 16, R6: pages in the place of a picture leave with the server's trouble")
    func pagesForPictures() async throws {
        let control: OriginHeader = "Cache-Control: max-age=600"
        let page = Array("<!DOCTYPE html><title>Bad Gateway</title>".utf8)
        let png = [UInt8](try Fixture.data("scene.png"))
        let loader = bench.loader()
        for bad: Endpoint in [
            .status(502, headers: [control], body: page),
            .bytes(page, type: "image/png", headers: [control]),
            .bytes(Array(png.prefix(100)), type: "image/png", headers: [control]),
            .bytes([], type: "image/png", headers: [control]),
        ] {
            bench.origin.route("/a", bad)
            await #expect(throws: ImageError.self) {
                try await loader.image(for: bench.request("/a"))
            }
            await loader.waitUntilIdle()
        }
        bench.origin.route("/a", .bytes(png, type: "image/png", headers: [control]))
        #expect(try await loader.response(for: bench.request("/a")).source == .network)
        await loader.waitUntilIdle()
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .disk)
        #expect(bench.origin.requestCount == 5, "nothing bad was answered from the cache")
    }

    @Test("C11: a picture that may be shown stale is brought up to date meanwhile, memory included")
    func staleWhileRevalidate() async throws {
        let control: OriginHeader = "Cache-Control: max-age=10, stale-while-revalidate=60"
        try bench.serve("/a", "scene.png", control)
        let loader = bench.loader()
        let request = bench.request("/a")
        _ = try await loader.image(for: request)
        try bench.serve("/a", "scene.gif", control)
        bench.clock.advance(by: .seconds(20))
        let stale = try await loader.response(for: request)
        #expect(stale.source == .disk && stale.image.info.format == .png)
        await loader.waitUntilIdle()
        let fresh = try await loader.response(for: request)
        #expect(fresh.source == .memory && fresh.image.info.format == .gif)
        #expect(try await bench.loader().image(for: request).info.format == .gif)
        #expect(bench.origin.requests(for: "/a").count == 2)
    }

    @Test("promise 16: a refresh that brings no picture replaces none") func badRefresh()
        async throws
    {
        let control: OriginHeader = "Cache-Control: max-age=10, stale-while-revalidate=600"
        try bench.serve("/a", "scene.png", control)
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        bench.origin.route("/a", .bytes(Array("<html>Sign in</html>".utf8), headers: [control]))
        bench.clock.advance(by: .seconds(20))
        #expect(try await loader.response(for: bench.request("/a")).source == .disk)
        await loader.waitUntilIdle()
        #expect(bench.origin.requests(for: "/a").count == 2)
        let again = try await bench.loader().response(for: bench.request("/a"))
        #expect(again.source == .disk && again.image.info.format == .png)
    }

    @Test("promise 29: neither keys nor metadata on disk hold what selects a response in secret")
    func secrets() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60", "Vary: Cookie, X-Api-Key")
        let loader = bench.loader()
        let request = bench.request("/a") {
            $0.headers = [
                "Authorization": "Bearer hunter2", "Cookie": "hunter2", "X-Api-Key": "hunter2",
            ]
            $0.secretHeaders = ["x-api-key"]
        }
        _ = try await loader.image(for: request)
        #expect(try await bench.loader().response(for: request).source == .disk)
        await loader.waitUntilIdle()
        let disk = DiskStore(DiskStore.Configuration(directory: bench.folder + "/cache"))
        let records = try await disk.records()
        #expect(records.count == 1)
        for record in records {
            #expect(!record.key.contains("hunter2"))
            #expect(record.metadata.range(of: Data("hunter2".utf8)) == nil)
        }
    }
}
