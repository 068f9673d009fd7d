import Foundation
import Testing
import VitrineStorage
import VitrineTesting

/// What users of Imaginary and its Cache rely on; each test names its row, and what other tests have is
/// left out.
@Suite(.timeLimit(.minutes(2))) struct ImaginaryBehaviourTests {
    private let shelf = Shelf()
    private var transport: ScriptedTransport { shelf.transport }

    private func request(expiresAfter seconds: Int) throws -> ImageRequest {
        var request = ImageRequest(try shelf.pictures(1)[0])
        request.expiry = .after(.seconds(seconds))
        return request
    }

    @Test("I-13: a miss asks for the URL as it is, query included; a hit asks nobody")
    func missAndHit() async throws {
        _ = try shelf.pictures(0)
        let url = try shelf.url("1340892?v=3&s=200")
        let loader = shelf.loader()
        for _ in 0..<3 { _ = try await loader.image(from: url) }
        #expect(transport.requests.map(\.url) == [url])
    }

    @Test("C3, I-13: when a load ends it is in memory; on disk it is when the loader is idle")
    func storedByThen() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.diskLoader()
        _ = try await loader.image(from: url)
        #expect(loader.cachedImage(for: ImageRequest(url)) != nil)
        await loader.waitUntilIdle()
        #expect(try await shelf.diskLoader().response(for: ImageRequest(url)).source == .disk)
        #expect(transport.requests.count == 1)
    }

    @Test("C5: an expiry stays where it is, however often the picture is used")
    func expiryDoesNotSlide() async throws {
        let request = try request(expiresAfter: 100)
        let loader = shelf.diskLoader()
        for _ in 0..<9 {
            _ = try await loader.image(for: request)
            transport.clock.advance(by: .seconds(11))
        }
        #expect(transport.requests.count == 1, "at 88 seconds it counted")
        transport.clock.advance(by: .seconds(2))
        #expect(loader.cachedImage(for: request) == nil, "at 101 seconds it does not")
        _ = try await loader.image(for: request)
        #expect(transport.requests.count == 2)
    }

    @Test("C5, C-7: what comes from disk into memory brings its expiry along") func copyToMemory()
        async throws
    {
        let request = try request(expiresAfter: 100)
        let first = shelf.diskLoader()
        _ = try await first.image(for: request)
        await first.waitUntilIdle()
        transport.clock.advance(by: .seconds(60))
        let second = shelf.diskLoader()
        // Without an expiry of its own, so that only what is stored can say.
        let plain = ImageRequest(request.url)
        #expect(try await second.response(for: plain).source == .disk)
        #expect(second.cachedImage(for: plain) != nil)
        transport.clock.advance(by: .seconds(39))
        #expect(second.cachedImage(for: plain) != nil, "at 99 seconds, as it was stored")
        transport.clock.advance(by: .seconds(2))
        #expect(second.cachedImage(for: plain) == nil)
    }

    @Test("C5, C-13: what has expired is not there when it is read") func expiredIsGone()
        async throws
    {
        let store = DiskStore(.init(directory: shelf.folder))
        let past = DiskStore.Expiry.after(.milliseconds(1))
        try await store.insert(.bytes(Data([1])), metadata: Data(), for: "a", expires: past)
        try await store.insert(.bytes(Data([2])), metadata: Data(), for: "b", expires: .never)
        try await Task.sleep(for: .milliseconds(20))
        #expect(try await store.entry(for: "a") == nil)
        try await store.prune()
        #expect(try await store.records().map(\.key) == ["b"])
        #expect(try await store.entry(for: "b")?.body == Data([2]))
    }

    @Test("C3, C-8: keys of any length and letters, and no two of them meet") func keys()
        async throws
    {
        let store = DiskStore(.init(directory: shelf.folder))
        let long = String(repeating: "x", count: 5_000)
        let keys = ["", "a", "A", "a.mp4", "a.mp4?size=1/../..", "ä", "a\u{308}", long, long + "y"]
        for (number, key) in keys.enumerated() {
            try await store.insert(
                .bytes(Data([UInt8(number)])), metadata: Data(), for: key)
        }
        #expect(try await store.statistics().entries == keys.count, "their bytes make the key")
        for (number, key) in keys.enumerated() {
            #expect(try await store.entry(for: key)?.body == Data([UInt8(number)]), "\(number)")
        }
    }

    @Test("R1, I-12: every status of success with a picture is one", arguments: [200, 201, 203])
    func statuses(status: Int) async throws {
        let url = try shelf.url("a")
        transport.answer(url, with: .bytes(try TestPicture.solid(), status: status))
        let response = try await shelf.loader().response(for: ImageRequest(url))
        #expect(response.http?.status == status)
    }

    @Test("I-12: a body that is shorter than its length is an error, and not kept") func short()
        async throws
    {
        let url = try shelf.url("a")
        let png = try TestPicture.gradient(width: 300, height: 300)
        transport.answer(
            url,
            with: .bytes(png.dropLast(10), headers: ["Cache-Control": "max-age=60"]))
        let loader = shelf.diskLoader()
        await #expect(throws: ImageError.self) { try await loader.image(from: url) }
        await loader.waitUntilIdle()
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("D8, C-11: a picture survives being stored, pixel by pixel", arguments: [true, false])
    func roundTrip(hasAlpha: Bool) throws {
        let png = try TestPicture.png(width: 40, height: 30) { x, y in
            Pixel(
                red: UInt8(x * 6), green: UInt8(y * 8), blue: 7,
                alpha: hasAlpha ? UInt8(x * 6) : 255)
        }
        let image = try RasterImage(decoding: png)
        let again = try RasterImage(decoding: image.encoded(as: .png))
        let bytes = image.posterFrame.withUnsafeBytes { Data($0) }
        #expect(again.posterFrame.withUnsafeBytes { Data($0) } == bytes)
        #expect(again.isOpaque == !hasAlpha)
    }

    @Test("I-4, I-6: what a processor makes is what the caller gets, and it is made once")
    func processedIsDelivered() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader()
        let (runs, ran) = AsyncStream.makeStream(of: Void.self)
        let filter = CustomFilter(identifier: "counted") { frame, scale in
            ran.yield()
            return try InvertFilter().apply(to: frame, scale: scale)
        }
        for _ in 0..<3 {
            let image = try await loader.image(from: url, filters: filter)
            #expect(image.posterFrame[0, 0] == .white)
        }
        ran.finish()
        var count = 0
        for await _ in runs { count += 1 }
        #expect(count == 1)
    }
}
