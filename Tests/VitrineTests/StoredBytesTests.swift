import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// What becomes of a stored response of which no image can be made.
@Suite(.timeLimit(.minutes(2))) struct StoredBytesTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private var disk: DiskStore {
        DiskStore(DiskStore.Configuration(directory: bench.folder + "/cache"))
    }

    /// Stores a picture as a load does, then puts other bytes in its place, with right checksums.
    private func plant(_ bytes: Data) async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=600", "ETag: \"1\"")
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        await loader.waitUntilIdle()
        let record = try #require(try await disk.records().first)
        try await disk.insert(.bytes(bytes), metadata: record.metadata, for: record.key)
        bench.origin.forget()
    }

    private func entries() async throws -> Int { try await disk.statistics().entries }

    @Test("promise 16: a part that calls itself the whole, and is not, is no picture")
    func unaskedPart() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        for (range, isWhole) in [
            ("bytes 0-\(png.count - 1)/\(png.count)", true),
            ("bytes 0-\(png.count)/\(png.count + 1)", false),
            ("bytes 0-9223372036854775806/9223372036854775807", false),
        ] {
            bench.origin.route(
                "/part",
                .status(
                    206,
                    headers: [
                        OriginHeader("Content-Range", range),
                        OriginHeader("Content-Type", "image/png"),
                    ], body: png))
            let task = bench.loader().task(for: bench.request("/part"))
            #expect(((try? await task.image) != nil) == isWhole, "\(range)")
        }
    }

    @Test(
        "promise 16: damaged bytes that were stored are dropped, and fetched again",
        arguments: ["truncated", "text", "flipped"])
    func fetchedAgain(kind: String) async throws {
        var bytes = try Fixture.data("scene.png")
        switch kind {
        case "truncated": bytes = bytes.prefix(bytes.count - 60)
        case "text": bytes = Data("no picture".utf8)
        default: bytes[bytes.count / 2] ^= 0xFF
        }
        try await plant(bytes)
        let loader = bench.loader()
        let response = try await loader.response(for: bench.request("/a"))
        #expect(response.source == .network && response.image.isComplete)
        #expect(bench.origin.requests(for: "/a").map { $0.header("If-None-Match") } == [nil])
        await loader.waitUntilIdle()
        let again = try await bench.loader().response(for: bench.request("/a"))
        #expect(again.source == .disk)
        #expect(try again.data == Fixture.data("scene.png"))
    }

    @Test("promise 16: once per load, however bad the new ones are") func once() async throws {
        try await plant(Data("no picture".utf8))
        bench.origin.route(
            "/a", .bytes(Array("none either".utf8), headers: ["Cache-Control: max-age=600"]))
        let loader = bench.loader()
        let error = await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/a"))
        }
        guard case .imaging(.notAnImage) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        await loader.waitUntilIdle()
        #expect(bench.origin.requestCount == 1)
        #expect(try await entries() == 0)
    }

    @Test("promise 16: without the network it is a miss, or why the server cannot be had")
    func withoutNetwork() async throws {
        try await plant(Data("no picture".utf8))
        let loader = bench.loader()
        let error = await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/a") { $0.cachePolicy = .cacheOnly })
        }
        #expect(error?.reason == .cacheMiss)
        #expect(bench.origin.requestCount == 0)
        #expect(try await entries() == 0)
        try await plant(Data("no picture".utf8))
        bench.origin.route("/a", .closeWithoutAnswer)
        let other = await #expect(throws: ImageError.self) {
            try await bench.loader().image(for: bench.request("/a"))
        }
        #expect(other?.reason == .transport(.connectionLost(received: 0)))
        #expect(try await entries() == 0)
    }

    @Test("promise 16: two sizes of damaged bytes are dropped once, and both come")
    func twoSizes() async throws {
        try await plant(Data("no picture".utf8))
        let loader = bench.loader()
        async let small = loader.response(
            for: bench.request("/a") { $0.targetSize = .fill(width: 20, height: 20) })
        async let whole = loader.response(for: bench.request("/a"))
        let images = try await (small.image.pixelSize, whole.image.pixelSize)
        #expect(images.0 == PixelSize(width: 20, height: 20))
        #expect(images.1 == PixelSize(width: 96, height: 64))
        #expect(bench.origin.requestCount <= 2)
        await loader.waitUntilIdle()
        #expect(try await entries() == 1)
    }

    @Test("promise 16: the readable part of what was stored is not all there is")
    func readablePart() async throws {
        let whole = try Workbench.largePicture()
        try await plant(whole.prefix(whole.count * 2 / 3))
        let request = bench.request("/a") { $0.damage = .readablePart }
        let response = try await bench.loader().response(for: request)
        #expect(response.image.isComplete && response.source == .network)
        try await plant(whole.prefix(whole.count * 2 / 3))
        bench.origin.route("/a", .closeWithoutAnswer)
        let part = try await bench.loader().response(for: request)
        #expect(!part.image.isComplete && part.source == .disk)
        #expect(try await entries() == 0)
    }

    @Test("promise 16: neither a limit nor a missing codec nor a caller who leaves drops an entry")
    func kept() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=600")
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
        bench.origin.route(
            "/b", .bytes(Array(svg.utf8), headers: ["Cache-Control: max-age=600"]))
        let first = bench.loader { $0.allowsSVG = true }
        for path in ["/a", "/b"] { _ = try await first.image(for: bench.request(path)) }
        await first.waitUntilIdle()
        #expect(try await entries() == 2)

        let strict = bench.loader { $0.decodeLimits.maximumSourcePixels = 100 }
        for path in ["/a", "/b"] {
            await #expect(throws: ImageError.self) {
                try await strict.image(for: bench.request(path))
            }
        }
        for _ in 0..<20 {
            let task = bench.loader().task(for: bench.request("/a"))
            task.cancel()
        }
        await strict.waitUntilIdle()
        #expect(try await entries() == 2)
        #expect(bench.origin.requestCount == 2)
    }
}
