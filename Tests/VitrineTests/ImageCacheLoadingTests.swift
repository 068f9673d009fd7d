import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
@testable import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct ImageCacheLoadingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("C1: an image added by hand is a hit for the loader; removed, it is loaded")
    func addedByHand() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let request = bench.request("/a")
        let own = ImageCacheTests.image(3)
        loader.imageCache.insert(own, for: request)
        loader.imageCache.insert(ImageCacheTests.image(4), for: request, identifier: "other")
        #expect(loader.cachedImage(for: request)?.posterFrame === own.posterFrame)
        let response = try await loader.response(for: request)
        #expect(response.source == .memory && response.image.pixelSize.width == 3)
        #expect(bench.origin.requests(for: "/a").isEmpty)
        try await loader.removeFromCaches(request.url)
        #expect(loader.imageCache.image(for: request, identifier: "other") == nil)
        #expect(try await loader.image(for: request).pixelSize.width == 96)
        withExtendedLifetime(own) {}
    }

    @Test(
        "C1: what a loader has made can be fetched from its cache, and another loader may share it")
    func shared() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let first = bench.loader()
        let second = bench.loader { $0.imageCache = first.imageCache }
        let request = bench.request("/a") { $0.filters = [CircleFilter()] }
        let image = try await first.image(for: request)
        #expect(first.imageCache.image(for: request)?.posterFrame === image.posterFrame)
        #expect(second.cachedImage(for: request)?.posterFrame === image.posterFrame)
        #expect(bench.loader().cachedImage(for: request) == nil)
        second.imageCache.removeAll()
        #expect(first.cachedImage(for: request) == nil, "although it is held here")
        withExtendedLifetime(image) {}
    }

    @Test("promise 13: what is alive elsewhere is as fresh as its response")
    func leasedFreshness() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let image = try await loader.image(for: bench.request("/a"))
        loader.imageCache.respond(to: .critical)
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(loader.task(for: bench.request("/a")).isFinished)
        bench.clock.advance(by: .seconds(61))
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)
        #expect(!loader.task(for: bench.request("/a")).isFinished)
        await loader.waitUntilIdle()
        withExtendedLifetime(image) {}
    }

    @Test("L6: what was fetched ahead goes first, and finding it ahead once more is no use of it")
    func ahead() async throws {
        for path in ["/a", "/b", "/c"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=60")
        }
        let loader = bench.loader {
            $0.memoryCapacity = 2 * 96 * 64 * 4
            $0.memoryPurgeTarget = 2 * 96 * 64 * 4
        }
        func load(
            _ path: String, for purpose: LoadPurpose = .use
        ) async throws -> ImageResponse.Source {
            try await loader.engine.load(bench.request(path), for: purpose).response.source
        }
        @Sendable func isInMemory(_ path: String) -> Bool {
            let request = bench.request(path)
            return loader.engine.cachedResponse(
                ImageIdentity(request, .nobody), request, for: .prefetchToMemory, startedAt: 0)
                != nil
        }
        _ = try await load("/a", for: .prefetchToMemory)
        _ = try await load("/b")
        let again = try await load("/a", for: .prefetchToMemory)
        #expect(again == .memory)
        _ = try await load("/c")
        await loader.waitUntilIdle()
        // The thread that dropped it may hold it for a moment; looking ahead does not bring it back.
        try await eventually("it is gone") { !isInMemory("/a") }
        #expect(loader.cachedImage(for: bench.request("/b")) != nil)

        // Used once, it stays as long as others do.
        _ = try await load("/a", for: .prefetchToMemory)
        _ = try await load("/a")
        _ = try await load("/c")
        try await eventually("the other one is gone") { !isInMemory("/b") }
        #expect(loader.cachedImage(for: bench.request("/a")) != nil)
    }

    // MARK: - Other sizes

    private func previews(_ task: ImageTask) async throws -> ([RasterImage], ImageResponse) {
        var previews: [RasterImage] = []
        for await event in task.events {
            if case .preview(let image) = event { previews.append(image) }
        }
        return (previews, try await task.response)
    }

    @Test("promise 22: another size in memory is shown as a preview, and the result has its own")
    func otherSize() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let sized = { (side: Int, shows: Bool) in
            bench.request("/a") {
                $0.targetSize = .maximum(side)
                $0.showsOtherSizes = shows
            }
        }
        for side in [8, 24, 96] { _ = try await loader.image(for: sized(side, false)) }
        #expect(
            loader.imageCache.closestImage(for: sized(12, false))?.pixelSize
                == PixelSize(width: 24, height: 16))
        #expect(
            loader.imageCache.closestImage(for: sized(8, false))?.pixelSize.width == 8)
        let (shown, end) = try await previews(loader.task(for: sized(12, true)))
        #expect(shown.map(\.pixelSize.width) == [24])
        #expect(shown.first?.isComplete == true)
        #expect(end.image.pixelSize == PixelSize(width: 12, height: 8))
        #expect(try await previews(loader.task(for: sized(13, false))).0.isEmpty)

        let filtered = bench.request("/a") {
            $0.filters = [InvertFilter()]
            $0.showsOtherSizes = true
        }
        #expect(try await previews(loader.task(for: filtered)).0.isEmpty, "other filters")
        let unread = bench.request("/a") {
            $0.cachePolicy = .reload
            $0.showsOtherSizes = true
        }
        #expect(try await previews(loader.task(for: unread)).0.isEmpty, "reads no cache")
        bench.clock.advance(by: .seconds(61))
        #expect(try await previews(loader.task(for: sized(14, true))).0.isEmpty, "not fresh")
    }

    @Test("promise 22: parts that arrive do not take another size's place")
    func otherSizeAndParts() async throws {
        let png = [UInt8](try Workbench.largePicture())
        let parts = stride(from: 0, to: png.count, by: png.count / 8 + 1).map {
            Array(png[$0..<min($0 + png.count / 8 + 1, png.count)])
        }
        bench.origin.route("/a", .chunked(parts, interval: .milliseconds(30)))
        let loader = bench.loader()
        let small = bench.request("/a") { $0.targetSize = .maximum(20) }
        loader.imageCache.insert(ImageCacheTests.image(20), for: small)
        let both = loader.task(
            for: bench.request("/a") {
                $0.previews = .progressive(interval: .zero)
                $0.showsOtherSizes = true
            })
        let parted = loader.task(
            for: bench.request("/a") { $0.previews = .progressive(interval: .zero) })
        async let first = previews(both)
        async let second = previews(parted)
        let (shown, others) = try await (first, second)
        #expect(shown.0.map(\.pixelSize.width) == [20])
        #expect(!others.0.isEmpty)
        #expect(shown.1.image.pixelSize.width == 400)
    }
}
