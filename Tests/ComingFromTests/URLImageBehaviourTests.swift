import Foundation
import Testing
import VitrineTesting

/// What users of URLImage rely on; each test names its row, and what other tests have is left out.
@Suite(.timeLimit(.minutes(2))) struct URLImageBehaviourTests {
    private let shelf = Shelf()
    private var transport: ScriptedTransport { shelf.transport }

    @Test("U-7: nothing is waited for before a download") func noDelay() async throws {
        let url = try shelf.pictures(1)[0]
        // The clock stands still, so that any delay would last for ever.
        _ = try await shelf.loader().image(from: url)
        #expect(transport.clock.now.offset == .zero)
    }

    @Test("C3, U-30: URLs that differ in the case of a letter are two pictures") func letterCase()
        async throws
    {
        let urls = [try shelf.url("a.png"), try shelf.url("A.png")]
        transport.answer(urls[0], with: .bytes(try TestPicture.solid(width: 1)))
        transport.answer(urls[1], with: .bytes(try TestPicture.solid(width: 2)))
        let loader = shelf.diskLoader()
        for (number, url) in urls.enumerated() {
            #expect(try await loader.image(from: url).pixelSize.width == number + 1)
        }
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.entries == 2)
        try await loader.removeFromCaches(urls[0])
        #expect(await loader.cacheEntry(for: ImageRequest(urls[1])) != nil)
    }

    @Test("R6, U-17: a status that is no success is an error, and its picture is not kept")
    func pictureOf404() async throws {
        let url = try shelf.url("a")
        transport.answer(
            url,
            with: .bytes(
                try TestPicture.solid(), status: 404, headers: ["Cache-Control": "max-age=60"]))
        let loader = shelf.diskLoader()
        await #expect(throws: ImageError.self) { try await loader.image(from: url) }
        await loader.waitUntilIdle()
        #expect(
            try await loader.diskStatistics()?.entries == 0 && loader.imageCache.memoryUsage == 0)
    }

    @Test("L4, U-24: progress moves, with a disk cache and without", arguments: [true, false])
    @MainActor func progress(hasDisk: Bool) async throws {
        let url = try shelf.url("a")
        let gate = Gate()
        let png = try TestPicture.gradient(width: 400, height: 300)
        transport.answer(
            url, with: .bytes(png).chunked(by: png.count / 2 + 1).pausing(at: gate))
        let picture = RemoteImage(url, loader: hasDisk ? shelf.diskLoader() : shelf.loader())
        picture.load()
        for await state in picture.states {
            if case .inProgress(let progress?, _) = state {
                #expect((progress.fraction ?? 0) > 0.4)
                gate.open()
            }
            if case .success = state { break }
        }
        #expect(gate.isOpen)
    }

    @Test("L9, U-16: after a failure the next load asks again") func failuresAreNotKept()
        async throws
    {
        let url = try shelf.url("a")
        transport.answer(url, with: .status(500), .bytes(try TestPicture.solid()))
        let loader = shelf.loader()
        await #expect(throws: ImageError.self) { try await loader.image(from: url) }
        _ = try await loader.image(from: url)
        #expect(transport.requests.count == 2)
    }

    @Test("C3, U-30: however often a picture is stored, it is one entry") func oneEntry()
        async throws
    {
        var request = ImageRequest(try shelf.pictures(1)[0])
        request.cachePolicy = .reload
        let loader = shelf.diskLoader()
        for _ in 0..<3 {
            _ = try await loader.image(for: request)
            await loader.waitUntilIdle()
        }
        #expect(try await loader.diskStatistics()?.entries == 1)
        try await loader.removeFromCaches(request.url)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("D3, U-21: nothing is made smaller unless that is asked for") func noHiddenSize()
        async throws
    {
        let url = try shelf.pictures(1, width: 2500, height: 1800)[0]
        let image = try await shelf.loader().image(from: url)
        #expect(image.pixelSize == PixelSize(width: 2500, height: 1800))
        #expect(image.info.pixelSize == image.pixelSize)
    }

    @Test("promise 22, U-22: a small picture is not shown in place of a large one")
    func sizesApart() async throws {
        let url = try shelf.pictures(1, width: 400, height: 300)[0]
        let loader = shelf.loader()
        var small = ImageRequest(url)
        small.targetSize = .maximum(40)
        _ = try await loader.image(for: small)
        #expect(loader.cachedImage(for: ImageRequest(url)) == nil)
        #expect(try await loader.image(from: url).pixelSize.width == 400)
        #expect(loader.cachedImage(for: small)?.pixelSize.width == 40)
    }

    @Test("L2, U-27: ten views of one URL make one transfer") @MainActor func shared()
        async throws
    {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader()
        let pictures = (0..<10).map { _ in RemoteImage(url, loader: loader) }
        for picture in pictures { picture.load() }
        for picture in pictures {
            for await state in picture.states {
                if case .success = state { break }
            }
        }
        #expect(transport.requests.count == 1)
    }

    @Test("C6, U-8: what no cache has ends, and with .cacheOnly is never asked for")
    func cacheOnly() async throws {
        var request = ImageRequest(try shelf.pictures(1)[0])
        request.cachePolicy = .cacheOnly
        let loader = shelf.diskLoader()
        await #expect(throws: ImageError(.cacheMiss, url: request.url)) {
            try await loader.image(for: request)
        }
        #expect(transport.requests.isEmpty)
    }
}
