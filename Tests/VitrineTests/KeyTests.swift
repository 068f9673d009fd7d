import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// A name in place of the URL.
@Suite struct KeyTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func request(
        _ path: String, key: String? = "photo", _ change: (inout ImageRequest) -> Void = { _ in }
    ) -> ImageRequest {
        bench.request(path) {
            $0.key = key
            change(&$0)
        }
    }

    @Test("C9: two URLs under one key are one picture, in memory, on disk and while loading")
    func oneKey() async throws {
        for path in ["/a/1", "/a/2", "/a/3"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=60")
        }
        let loader = bench.loader()
        _ = try await loader.image(for: request("/a/1"))
        #expect(loader.cachedImage(for: request("/a/2")) != nil)
        let other = bench.loader()
        #expect(try await other.response(for: request("/a/3")).source == .disk)
        #expect(bench.origin.requests(for: "/a/2").isEmpty)
        #expect(bench.origin.requests(for: "/a/3").isEmpty)
        #expect(try await loader.diskStatistics()?.entries == 1)
    }

    @Test("C9: requests of one key that run at the same time share the transfer") func sharing()
        async throws
    {
        let gate = Gate()
        let bytes = [UInt8](try Fixture.data("scene.png"))
        for path in ["/a", "/b"] {
            bench.origin.route(
                path,
                .dynamic { _ in
                    gate.wait()
                    return .bytes(bytes, headers: ["Cache-Control: max-age=60"])
                })
        }
        let loader = bench.loader()
        let first = loader.task(for: request("/a"))
        let second = loader.task(for: request("/b"))
        try await eventually("the first is asked for") {
            bench.origin.requests(for: "/a").count == 1
        }
        gate.letOneGo()
        _ = try await first.image
        _ = try await second.image
        #expect(bench.origin.requests(for: "/b").isEmpty)
        gate.letOneGo()
    }

    @Test("C9: a key stands for the URL alone, not for header fields, partition or another key")
    func notMore() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        _ = try await loader.image(for: request("/a"))
        #expect(loader.cachedImage(for: request("/a", key: "other")) == nil)
        #expect(loader.cachedImage(for: request("/a", key: nil)) == nil)
        #expect(loader.cachedImage(for: request("/a") { $0.partition = "ann" }) == nil)
        #expect(loader.cachedImage(for: request("/a") { $0.headers["Accept"] = "x/y" }) == nil)
        #expect(loader.cachedImage(for: request("/a") { $0.targetSize = .maximum(8) }) == nil)
        let other = bench.loader()
        for request in [
            request("/a", key: "other"), request("/a", key: nil),
            request("/a") { $0.partition = "ann" },
        ] {
            #expect(try await other.response(for: request).source == .network)
        }
        // No text that a key may be leads to the entry of a URL or of another key.
        let url = bench.origin.url("/a").absoluteString
        for key in ["", " ", url, "photo/0", "photo ~", "\u{0}", "GET \(url)"] {
            #expect(loader.cachedImage(for: request("/a", key: key)) == nil)
            #expect(await loader.cacheEntry(for: request("/a", key: key)) == nil)
        }
    }

    @Test("C9: under a key the picture behind a redirect is found, wherever that leads today")
    func redirects() async throws {
        bench.origin.route(
            "/a",
            .sequence([
                .redirect(to: "/b?sig=1", headers: ["Cache-Control: no-store"]),
                .redirect(to: "/b?sig=2", headers: ["Cache-Control: no-store"]),
            ]))
        try bench.serve("/b", "scene.png", "Cache-Control: max-age=60")
        _ = try await bench.loader().image(for: request("/a"))
        let again = try await bench.loader().response(for: request("/a"))
        #expect(again.source == .disk && again.http?.finalURL.query() == "sig=2")
        #expect(bench.origin.requests(for: "/b").map(\.target) == ["/b?sig=1"])
    }

    @Test("C9: a stale picture under a key is asked about at the URL of today") func revalidation()
        async throws
    {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        for path in ["/a/1", "/a/2"] {
            bench.origin.route(
                path, .conditional(bytes, etag: "\"1\"", headers: ["Cache-Control: max-age=10"]))
        }
        _ = try await bench.loader().image(for: request("/a/1"))
        bench.clock.advance(by: .seconds(20))
        let again = try await bench.loader().response(for: request("/a/2"))
        #expect(again.source == .revalidated)
        #expect(
            bench.origin.requests(for: "/a/2").map { $0.header("If-None-Match") } == ["\"1\""])
    }

    @Test("C9: removal by URL finds what lies under a key, and removal by key takes no other")
    func removal() async throws {
        for path in ["/a/1", "/a/2", "/b"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=60")
        }
        let loader = bench.loader()
        func fill() async throws {
            _ = try await loader.image(for: request("/a/1"))
            _ = try await loader.image(for: request("/b", key: "other"))
            _ = try await loader.image(for: request("/b", key: nil))
        }
        func entries() async -> [Bool] {
            var found: [Bool] = []
            for request in [
                request("/a/2"), request("/b", key: "other"), request("/b", key: nil),
            ] {
                let isInMemory = loader.cachedImage(for: request) != nil
                let isOnDisk = await loader.cacheEntry(for: request) != nil
                #expect(isInMemory == isOnDisk)
                found.append(isOnDisk)
            }
            return found
        }
        try await fill()
        #expect(await entries() == [true, true, true])
        try await loader.removeFromCaches(bench.origin.url("/a/1"))
        #expect(await entries() == [false, true, true])
        try await fill()
        try await loader.removeFromCaches(key: "photo")
        #expect(await entries() == [false, true, true])
        try await loader.removeFromCaches(key: "pho")
        #expect(await entries() == [false, true, true])
        try await loader.removeFromCaches(bench.origin.url("/b"))
        #expect(await entries() == [false, false, false])
        // Another loader has nothing of it in memory, and finds it by the URL from which it came.
        try await fill()
        let other = bench.loader()
        _ = try await other.image(for: request("/a/2"))
        try await other.removeFromCaches(bench.origin.url("/a/1"))
        #expect(other.cachedImage(for: request("/a/2")) == nil)
        #expect(await other.cacheEntry(for: request("/a/2")) == nil)
        #expect(try await other.diskStatistics()?.entries == 2)
    }
}
