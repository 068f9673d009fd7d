import Testing
import VitrineTesting

/// Runs what the article shows, sample by sample.
@Suite(.timeLimit(.minutes(2))) struct AlamofireImageSnippetTests {
    private let shelf = Shelf()
    private var transport: ScriptedTransport { shelf.transport }

    @Test("S3: a response and what is known of it") func response() async throws {
        let url = try shelf.pictures(1)[0]
        let image = try await load(url, with: shelf.loader())
        #expect(image.pixelSize == PixelSize(width: 16, height: 16))
    }

    @Test("S3: a response of another client, with types of one's own") func serializer() throws {
        let url = try shelf.url("a")
        let png = try TestPicture.solid(width: 20, height: 10)
        let image = try serialize(
            png, from: url, status: 200, headers: ["Content-Type": "binary/octet-stream"])
        #expect(image?.size == PointSize(width: 10, height: 5))
        #expect(try serialize(Data(), from: url, status: 204, headers: [:]) == nil)
        #expect(throws: ImageError.self) {
            try serialize(png, from: url, status: 200, headers: ["Content-Type": "text/html"])
        }
    }

    @Test("S3: pixels that are ready") func inflation() async throws {
        let image = try await inflated(TestPicture.solid(width: 20, height: 10))
        #expect(image.scale == 2 && image.size == PointSize(width: 10, height: 5))
        #expect(image.posterFrame[19, 9]?.red == 200)
    }

    @Test("S3: sizes") func sizes() throws {
        let images = try scaled(twoColours())
        #expect(
            images.map(\.pixelSize) == [
                PixelSize(width: 100, height: 100), PixelSize(width: 100, height: 100),
                PixelSize(width: 100, height: 100), PixelSize(width: 100, height: 50),
            ])
        #expect(images.map(\.isOpaque) == [true, false, true, true])
        #expect(images[1].posterFrame[50, 0]?.alpha == 0)
    }

    @Test("S3: corners and circles") func corners() throws {
        let images = try rounded(twoColours())
        #expect(images.map(\.pixelSize.width) == [200, 200, 100])
        #expect(images.allSatisfy { $0.posterFrame[0, 0]?.alpha == 0 })
    }

    @Test("S3: filters by name") func names() throws {
        let image = try twoColours()
        let images = try named(image)
        #expect(images.map(\.pixelSize) == [image.pixelSize, image.pixelSize])
        #expect(images[0].posterFrame[100, 50] != image.posterFrame[100, 50])
    }

    @Test("S3: filters of one's own, from a closure, and several as one") func own() throws {
        let image = try twoColours()
        let images = try filtered(image)
        #expect(images[0].posterFrame[0, 0] == .black && images[0].posterFrame[199, 0] == .white)
        #expect(images[1].posterFrame[77, 0] == image.posterFrame[77, 0])
        #expect(images[2].pixelSize.width == 64 && images[2].posterFrame[0, 0]?.alpha == 0)
        #expect(Threshold(level: 1).identifier != Threshold(level: 2).identifier)
    }

    @Test("S3: the filters that do two things") func combined() throws {
        let images = try avatars(twoColours())
        #expect(images.allSatisfy { $0.pixelSize == PixelSize(width: 100, height: 100) })
        #expect(images.allSatisfy { $0.posterFrame[0, 0]?.alpha == 0 })
    }

    @Test("S3: the cache, by name and by request") func cache() throws {
        let cache = makeCache()
        let image = try twoColours()
        #expect(keepByName(image, in: cache)?.pixelSize == image.pixelSize)
        let request = ImageRequest(try shelf.url("a"))
        #expect(keepForRequest(image, for: request, in: cache)?.pixelSize == image.pixelSize)
        #expect(cache.count == 0 && cache.memoryUsage == 0)
    }

    @Test("S3: a loader of one's own") func configuration() async throws {
        let cache = makeCache()
        let url = try shelf.pictures(1)[0]
        let loader = makeLoader(over: transport, sharing: cache)
        _ = try await loader.image(from: url)
        #expect(cache.count == 1)
    }

    @Test("S3: the callback form, with a filter") @MainActor func callback() async throws {
        let image = await download(try shelf.pictures(1)[0], with: shelf.loader())
        #expect(image?.pixelSize == PixelSize(width: 100, height: 100))
    }

    @Test("S3: many at once") func batch() async throws {
        let urls = try shelf.pictures(5)
        transport.answer(urls[3], with: .status(404))
        let images = await downloadAll(urls, with: shelf.loader())
        #expect(images.map { $0 != nil } == [true, true, true, false, true])
    }

    @Test("S3: credentials answer challenges") func credentials() async throws {
        let url = try shelf.url("private")
        transport.answer(
            url, with: .status(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""]),
            .bytes(try TestPicture.solid()))
        let loader = shelf.loader()
        try authenticate(loader, for: url)
        _ = try await loader.image(from: url)
        #expect(transport.requests.last?.headers["Authorization"] == "Basic dXNlcjpwYXNzd29yZA==")
    }

    @Test("S3: one of two callers leaves") func cancellation() async throws {
        let image = try await cancelOne(of: try shelf.pictures(1)[0], with: shelf.loader())
        #expect(image.posterFrame[0, 0]?.alpha == 0)
        #expect(transport.requests.count == 1)
    }

    @Test("S3: a key in place of a signed URL") func keys() async throws {
        _ = try shelf.pictures(0)
        let loader = shelf.loader()
        _ = try await loadUnderKey(try shelf.url("a?signature=1"), with: loader)
        _ = try await loadUnderKey(try shelf.url("a?signature=2"), with: loader)
        #expect(transport.requests.count == 2 && loader.imageCache.count == 1)
    }

    @Test("S3: retries and a time limit") func retries() async throws {
        let request = retrying(try shelf.url("a"))
        #expect(request.retry?.attempts == 3 && request.timeouts?.total == .seconds(60))
        transport.answer(request.url, with: .status(503), .bytes(try TestPicture.solid()))
        let loader = shelf.loader()
        let task = loader.task(for: request)
        await transport.waitForRequests(1)
        for _ in 0..<2000 where !task.isFinished {
            transport.clock.advance(by: .seconds(1))
            try await Task.sleep(for: .milliseconds(5))
        }
        _ = try await task.response
        #expect(transport.requests.count == 2)
    }
}
