import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

@Suite struct LoadingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("R5: a response says where it came from, and all about it") func facts() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        bench.origin.route("/old", .redirect(to: "/a?id=1", headers: ["Cache-Control: max-age=60"]))
        let loader = bench.loader()
        let response = try await loader.response(for: bench.request("/old"))
        #expect(response.source == .network)
        #expect(response.http?.status == 200)
        #expect(response.http?.finalURL == bench.origin.url("/a?id=1"))
        #expect(response.http?.headers["content-type"] == "image/x-whatever")
        #expect(response.data == (try Fixture.data("scene.png")))
        #expect(response.request.url == bench.origin.url("/old"))
        #expect(response.timings.fetch != nil && response.timings.decode != nil)
        #expect(
            response.description
                == "network 96 × 64 png from http://127.0.0.1:\(bench.origin.port)/old")
        expectPixels(response.image.posterFrame, equals: Scene.plain, within: 0)

        let memory = try await loader.response(for: bench.request("/old"))
        #expect(memory.source == .memory && memory.http?.status == 200)
        let disk = try await bench.loader().response(for: bench.request("/a?id=1"))
        #expect(disk.source == .disk && disk.data == response.data)
    }

    @Test("D1: every format arrives as the same picture")
    func formats() async throws {
        let loader = bench.loader()
        for format in RasterFormat.allCases where format != .svg {
            let name = "scene." + format.fileExtension
            try bench.serve("/" + name, name)
            let image = try await loader.image(from: bench.origin.url("/" + name))
            #expect(image.info.format == format)
            guard format != .xbm else { continue }  // black and nothing
            expectPixels(
                image.posterFrame, equals: Scene.plain, within: 24, name, where: Scene.isPlain)
        }
    }

    @Test("D1: SVG arrives where the loader allows it, and says how where not")
    func svg() async throws {
        try bench.serve("/a.svg", "scene.svg")
        let url = bench.origin.url("/a.svg")
        let image = try await bench.loader { $0.allowsSVG = true }.image(from: url)
        expectPixels(image.posterFrame, equals: Scene.plain)
        let error = await #expect(throws: ImageError.self) {
            try await bench.loader().image(from: url)
        }
        #expect(error?.reason == .imaging(.formatNotAllowed(format: .svg)))
    }

    @Test("L2, promise 4: each caller has its own filters, and the transfer is shared")
    func filters() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        async let plain = loader.image(from: bench.origin.url("/a"))
        async let circle = loader.image(from: bench.origin.url("/a"), filters: .circle)
        async let small = loader.image(
            for: bench.request("/a") { $0.targetSize = .fill(width: 20, height: 30) })
        let images = try await [plain, circle, small]
        #expect(images.map(\.pixelSize.width) == [96, 64, 20])
        #expect(images.map(\.pixelSize.height) == [64, 64, 30])
        #expect(bench.origin.requests(for: "/a").count == 1)
    }

    @Test("promise 1: with another query it is another picture, in memory and on disk")
    func queries() async throws {
        let (png, gif) = (try Fixture.data("scene.png"), try Fixture.data("scene.gif"))
        bench.origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    [UInt8](request.target.hasSuffix("v=2") ? gif : png),
                    headers: ["Cache-Control: max-age=60"])
            })
        let loader = bench.loader()
        for loader in [loader, loader, bench.loader()] {
            #expect(try await loader.image(from: bench.origin.url("/a?v=1")).info.format == .png)
            #expect(try await loader.image(from: bench.origin.url("/a?v=2")).info.format == .gif)
            await loader.waitUntilIdle()
        }
        // What stands behind # is for the reader of a page.
        let same = try await loader.response(for: bench.request("/a?v=2#top"))
        #expect(same.source == .memory && same.image.info.format == .gif)
        #expect(bench.origin.requestCount == 2)
    }

    @Test("promise 10: a fresh memory hit is answered in the same call") func memoryHit()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let request = bench.request("/a")
        #expect(loader.cachedImage(for: request) == nil)
        _ = try await loader.image(for: request)
        #expect(loader.cachedImage(for: request) != nil)
        #expect(loader.task(for: request).isFinished)
        #expect(loader.imageCache.memoryUsage == 96 * 64 * 4)

        var other = request
        other.filters = [.circle]
        #expect(loader.cachedImage(for: other) == nil)
        other = request
        other.headers = ["X": "y"]
        #expect(loader.cachedImage(for: other) == nil)

        bench.clock.advance(by: .seconds(61))
        #expect(loader.cachedImage(for: request) == nil)
        #expect(!loader.task(for: request).isFinished)
    }

    @Test("C6: the policies, from memory and from disk") func policies() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(png, etag: "\"1\"", headers: ["Cache-Control: max-age=60"]))
        let loader = bench.loader()
        func source(_ policy: CachePolicy, _ loader: ImageLoader) async throws
            -> ImageResponse.Source
        {
            try await loader.response(for: bench.request("/a") { $0.cachePolicy = policy }).source
        }
        let miss = await #expect(throws: ImageError.self) { try await source(.cacheOnly, loader) }
        #expect(miss?.reason == .cacheMiss)
        #expect(try await source(.bypass, loader) == .network)
        #expect(try await source(.standard, loader) == .network)
        #expect(try await source(.standard, loader) == .memory)
        #expect(try await source(.revalidate, loader) == .revalidated)
        #expect(try await source(.reload, loader) == .network)
        #expect(try await source(.bypass, loader) == .network)
        #expect(try await source(.cacheOnly, loader) == .memory)
        #expect(try await source(.cacheOnly, bench.loader()) == .disk)
        bench.clock.advance(by: .seconds(1000))
        #expect(try await source(.cacheElseLoad, loader) == .memory)
        #expect(try await source(.cacheElseLoad, bench.loader()) == .disk)
        #expect(bench.origin.requests(for: "/a").count == 5)
    }

    @Test("promise 1: partitions share neither transfers nor images") func partitions()
        async throws
    {
        let (png, gif) = (try Fixture.data("scene.png"), try Fixture.data("grey.png"))
        bench.origin.route(
            "/a",
            .dynamic { request in
                .bytes(
                    [UInt8](request.header("authorization") == "ann" ? png : gif),
                    headers: ["Cache-Control: max-age=60"])
            })
        let loader = bench.loader()
        async let ann = loader.response(
            for: bench.request("/a") { $0.headers["Authorization"] = "ann" })
        async let bob = loader.response(
            for: bench.request("/a") { $0.headers["Authorization"] = "bob" })
        #expect(try await ann.data == png)
        #expect(try await bob.data == gif)
        #expect(bench.origin.requests(for: "/a").count == 2)
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)

        let rotated = bench.request("/a") {
            $0.partition = "carl"
            $0.headers["Authorization"] = "ann"
        }
        _ = try await loader.image(for: rotated)
        var later = rotated
        later.headers["Authorization"] = "other"
        #expect(try await loader.response(for: later).source == .memory)
    }

    @Test("R7: file URLs, and that a changed file is seen when memory is not asked")
    func files() async throws {
        let path = bench.folder + "/a picture #1.png"
        try Fixture.data("scene.png").write(to: URL(fileURLWithPath: path))
        let loader = bench.loader()
        var request = ImageRequest(URL(filePath: path))
        let first = try await loader.response(for: request)
        #expect(first.source == .file && first.http == nil)
        #expect(try await loader.response(for: request).source == .memory)
        try Fixture.data("scene.gif").write(to: URL(fileURLWithPath: path))
        request.cachePolicy = .revalidate
        #expect(try await loader.image(for: request).info.format == .gif)
        request.cachePolicy = .standard
        #expect(try await loader.image(for: request).info.format == .gif)
    }

    @Test("R7: data URLs") func dataURLs() async throws {
        let text = try Fixture.data("scene.png").base64EncodedString()
        let url = try #require(URL(string: "data:image/png;base64,\(text)"))
        let response = try await bench.loader().response(for: ImageRequest(url))
        #expect(response.source == .data)
        expectPixels(response.image.posterFrame, equals: Scene.plain, within: 0)
        #expect(response.description == "data 96 × 64 png from data:…")
    }

    @Test("C3: another loader finds on disk what one has stored") func disk() async throws {
        try bench.serve("/a", "scene.jpg", "Cache-Control: max-age=60")
        _ = try await bench.loader().image(from: bench.origin.url("/a"))
        let loader = bench.loader()
        let response = try await loader.response(for: bench.request("/a"))
        #expect(response.source == .disk)
        #expect(try await loader.diskStatistics()?.entries == 1)
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(try await loader.diskStatistics()?.entries == 0)
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)
    }

    @Test("C3: a body over 64 KB lies in a file of its own and is found again") func largeBody()
        async throws
    {
        let large = try Workbench.largePicture()
        #expect(large.count > 300_000)
        bench.origin.route(
            "/a", .bytes([UInt8](large), headers: ["Cache-Control: max-age=60"]))
        let first = try await bench.loader().response(for: bench.request("/a"))
        let second = try await bench.loader().response(for: bench.request("/a"))
        #expect(first.source == .network && second.source == .disk)
        #expect(first.data == large && second.data == large)
    }

    @Test("C3: without a disk cache everything else works") func noDisk() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader { $0.diskCache = .none }
        #expect(try await loader.response(for: bench.request("/a")).source == .network)
        #expect(try await loader.response(for: bench.request("/a")).source == .memory)
        #expect(try await loader.diskStatistics() == nil)
    }

    @Test("C3: a disk cache that cannot be had is no error of the load") func brokenDisk()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader { $0.diskCache = .directory("/proc/no/such/place") }
        #expect(try await loader.response(for: bench.request("/a")).source == .network)
    }

    @Test("F11, R4: lengths are points, and the scale is the request's") func scale() async throws {
        try bench.serve("/a", "scene.png")
        let image = try await bench.loader().image(
            for: bench.request("/a") {
                $0.scale = 2
                $0.filters = [.fill(width: 20, height: 10)]
            })
        #expect(image.pixelSize == PixelSize(width: 40, height: 20))
        #expect(image.size == PointSize(width: 20, height: 10))
        for scale in [0, -1, .nan, .infinity] {
            let error = await #expect(throws: ImageError.self) {
                try await bench.loader().image(for: bench.request("/a") { $0.scale = scale })
            }
            guard case .invalidScale = error?.reason else {
                Issue.record("\(scale): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("R4: a scale for all that a loader loads, by its modifier") func loaderScale()
        async throws
    {
        try bench.serve("/a", "scene.png")
        let loader = bench.loader { $0.modifier = { $0.scale = 2 } }
        let image = try await loader.image(
            for: bench.request("/a") { $0.filters = [.fill(width: 20, height: 10)] })
        #expect(image.scale == 2 && image.pixelSize == PixelSize(width: 40, height: 20))
    }

    @Test("R7: the letters of a scheme may be large") func schemeCase() async throws {
        try bench.serve("/a", "scene.png")
        let file = Fixture.folder.appending(path: "scene.png").path(percentEncoded: true)
        let base64 = try Fixture.data("scene.gif").base64EncodedString()
        let loader = bench.loader()
        for (text, format) in [
            ("FILE://\(file)", RasterFormat.png), ("DATA:image/png;base64,\(base64)", .gif),
            ("HTTP://127.0.0.1:\(bench.origin.port)/a", .png),
        ] {
            let url = try #require(URL(string: text))
            #expect(try await loader.image(from: url).info.format == format, "\(text.prefix(20))")
        }
    }

    @Test("F7: a filter of one's own may throw") func throwingFilter() async throws {
        struct Refusal: Error, CustomStringConvertible { let description = "I would rather not." }
        try bench.serve("/a", "scene.png")
        let error = await #expect(throws: ImageError.self) {
            try await bench.loader().image(
                from: bench.origin.url("/a"),
                filters: .custom(identifier: "no") { _, _ in throw Refusal() })
        }
        let reason = ImagingError.filterFailed(identifier: "no", reason: "I would rather not.")
        #expect(error?.reason == .imaging(reason))
    }

    @Test("F7, F6: what a filter of one's own makes is kept under its identifier")
    func keptByIdentifier() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        func frame(_ identifier: String, _ color: Pixel) async throws -> PixelBuffer {
            try await loader.image(
                from: bench.origin.url("/a"),
                filters: .custom(identifier: identifier) { _, _ in
                    .solid(color, width: 3, height: 2)
                }
            ).posterFrame
        }
        let white = try await frame("one", .white)
        // The same name stands for the same result, so that the filter is not asked again.
        #expect(try await frame("one", .black) === white)
        let black = try await frame("two", .black)
        #expect(black[0, 0] == .black)
        #expect(try await frame("one", .white) === white)
    }

    @Test("R8: method, headers and body are sent, and are part of the identity")
    func methodAndBody() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/a", .bytes(png, headers: ["Cache-Control: max-age=60"]))
        let loader = bench.loader()
        let post = bench.request("/a") {
            $0.method = "POST"
            $0.headers = ["X-Width": "10"]
            $0.body = Data("hello".utf8)
        }
        _ = try await loader.image(for: post)
        let seen = try #require(bench.origin.requests(for: "/a").first)
        #expect(seen.method == "POST" && seen.header("X-Width") == "10")
        #expect(seen.body == Array("hello".utf8))
        var other = post
        other.body = Data("goodbye".utf8)
        _ = try await loader.image(for: other)
        #expect(bench.origin.requests(for: "/a").count == 2)
    }
}
