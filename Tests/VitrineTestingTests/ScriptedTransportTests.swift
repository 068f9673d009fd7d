import Testing
import VitrineHTTP
import VitrineTesting

@Suite(.timeLimit(.minutes(1))) struct ScriptedTransportTests {
    private let transport = ScriptedTransport()
    private let url: URL
    private let other: URL
    private let png: Data

    init() throws {
        url = try #require(URL(string: "https://picture.example/a.png"))
        other = try #require(URL(string: "https://picture.example/b.png"))
        png = try TestPicture.solid(width: 20, height: 10)
    }

    @Test("L14: answers come in turn, and the last one stays") func turns() async throws {
        transport.answer(url, with: .status(503), .failure(.dns(host: "x")), .bytes(png))
        let loader = ImageLoader.scripted(transport)
        var reasons: [ImageError.Reason] = []
        for _ in 0..<4 {
            do { _ = try await loader.image(from: url) } catch { reasons.append(error.reason) }
        }
        #expect(reasons == [.status(503), .transport(.dns(host: "x"))])
        #expect(transport.requests(for: url).count == 4)
        #expect(transport.requests(for: other).isEmpty)
    }

    @Test("L14: what has no answer is 404, or what is said of all others") func others()
        async throws
    {
        let loader = ImageLoader.scripted(transport)
        var error = await #expect(throws: ImageError.self) { try await loader.image(from: url) }
        #expect(error?.reason == .status(404))
        transport.answerOthers(with: .status(410))
        error = await #expect(throws: ImageError.self) { try await loader.image(from: url) }
        #expect(error?.reason == .status(410))
    }

    @Test("L14: redirects are followed as from any server") func redirects() async throws {
        transport.answer(url, with: .redirect(to: other))
        transport.answer(other, with: .bytes(png))
        let response = try await ImageLoader.scripted(transport).response(for: ImageRequest(url))
        #expect(response.http?.finalURL == other)
        #expect(response.image.pixelSize == PixelSize(width: 20, height: 10))
    }

    @Test("L14, R10: a retry waits on the clock, and so does a deadline") func retries()
        async throws
    {
        transport.answer(url, with: .status(503), .bytes(png))
        var request = ImageRequest(url)
        request.retry = .init(attempts: 2, firstDelay: .seconds(10))
        let loader = ImageLoader.scripted(transport)
        let task = loader.task(for: request)
        await transport.clock.waitForSleepers()
        #expect(!task.isFinished && transport.requests.count == 1)
        transport.clock.advance(by: .seconds(20))
        #expect(try await task.response.timings.attempts == 2)

        transport.answer(other, with: .status(200).held(by: Gate()))
        request = ImageRequest(other)
        request.timeouts = .init(deadline: .seconds(5))
        let late = loader.task(for: request)
        await transport.waitForRequests()
        transport.clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await late.image }
        #expect(error?.reason == .deadlinePassed(.seconds(5)))
    }

    @Test("L14: a delay passes when the clock is moved, and not before") func delays() async throws
    {
        transport.answer(url, with: .bytes(png).delayed(by: .seconds(3)))
        let task = ImageLoader.scripted(transport).task(for: ImageRequest(url))
        await transport.clock.waitForSleepers()
        transport.clock.advance(by: .milliseconds(2999))
        await transport.clock.waitForSleepers()
        #expect(!task.isFinished && transport.active == 1)
        transport.clock.advance(by: .milliseconds(1))
        #expect(try await task.image.pixelSize.width == 20)
        #expect(try await task.response.timings.total >= .seconds(3))
        #expect(transport.active == 0)
    }

    @Test("L14: chunks come one by one, and their progress is heard") func chunks() async throws {
        let gate = Gate()
        transport.answer(url, with: .bytes(png).chunked(by: 30).pausing(at: gate))
        let task = ImageLoader.scripted(transport).task(for: ImageRequest(url))
        var heard: [ImageTask.Progress] = []
        for await event in task.events {
            guard case .progress(let progress) = event else { continue }
            if heard.isEmpty { gate.open() }
            heard.append(progress)
        }
        #expect(heard.first == ImageTask.Progress(received: 30, total: png.count))
        #expect(heard.last?.received ?? 0 <= png.count)
        #expect(try await task.response.data == png)
    }

    @Test("L14: an exchange can fail amidst the body") func failsAmidst() async throws {
        transport.answer(
            url,
            with: .bytes(png).chunked(by: 10).failing(
                after: 25, with: .connectionLost(received: 25)))
        let loader = ImageLoader.scripted(transport)
        let error = await #expect(throws: ImageError.self) { try await loader.image(from: url) }
        #expect(error?.reason == .transport(.connectionLost(received: 25)))
        await loader.waitUntilIdle()
        #expect(transport.active == 0)
    }

    @Test("L14, promise 6: a cancelled exchange ends, wherever it waits", arguments: [0, 1, 2])
    func cancelled(place: Int) async throws {
        let gate = Gate()
        let answers: [ScriptedAnswer] = [
            .bytes(png).held(by: gate), .bytes(png).delayed(by: .seconds(1)),
            .bytes(png).chunked(by: 10).pausing(at: gate),
        ]
        transport.answer(url, with: answers[place])
        let loader = ImageLoader.scripted(transport)
        let task = loader.task(for: ImageRequest(url))
        await transport.waitForRequests()
        task.cancel()
        await loader.waitUntilIdle()
        let error = await #expect(throws: ImageError.self) { try await task.image }
        #expect(error?.isCancelled == true)
        await transport.waitUntilIdle()
        #expect(transport.active == 0 && gate.waiting == 0)
        gate.open()
    }

    @Test("L14: pictures are what was asked for, and bad sizes are errors") func pictures() throws {
        let red = Pixel(red: 255, green: 0, blue: 0)
        let clear = Pixel(red: 0, green: 0, blue: 255, alpha: 0)
        let solid = try RasterImage(decoding: TestPicture.solid(red, width: 3, height: 2))
            .posterFrame
        #expect(
            solid.size == PixelSize(width: 3, height: 2) && solid.isOpaque && solid[2, 1] == red)
        let fade = try RasterImage(
            decoding: TestPicture.gradient(from: red, to: clear, width: 3, height: 1)
        ).posterFrame
        #expect(!fade.isOpaque && fade[0, 0] == red && fade[2, 0]?.alpha == 0)
        #expect(fade[1, 0] == Pixel(red: 128, green: 0, blue: 128, alpha: 128))
        let single = try RasterImage(decoding: TestPicture.gradient(width: 1, height: 1))
            .posterFrame
        #expect(single[0, 0] == Pixel(red: 0, green: 0, blue: 0))
        for (width, height) in [(0, 1), (1, -1), (.max, .max)] {
            #expect(throws: ImagingError.self) {
                try TestPicture.solid(width: width, height: height)
            }
        }
    }
}
