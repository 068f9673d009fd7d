import Testing
import VitrineTesting

/// Runs what the article shows, sample by sample.
@Suite(.timeLimit(.minutes(2))) struct ImaginarySnippetTests {
    private let shelf = Shelf()
    private var transport: ScriptedTransport { shelf.transport }

    @Test("S3: the states of what a view shows") @MainActor func states() async throws {
        let loader = shelf.loader()
        let picture = RemoteImage(nil, loader: loader)
        await setImage(from: try shelf.pictures(1)[0], in: picture)
        #expect(picture.state.image != nil)
    }

    @Test("S3: the callback form, with an error that has the facts") @MainActor
    func callback() async throws {
        #expect(await fetch(try shelf.pictures(1)[0], with: shelf.loader()) == nil)
        let url = try shelf.url("missing")
        transport.answer(url, with: .status(410))
        let error = await fetch(url, with: shelf.loader())
        #expect(error?.reason == .status(410) && error?.http?.status == 410)
    }

    @Test("S3: tint, resize, round") func processors() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader()
        let orange = try await tinted(url, with: loader)
        let middle = try #require(orange.posterFrame[8, 8])
        #expect(middle.red > middle.green && middle.green > middle.blue)
        let card = try await resizedAndRound(url, with: loader)
        #expect(card.pixelSize == PixelSize(width: 120, height: 80))
        #expect(card.posterFrame[0, 0]?.alpha == 0)
        #expect(transport.requests.count == 1)
    }

    @Test("S3: a processor of one's own, and a token in the request") func token() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader()
        let image = try await loader.image(for: authorized(url, "1", user: "ann"))
        let light = try await loader.image(from: url)
        #expect(Darkened().identifier == "darkened")
        let (dark, bright) = (image.posterFrame[15, 0], light.posterFrame[15, 0])
        #expect((dark?.red ?? 255) < (bright?.red ?? 0))
        #expect(transport.requests.first?.headers["Authorization"] == "Bearer 1")
        // The next token finds what this one has stored; another user does not.
        #expect(loader.cachedImage(for: authorized(url, "2", user: "ann")) != nil)
        #expect(loader.cachedImage(for: authorized(url, "1", user: "bob")) == nil)
    }

    @Test("S3: a modifier that runs when the network is needed") func modifier() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader { $0 = signing { "fresh" } }
        _ = try await loader.image(from: url)
        #expect(transport.requests.first?.headers["Authorization"] == "Bearer fresh")
    }

    @Test("S3: groups, expiry, and no cache at all") func storage() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.loader { $0 = makeGroups(in: shelf.folder) }
        let requests = stored(url)
        _ = try await loader.image(for: requests.grouped)
        await loader.waitUntilIdle()
        #expect(await loader.cacheEntry(for: requests.grouped)?.group == "feature")
        #expect(await loader.cacheEntry(for: ImageRequest(url)) == nil)
        _ = try await loader.image(for: requests.uncached)
        _ = try await loader.image(for: requests.uncached)
        #expect(transport.requests.count == 3)
    }

    @Test("S3: bytes and errors, told to an observer") func observer() async throws {
        let urls = try shelf.pictures(2)
        transport.answer(urls[1], with: .status(500))
        let (events, told) = AsyncStream.makeStream(of: (URL, Int?, ImageError?).self)
        let loader = shelf.loader { $0.observer = TransferLog { told.yield(($0, $1, $2)) } }
        _ = try await loader.image(from: urls[0])
        await #expect(throws: ImageError.self) { try await loader.image(from: urls[1]) }
        await loader.waitUntilIdle()
        told.finish()
        var all: [(URL, Int?, ImageError?)] = []
        for await event in events { all.append(event) }
        #expect(all.contains { $0.0 == urls[0] && ($0.1 ?? 0) > 50 })
        #expect(all.count { $0.0 == urls[1] && $0.2?.reason == .status(500) } == 1)
    }

    @Test("S3: many, and ahead of time") func many() async throws {
        let urls = try shelf.pictures(3)
        let loader = shelf.loader()
        let prefetcher = await prefetch(urls, with: loader)
        #expect(prefetcher.progress.finished == 3 && transport.requests.count == 3)
        let images = await fetchMany(urls, with: loader)
        #expect(images.count == 3 && images.allSatisfy { $0 != nil })
        #expect(transport.requests.count == 3)
    }

    @Test("S3: the caches by themselves") func caches() async throws {
        let image = try twoColours()
        #expect(keepInMemory(image)?.pixelSize == image.pixelSize)
        let bytes = Data("bytes".utf8)
        #expect(try await keepOnDisk(bytes, in: shelf.folder) == bytes)
    }

    @Test("S3: where an entry lies") func entries() async throws {
        let url = try shelf.pictures(1)[0]
        let loader = shelf.diskLoader()
        _ = try await loader.image(from: url)
        await loader.waitUntilIdle()
        let entry = try await files(of: url, with: loader)
        #expect(entry?.url == url && entry?.freshUntil != nil)
        #expect(await loader.cacheEntry(for: ImageRequest(url)) == nil)
    }
}
