import Testing
import VitrineTesting

/// What is tested here: a list of avatars that tells how many could not be had.
struct AvatarList {
    let loader: ImageLoader

    func load(_ urls: [URL]) async -> (avatars: [RasterImage], missing: Int) {
        let requests = urls.map { url in
            var request = ImageRequest(url, filters: [.circle])
            request.targetSize = .fill(width: 32, height: 32)
            return request
        }
        let results = await loader.images(for: requests).all()
        let avatars = results.compactMap { try? $0.image }
        return (avatars, results.count - avatars.count)
    }
}

@Suite struct AvatarListTests {
    let transport = ScriptedTransport()
    let urls: [URL]

    init() throws {
        urls = try (0..<3).map { try #require(URL(string: "https://people.example/\($0).png")) }
    }

    @Test func oneIsMissing() async throws {
        let picture = try TestPicture.gradient(width: 200, height: 100)
        transport.answerOthers(with: .bytes(picture))
        transport.answer(urls[1], with: .status(404))

        let list = await AvatarList(loader: .scripted(transport)).load(urls)
        #expect(list.avatars.map(\.pixelSize.width) == [32, 32])
        #expect(list.missing == 1)
        #expect(transport.requests.count == 3)
    }

    @Test func aFreshOneIsNotAskedForAgain() async throws {
        let picture = ScriptedAnswer.bytes(
            try TestPicture.solid(), headers: ["Cache-Control": "max-age=60"])
        transport.answer(urls[0], with: picture)
        let loader = ImageLoader.scripted(transport)

        _ = try await loader.image(from: urls[0])
        transport.clock.advance(by: .seconds(59))
        _ = try await loader.image(from: urls[0])
        #expect(transport.requests.count == 1)
        transport.clock.advance(by: .seconds(2))
        _ = try await loader.image(from: urls[0])
        #expect(transport.requests.count == 2)
    }

    @Test func leavingTheScreenStopsTheTransfer() async throws {
        transport.answer(urls[0], with: .status(200).held(by: Gate()))
        let loader = ImageLoader.scripted(transport)
        let task = loader.task(for: ImageRequest(urls[0]))
        await transport.waitForRequests()
        #expect(transport.active == 1)

        task.cancel()
        await transport.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
    }
}
