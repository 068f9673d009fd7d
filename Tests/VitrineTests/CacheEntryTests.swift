import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// What is told of a stored response.
@Suite struct CacheEntryTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("C10: where an entry lies, its size, age, expiry and headers") func facts() async throws {
        let large = [UInt8](try Workbench.largePicture())
        bench.origin.route(
            "/a",
            .bytes(
                large,
                headers: [
                    "Cache-Control: max-age=60", "Age: 5", "ETag: \"1\"", "Set-Cookie: id=secret",
                    "X-Key: secret", "Set-Cookie2: secret",
                ]))
        let loader = bench.loader()
        var request = bench.request("/a") { $0.secretHeaders = ["x-key"] }
        #expect(await loader.cacheEntry(for: request) == nil)
        _ = try await loader.image(for: request)
        bench.clock.advance(by: .seconds(10))
        let entry = try #require(await loader.cacheEntry(for: request))
        #expect(entry.url == request.url && entry.status == 200 && entry.size == large.count)
        #expect(entry.folder == bench.folder + "/cache" && entry.group == nil)
        let path = try #require(entry.path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(large))
        #expect(entry.receivedAt == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(entry.age == .seconds(15))
        #expect(entry.freshUntil == entry.receivedAt + 55 && entry.expiresAt == nil)
        #expect(entry.headers["etag"] == "\"1\"")
        #expect(!entry.headers.values.contains { $0.contains("secret") })
        #expect(entry.description == "200, \(large.count) bytes, \(request.url)")
        // It is judged as a load by this request would judge it, at any age.
        bench.clock.advance(by: .seconds(1000))
        request.expiry = .after(.seconds(2000))
        #expect(await loader.cacheEntry(for: request)?.freshUntil == entry.receivedAt + 2000)
        request.headers["Authorization"] = "x"
        #expect(await loader.cacheEntry(for: request) == nil)
        #expect(bench.origin.requests(for: "/a").count == 1)
    }

    @Test("C10: a small body lies in the index, and an expiry is told") func small() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: no-cache")
        let loader = bench.loader()
        for (expiry, expiresAt) in [
            (nil, nil), (.never, .distantFuture),
            (.after(.seconds(5)), Date(timeIntervalSince1970: 1_767_225_605)),
        ] as [(CacheExpiry?, Date?)] {
            let request = bench.request("/a") {
                $0.expiry = expiry
                $0.cachePolicy = .reload
            }
            _ = try await loader.image(for: request)
            let entry = try #require(await loader.cacheEntry(for: bench.request("/a")))
            #expect(entry.path == nil && entry.expiresAt == expiresAt)
            #expect(entry.freshUntil == expiresAt)
        }
    }

    @Test("C10: the entry at the end of stored redirects") func redirects() async throws {
        bench.origin.route(
            "/a", .redirect(to: "/b", headers: ["Cache-Control: max-age=60"]))
        try bench.serve("/b", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        let entry = try #require(await loader.cacheEntry(for: bench.request("/a")))
        #expect(entry.url == bench.origin.url("/b") && entry.status == 200)
        // Where the picture is gone, there is nothing to show for the redirect.
        try await loader.removeFromCaches(bench.origin.url("/b"))
        #expect(await loader.cacheEntry(for: bench.request("/a")) == nil)
    }

    @Test("C10: of what is no HTTP, or in an undeclared group, there is none") func none() async {
        let loader = bench.loader()
        for text in ["file:///etc/hostname", "data:image/png,x", "nothing", "ftp://a.test/"] {
            guard let url = URL(string: text) else { continue }
            #expect(await loader.cacheEntry(for: ImageRequest(url)) == nil)
        }
        let request = bench.request("/a") { $0.store = .group("nowhere") }
        #expect(await loader.cacheEntry(for: request) == nil)
    }
}
