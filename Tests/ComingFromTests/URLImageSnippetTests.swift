import Testing
import VitrineTesting

/// Runs what the article shows, sample by sample.
@Suite(.timeLimit(.minutes(2))) struct URLImageSnippetTests {
    private let shelf = Shelf()
    private var transport: ScriptedTransport { shelf.transport }

    @MainActor private func end(of picture: RemoteImage) async {
        for await state in picture.states {
            switch state {
            case .success, .failure: return
            case .empty, .inProgress: continue
            }
        }
    }

    @Test("S3: four states, and what is known of the file") @MainActor func states() async throws {
        let urls = try shelf.pictures(1, width: 1200, height: 900)
        let picture = makeRemoteImage(urls[0], with: shelf.loader())
        #expect(text(for: picture) == "Nothing here")
        picture.load()
        #expect(text(for: picture) == "Loading…")
        await end(of: picture)
        #expect(text(for: picture) == "fill")
        #expect(picture.state.image?.pixelSize == PixelSize(width: 600, height: 450))

        let missing = RemoteImage(try shelf.url("missing"), loader: shelf.loader())
        transport.answerOthers(with: .status(404))
        missing.load()
        await end(of: missing)
        #expect(text(for: missing).contains("404"))
    }

    @Test("S3: load when shown, cancel when hidden, a retry that works") @MainActor
    func row() async throws {
        let url = try shelf.url("a")
        let gate = Gate()
        transport.answer(
            url, with: .status(200).held(by: gate), .status(500), .bytes(try TestPicture.solid()))
        let row = Row(url, loader: shelf.loader())
        row.appeared()
        await transport.waitForRequests(1)
        row.disappeared()
        await transport.waitUntilIdle()
        #expect(text(for: row.picture) == "Nothing here")
        row.appeared()
        await end(of: row.picture)
        #expect(text(for: row.picture).contains("500"))
        row.retryPressed()
        await end(of: row.picture)
        #expect(text(for: row.picture) == "fit")
    }

    @Test("S3: pictures that are there without a network") func offlineUse() async throws {
        let urls = try shelf.pictures(2)
        let loader = shelf.loader { $0 = makeService(in: shelf.folder) }
        let request = offline(urls[0], id: "one")
        _ = try await loader.image(for: request)
        await loader.waitUntilIdle()

        transport.answerOthers(with: .failure(.connectionLost(received: 0)))
        transport.clock.advance(by: .seconds(1_000_000))
        let later = shelf.loader { $0 = makeService(in: shelf.folder) }
        let response = try await later.response(for: offline(urls[1], id: "one"))
        #expect(response.source == .disk && transport.requests.count == 1)

        try await remove(urls[0], id: "one", from: later)
        await #expect(throws: ImageError.self) { try await later.image(for: request) }
    }

    @Test("S3: options of a request") func options() async throws {
        let url = try shelf.pictures(1, width: 1200, height: 900)[0]
        let image = try await shelf.loader().image(for: configured(url))
        #expect(image.pixelSize == PixelSize(width: 600, height: 450))
        #expect(transport.requests.first?.headers["Accept-Language"] == "nb")
    }

    @Test("S3: one and many, failures as nil") func fetching() async throws {
        let urls = try shelf.pictures(3)
        transport.answer(urls[1], with: .bytes(Data("no picture".utf8)))
        let loader = shelf.loader()
        #expect(await fetchOne(urls[0], with: loader) != nil)
        #expect(await fetchOne(urls[1], with: loader) == nil)
        #expect(await fetchList(urls, with: loader).map { $0 != nil } == [true, false, true])
    }

    @Test("S3: downloads for later") func ahead() async throws {
        let urls = try shelf.pictures(3)
        transport.answer(urls[2], with: .status(404))
        let loader = shelf.loader { $0 = makeService(in: shelf.folder) }
        #expect(await downloadForLater(urls, with: loader) == 1)
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics(ofGroup: "articles")?.entries == 2)
    }

    @Test("S3: pictures in memory, in the same call") func inMemory() async throws {
        let requests = try shelf.pictures(2).map { ImageRequest($0) }
        let loader = shelf.loader()
        _ = try await loader.image(for: requests[0])
        #expect(shown(requests, with: loader).map { $0 != nil } == [true, false])
    }

    @Test("S3: the decoder by itself") func decoder() async throws {
        let frame = try twoColours(width: 8, height: 8).posterFrame
        let other = try BrightnessFilter(factor: 0.5).apply(to: frame, scale: 1)
        let animation = try RasterImage(
            frames: [frame, other], durations: [.milliseconds(200), .milliseconds(300)])
        let decoded = try await frames(of: animation.encoded(as: .gif))
        #expect(decoded.map(\.size) == [frame.size, frame.size])

        let photo = try twoColours(width: 320, height: 240).encoded(as: .jpeg)
        let half = try #require(try arriving([photo.prefix(photo.count / 2)]))
        #expect(!half.isComplete && half.pixelSize == PixelSize(width: 320, height: 240))
    }
}
