import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct PreviewTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// A picture of noise above and below, whose parts show some of its rows.
    private static func file(_ format: EncodingFormat) throws -> [UInt8] {
        var random = SeededRandom(seed: 21)
        let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let picture = PixelBuffer.drawn(PixelSize(width: 200, height: 200)) { x, y in
            Pixel(red: noise[y * 200 + x], green: UInt8(y), blue: UInt8(x), alpha: 255)
        }
        return [UInt8](try RasterImage(picture).encoded(as: format))
    }

    /// The bytes in so many parts, one each 30 ms.
    private func serve(_ path: String, _ bytes: [UInt8], parts: Int = 10) {
        let size = (bytes.count + parts - 1) / parts
        let chunks = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        bench.origin.route(
            path,
            .chunked(
                chunks, interval: .milliseconds(30), headers: ["Cache-Control: max-age=60"]))
    }

    private func request(
        _ path: String, every milliseconds: Int = 1,
        _ change: (inout ImageRequest) -> Void = { _ in }
    ) -> ImageRequest {
        bench.request(path) {
            $0.previews = .progressive(interval: .milliseconds(milliseconds))
            change(&$0)
        }
    }

    /// The previews of a task, and its end.
    private func follow(
        _ task: ImageTask
    ) async throws -> (previews: [RasterImage], end: ImageResponse) {
        var previews: [RasterImage] = []
        var ends: [Result<ImageResponse, ImageError>] = []
        for await event in task.events {
            switch event {
            case .progress: #expect(ends.isEmpty)
            case .preview(let preview):
                #expect(ends.isEmpty)
                previews.append(preview)
            case .finished(let end): ends.append(end)
            }
        }
        #expect(ends.count == 1)
        return (previews, try #require(ends.first).get())
    }

    @Test(
        "D5: a picture is shown while it arrives, and is whole at the end",
        arguments: [EncodingFormat.jpeg, .png, .webp])
    func rows(format: EncodingFormat) async throws {
        serve("/a", try Self.file(format))
        let loader = bench.loader()
        let task = loader.task(for: request("/a"))
        let (previews, end) = try await follow(task)
        #expect(previews.count >= 3)
        var heights: [Int] = []
        for preview in previews {
            #expect(!preview.isComplete)
            #expect(preview.pixelSize == end.image.pixelSize)
            let frame = preview.posterFrame
            #expect(frame[100, 0] == end.image.posterFrame[100, 0])
            heights.append((0..<200).prefix { frame[100, $0]?.alpha == 255 }.count)
        }
        #expect(heights == heights.sorted() && heights.first != heights.last, "\(heights)")
        #expect(end.image.isComplete && end.image.isOpaque)
        #expect(loader.cachedImage(for: request("/a"))?.isComplete == true)
    }

    @Test("D5: of a progressive JPEG all of it, finer every time; with size and filters")
    func progressive() async throws {
        serve("/a", [UInt8](try Fixture.data("progressive.jpg")), parts: 8)
        let loader = bench.loader()
        let task = loader.task(
            for: request("/a") {
                $0.targetSize = .maximum(48)
                $0.filters = [InvertFilter(), CircleFilter()]
            })
        let (previews, end) = try await follow(task)
        #expect(previews.count >= 2)
        for preview in previews {
            #expect(preview.pixelSize == end.image.pixelSize && !preview.isComplete)
            #expect(preview.posterFrame[0, 0]?.alpha == 0, "the circle")
            #expect(preview.posterFrame[preview.pixelSize.width / 2, 15]?.alpha == 255)
        }
    }

    @Test("D5: only who asks for previews gets them, each in its own size, and equal ones share")
    func callers() async throws {
        serve("/a", try Self.file(.png))
        let loader = bench.loader()
        let plain = loader.task(for: bench.request("/a"))
        let one = loader.task(for: request("/a"))
        let same = loader.task(for: request("/a", every: 60_000))
        let small = loader.task(for: request("/a") { $0.targetSize = .maximum(50) })
        async let plainEvents = follow(plain)
        async let oneEvents = follow(one)
        async let sameEvents = follow(same)
        async let smallEvents = follow(small)
        let events = try await (plainEvents, oneEvents, sameEvents, smallEvents)
        #expect(events.0.previews.isEmpty)
        #expect(events.3.previews.count >= 2)
        #expect(events.3.previews.allSatisfy { $0.pixelSize == PixelSize(width: 50, height: 50) })
        let frames = Set(events.1.previews.map { ObjectIdentifier($0.posterFrame) })
        #expect(frames.count >= 2)
        #expect(
            events.2.previews.contains { frames.contains(ObjectIdentifier($0.posterFrame)) },
            "one preview for both")
        #expect(bench.origin.requests(for: "/a").count == 1)
    }

    @Test("D5: who joins late sees the newest preview at once") func late() async throws {
        let png = try Self.file(.png)
        bench.origin.route("/a", .slowBody(png, bytesPerSecond: png.count / 3))
        let loader = bench.loader()
        let first = loader.task(for: request("/a"))
        for await event in first.events {
            if case .preview = event { break }
        }
        let second = loader.task(for: request("/a"))
        let iterator = second.events.makeAsyncIterator()
        var preview: RasterImage?
        while preview == nil, let event = await iterator.next() {
            if case .preview(let image) = event { preview = image }
            if case .finished = event { break }
        }
        #expect(preview?.isComplete == false)
        #expect(!first.isFinished && !second.isFinished)
        first.cancel()
        second.cancel()
        await loader.waitUntilIdle()
        #expect(loader.imageCache.memoryUsage == 0)
    }

    @Test("D5: what arrives within the interval costs no preview") func throttled() async throws {
        serve("/a", try Self.file(.jpeg))
        let loader = bench.loader()
        let patient = try await follow(loader.task(for: request("/a", every: 60_000)))
        #expect(patient.previews.isEmpty)
        // And a cached one costs none at all.
        let again = try await follow(loader.task(for: request("/a")))
        #expect(again.previews.isEmpty && again.end.source == .memory)
    }

    @Test(
        "D5: an interval beyond what a clock can tell counts as a long one, a negative one as none",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 18, .seconds(Int64.min)])
    func extremeIntervals(interval: Duration) async throws {
        serve("/a", try Self.file(.png), parts: 5)
        let request = bench.request("/a") { $0.previews = .progressive(interval: interval) }
        let (previews, end) = try await follow(bench.loader().task(for: request))
        #expect(previews.isEmpty == (interval > .zero))
        #expect(end.image.isComplete)
    }

    @Test(
        "D5: the transfer does not wait for a preview, and there is never more than one at a time")
    func backPressure() async throws {
        serve("/a", try Self.file(.png), parts: 20)
        let running = Lock((now: 0, most: 0, count: 0))
        let gate = DispatchSemaphore(value: 0)
        // Holds up the previews alone: they have transparent rows.
        let slow = CustomFilter(identifier: "slow") { frame, _ in
            guard !frame.isOpaque else { return frame }
            let isFirst = running.withLock {
                $0.now += 1
                $0.count += 1
                $0.most = max($0.most, $0.now)
                return $0.count == 1
            }
            if isFirst { gate.wait() }
            running.withLock { $0.now -= 1 }
            return frame
        }
        let loader = bench.loader()
        let tasks = (0..<3).map { index in
            loader.task(
                for: request("/a") {
                    $0.filters = [slow]
                    $0.targetSize = .maximum(200 - index)
                })
        }
        try await eventually("No preview was begun.") { running.withLock { $0.now } == 1 }
        // All bytes arrive and the pictures are there, while the first preview still stands.
        for task in tasks { #expect(try await task.image.isComplete) }
        #expect(running.withLock { $0.count } == 1)
        gate.signal()
        await loader.waitUntilIdle()
        try await eventually("The preview did not end.") { running.withLock { $0.now } == 0 }
        #expect(running.withLock { $0.most } == 1)
    }

    @Test("D5, promise 6: when the last caller leaves, previews stop, and their memory is free")
    func cancel() async throws {
        serve("/a", try Self.file(.png), parts: 40)
        let budget = DecodeBudget(maximumBytes: 1)
        let loader = bench.loader { $0.decodeBudget = budget }
        for _ in 0..<5 {
            let task = loader.task(for: request("/a"))
            for await event in task.events {
                if case .preview = event { break }
            }
            task.cancel()
            await loader.waitUntilIdle()
        }
        try await eventually("A reservation was not given back.") { budget.counts == (0, 0) }
    }

    @Test("D5: a file that turns out to be damaged is an error, whatever was shown of it")
    func damaged() async throws {
        let png = try Self.file(.png)
        serve("/a", Array(png.dropLast(3000)))
        let loader = bench.loader()
        let task = loader.task(for: request("/a"))
        var previews = 0
        for await event in task.events {
            if case .preview = event { previews += 1 }
        }
        #expect(previews > 0)
        await #expect(throws: ImageError.self) { try await task.image }
        await loader.waitUntilIdle()
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test(
        "D5: one caller's filter that fails takes nobody's previews; who is in more haste sets the pace"
    )
    func independent() async throws {
        serve("/a", try Self.file(.png), parts: 20)
        let loader = bench.loader()
        let broken = CustomFilter(identifier: "broken") { _, _ in
            throw ImagingError.invalidArgument(name: "filter", reason: "it is broken")
        }
        let failing = loader.task(for: request("/a", every: 60_000) { $0.filters = [broken] })
        for await event in failing.events {
            if case .progress = event { break }
        }
        let hasty = loader.task(for: request("/a") { $0.filters = [InvertFilter()] })
        let (previews, _) = try await follow(hasty)
        #expect(previews.count >= 2)
        await #expect(throws: ImageError.self) { try await failing.image }
    }
}
