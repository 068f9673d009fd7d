import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// A loader without a disk cache, which keeps responses as they came in memory.
@Suite struct OriginalsTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func loader(
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in }
    ) -> ImageLoader {
        bench.loader {
            $0.diskCache = .none
            change(&$0)
        }
    }

    @Test("C14: without a disk cache, the bytes are there for another size") func anotherSize()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=600")
        let loader = loader()
        #expect(loader.configuration.originalsCapacity == 20_000_000)
        _ = try await loader.image(for: bench.request("/a"))
        #expect(loader.originalsUsage > 0)
        let small = try await loader.response(
            for: bench.request("/a") { $0.targetSize = .fill(width: 20, height: 20) })
        #expect(small.source == .originals)
        #expect(try small.data == Fixture.data("scene.png"))
        #expect(bench.origin.requestCount == 1)
        let policy = bench.request("/a") {
            $0.cachePolicy = .cacheOnly
            $0.targetSize = .fill(width: 10, height: 10)
        }
        #expect(try await loader.response(for: policy).source == .originals)
    }

    @Test("C14: they are revalidated as those on disk are") func revalidated() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(png, etag: "\"1\"", headers: ["Cache-Control: max-age=10"]))
        let loader = loader()
        _ = try await loader.image(for: bench.request("/a"))
        bench.clock.advance(by: .seconds(20))
        #expect(try await loader.response(for: bench.request("/a")).source == .revalidated)
    }

    @Test("C14: within their bound, and none if it is 0", arguments: [0, 1_000, 100_000])
    func bound(bytes: Int) async throws {
        let loader = loader { $0.originalsCapacity = bytes }
        for number in 0..<30 {
            try bench.serve("/\(number)", "scene.png", "Cache-Control: max-age=600")
            _ = try await loader.image(for: bench.request("/\(number)"))
        }
        #expect(loader.originalsUsage <= bytes)
        #expect((loader.originalsUsage > 0) == (bytes == 100_000))
    }

    @Test("C14, C15: removal takes them, all variants of a URL, or all") func removal() async throws
    {
        for path in ["/a", "/ab"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=600", "Vary: Accept")
        }
        let loader = loader()
        func cached(_ path: String) async -> Bool {
            let request = bench.request(path) { $0.cachePolicy = .cacheOnly }
            return (try? await loader.response(for: request)) != nil
        }
        for path in ["/a", "/ab"] {
            for partition in [nil, "ann"] {
                for type in [nil, "image/png"] {
                    let request = bench.request(path) {
                        $0.partition = partition
                        if let type { $0.headers["Accept"] = type }
                    }
                    _ = try await loader.image(for: request)
                }
            }
        }
        let all = loader.originalsUsage
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(loader.originalsUsage == all / 2)
        #expect(await !cached("/a"))
        #expect(await cached("/ab"))
        try await loader.removeAllFromCaches()
        #expect(loader.originalsUsage == 0)
        #expect(await !cached("/ab"))
    }

    @Test("C14: with a disk cache, none are kept in memory") func onDisk() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=600")
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        #expect(loader.originalsUsage == 0)
    }
}
