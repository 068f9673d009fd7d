import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// What was made of a picture, kept on disk.
@Suite struct ProcessedImagesTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func loader(
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in }
    ) -> ImageLoader {
        bench.loader {
            $0.storesProcessedImages = true
            change(&$0)
        }
    }

    /// A filter that counts how often it is applied.
    private func counted(_ calls: Lock<Int>, _ name: String = "counted") -> any ImageFilter {
        .custom(identifier: name) { frame, _ in
            calls.withLock { $0 += 1 }
            return try GreyscaleFilter().apply(to: frame, scale: 1)
        }
    }

    private func isEqual(_ one: RasterImage, _ other: RasterImage) -> Bool {
        one.info == other.info && one.scale == other.scale && one.pixelSize == other.pixelSize
            && one.isOpaque == other.isOpaque
            && one.posterFrame.withUnsafeBytes { a in
                other.posterFrame.withUnsafeBytes { b in a.elementsEqual(b) }
            }
    }

    private func entries() async throws -> Int? {
        try await bench.loader().diskStatistics()?.entries
    }

    @Test(
        "C4: a processed image comes back from disk with the same pixels and facts, and nothing is done",
        arguments: [
            "scene.png", "progressive.jpg", "scene.webp", "rgba.png", "orientation-6.jpg",
            "16-bit.png", "cmyk.jpg",
        ])
    func identical(_ name: String) async throws {
        try bench.serve("/a", name, "Cache-Control: max-age=60")
        let calls = Lock(0)
        let request = bench.request("/a") {
            $0.targetSize = .fill(width: 21, height: 13)
            $0.scale = 2
            $0.filters = [counted(calls), .circle]
        }
        let first = loader()
        let made = try await first.response(for: request)
        await first.waitUntilIdle()
        #expect(calls.withLock { $0 } == 1)
        #expect(try await entries() == 2)
        let again = try await loader().response(for: request)
        #expect(again.source == .disk && again.timings.decode == nil)
        #expect(calls.withLock { $0 } == 1)
        #expect(isEqual(made.image, again.image))
        #expect(again.data == made.data)
    }

    @Test("C4: only with the option, and only where something was done") func onlyIfAsked()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let plain = bench.loader()
        _ = try await plain.image(for: bench.request("/a") { $0.filters = [.circle] })
        await plain.waitUntilIdle()
        #expect(try await entries() == 1)
        let keeping = self.loader()
        _ = try await keeping.image(for: bench.request("/a"))
        _ = try await keeping.image(
            for: bench.request("/a") {
                $0.filters = [.circle]
                $0.storesProcessedImage = false
            })
        await keeping.waitUntilIdle()
        #expect(try await entries() == 1)
        _ = try await plain.image(
            for: bench.request("/a") {
                $0.targetSize = .maximum(9)
                $0.storesProcessedImage = true
            })
        await plain.waitUntilIdle()
        #expect(try await entries() == 2)
    }

    @Test("C4: new bytes never meet an old result, and take its place") func newBytes() async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=10", "ETag: \"1\"")
        let request = bench.request("/a") { $0.filters = [.invert()] }
        let first = loader()
        _ = try await first.image(for: request)
        await first.waitUntilIdle()
        bench.clock.advance(by: .seconds(20))
        try bench.serve("/a", "scene.jpg", "Cache-Control: max-age=10", "ETag: \"2\"")
        let second = loader()
        let new = try await second.image(for: request)
        #expect(new.info.format == .jpeg)
        await second.waitUntilIdle()
        #expect(try await entries() == 2)
        let again = try await loader().response(for: request)
        #expect(again.timings.decode == nil && isEqual(again.image, new))
    }

    @Test("C4: a confirmed response keeps its results; a reload uses none and makes them anew")
    func confirmedAndReloaded() async throws {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(bytes, etag: "\"1\"", headers: ["Cache-Control: max-age=10"]))
        let calls = Lock(0)
        var request = bench.request("/a") { $0.filters = [counted(calls)] }
        let first = loader()
        _ = try await first.image(for: request)
        await first.waitUntilIdle()
        bench.clock.advance(by: .seconds(20))
        #expect(try await loader().response(for: request).source == .revalidated)
        #expect(calls.withLock { $0 } == 1)
        request.cachePolicy = .reload
        let second = loader()
        #expect(try await second.response(for: request).source == .network)
        #expect(calls.withLock { $0 } == 2)
        await second.waitUntilIdle()
        #expect(try await entries() == 2)
        request.cachePolicy = .bypass
        _ = try await loader().image(for: request)
        #expect(calls.withLock { $0 } == 3)
    }

    @Test("C4: each size, scale and list of filters has its own, and others do the work") func own()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let calls = Lock(0)
        let one = bench.request("/a") { $0.filters = [counted(calls)] }
        var others: [ImageRequest] = []
        for change: (inout ImageRequest) -> Void in [
            { $0.targetSize = .maximum(16) }, { $0.scale = 2 },
            { $0.filters.append(.circle) }, { $0.filters = [counted(calls, "other")] },
            { $0.filters = [counted(calls, "coun"), counted(calls, "ted")] },
        ] {
            var other = one
            change(&other)
            others.append(other)
        }
        let first = loader()
        _ = try await first.image(for: one)
        await first.waitUntilIdle()
        for other in others {
            let before = calls.withLock { $0 }
            let second = loader()
            _ = try await second.image(for: other)
            #expect(calls.withLock { $0 } > before)
            await second.waitUntilIdle()
        }
        #expect(try await entries() == 2 + others.count)
        let before = calls.withLock { $0 }
        for request in others + [one] { _ = try await loader().image(for: request) }
        #expect(calls.withLock { $0 } == before)
    }

    @Test("C4: callers of whom some have theirs on disk share what is left to do") func mixed()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let calls = Lock(0)
        let short = bench.request("/a") { $0.filters = [counted(calls, "first")] }
        let long = bench.request("/a") {
            $0.filters = [counted(calls, "first"), counted(calls, "second")]
        }
        let other = bench.request("/a") {
            $0.filters = [counted(calls, "first"), counted(calls, "third")]
        }
        let first = loader()
        _ = try await first.image(for: short)
        await first.waitUntilIdle()
        calls.withLock { $0 = 0 }
        // The first filter's result is there; the second and third go on from it.
        let second = loader()
        let tasks = [short, long, other, long].map { second.task(for: $0) }
        for task in tasks { _ = try await task.image }
        #expect(calls.withLock { $0 } <= 3)
        await second.waitUntilIdle()
        calls.withLock { $0 = 0 }
        let third = loader()
        let again = [long, other, short].map { third.task(for: $0) }
        for task in again { #expect(try await task.response.timings.decode == nil) }
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("C4: many callers at once, who come and go, all have the right picture")
    func manyCallers()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let sizes = [8, 9, 10, 11]
        func request(_ side: Int, _ filters: [any ImageFilter]) -> ImageRequest {
            bench.request("/a") {
                $0.targetSize = .fill(width: side, height: side)
                $0.filters = filters
            }
        }
        let lists: [[any ImageFilter]] = [[], [.invert()], [.invert(), .circle], [.circle]]
        let plain = bench.loader()
        var expected: [Int: [RasterImage]] = [:]
        for side in sizes {
            for list in lists {
                expected[side, default: []].append(
                    try await plain.image(for: request(side, list)))
            }
        }
        for round in 0..<12 {
            let loader = self.loader { $0.memoryCapacity = 0 }
            var random = SeededRandom(seed: UInt64(round))
            var tasks: [(ImageTask, Int, Int)] = []
            for _ in 0..<24 {
                let side = sizes.randomElement(using: &random) ?? 8
                let list = Int.random(in: 0..<lists.count, using: &random)
                let task = loader.task(for: request(side, lists[list]))
                if Int.random(in: 0..<6, using: &random) == 0 { task.cancel() }
                tasks.append((task, side, list))
                if Bool.random(using: &random) { await Task.yield() }
            }
            for (task, side, list) in tasks {
                do {
                    let image = try await task.image
                    #expect(isEqual(image, try #require(expected[side]?[list])))
                } catch let error as ImageError {
                    #expect(error.isCancelled)
                }
            }
            await loader.waitUntilIdle()
        }
        #expect(try await entries() == 1 + sizes.count * lists.count)
    }

    @Test("C4: animations, parts and what is too large are decoded each time") func notKept()
        async throws
    {
        try bench.serve("/moving", "animated.gif", "Cache-Control: max-age=60")
        let cut = try Fixture.data("scene.jpg").dropLast(200)
        bench.origin.route("/cut", .bytes([UInt8](cut), headers: ["Cache-Control: max-age=60"]))
        let large = [UInt8](try Workbench.largePicture())
        bench.origin.route("/large", .bytes(large, headers: ["Cache-Control: max-age=60"]))
        let loader = self.loader { $0.diskCapacity = 5_000_000 }
        for path in ["/moving", "/cut", "/large"] {
            _ = try await loader.image(
                for: bench.request(path) {
                    $0.filters = [.invert()]
                    $0.damage = .readablePart
                })
            await loader.waitUntilIdle()
        }
        #expect(try await entries() == 2)  // the bytes of the whole ones
    }

    @Test("C4: they count against the bound, and go with what they belong to") func bound()
        async throws
    {
        let large = [UInt8](try Workbench.largePicture())
        for path in ["/a", "/b"] {
            bench.origin.route(path, .bytes(large, headers: ["Cache-Control: max-age=60"]))
        }
        let loader = self.loader { $0.diskCapacity = 16_000_000 }
        for path in ["/a", "/b"] {
            for key in [nil, "key"] as [String?] {
                _ = try await loader.image(
                    for: bench.request(path) {
                        $0.filters = [.invert()]
                        $0.key = key.map { $0 + path }
                    })
                await loader.waitUntilIdle()
            }
        }
        let statistics = try #require(try await loader.diskStatistics())
        #expect(statistics.entries == 8)
        #expect(statistics.countedBytes > 4 * (large.count + 400 * 400 * 3))
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(try await entries() == 4)
        try await loader.removeFromCaches(key: "key/b")
        #expect(try await entries() == 2)
    }

    @Test("C4: a damaged or foreign result is made anew") func damaged() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let request = bench.request("/a") { $0.filters = [.invert()] }
        let first = loader()
        let made = try await first.image(for: request)
        await first.waitUntilIdle()
        let disk = DiskStore(DiskStore.Configuration(directory: bench.folder + "/cache"))
        let record = try #require(
            try await disk.records().first { $0.key.contains(" +") })
        let good = try #require(try await disk.entry(for: record.key))
        for body in [
            Data(), good.body.dropLast(), good.body + [0], Data(good.body.prefix(16)),
            Data(repeating: 0xFF, count: good.size),
        ] {
            try await disk.insert(.bytes(Data(body)), metadata: good.metadata, for: record.key)
            let second = loader()
            #expect(isEqual(try await second.image(for: request), made))
            await second.waitUntilIdle()
        }
    }
}
