import DeterminismSupport
import FoundationEssentials
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

@testable import Vitrine

@Suite(.timeLimit(.minutes(2))) struct DeadlineTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func hasty(_ path: String, _ deadline: Duration) -> ImageRequest {
        bench.request(path) { $0.timeouts = ImageRequest.Timeouts(deadline: deadline) }
    }

    @Test("R12: a deadline ends its caller alone, with an error of its own")
    func ownCallerOnly() async throws {
        bench.origin.route("/a", .stall(afterBytes: 100))
        let loader = bench.loader()
        let tasks = [
            loader.task(for: hasty("/a", .seconds(3))), loader.task(for: bench.request("/a")),
        ]
        let origin = bench.origin
        try await eventually("It did not begin.") { origin.requestCount == 1 }
        bench.clock.advance(by: .seconds(2))
        #expect(!tasks[0].isFinished)
        bench.clock.advance(by: .seconds(1))
        let error = await #expect(throws: ImageError.self) { try await tasks[0].image }
        #expect(error?.reason == .deadlinePassed(.seconds(3)))
        #expect(error?.isCancelled == false)
        #expect(error?.description.hasSuffix("The picture was not there after 3 s.") == true)
        #expect(!tasks[1].isFinished && origin.openConnections == 1)
        tasks[1].cancel()
        await loader.waitUntilIdle()
    }

    @Test("R12: the time in the queue counts, and the last one who leaves stops the work")
    func queue() async throws {
        bench.origin.routeOthers(.never)
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        let origin = bench.origin
        var tasks = [loader.task(for: hasty("/a", .seconds(9)))]
        try await eventually("The first did not begin.") { origin.requestCount == 1 }
        tasks.append(loader.task(for: hasty("/b", .seconds(3))))
        try await eventually("The second did not wait.") { loader.downloads == (1, 1) }
        bench.clock.advance(by: .seconds(3))
        await #expect(throws: ImageError.self) { try await tasks[1].image }
        try await eventually("Its place is taken still.") { loader.downloads == (1, 0) }
        bench.clock.advance(by: .seconds(6))
        await #expect(throws: ImageError.self) { try await tasks[0].image }
        await loader.waitUntilIdle()
        try await eventually("The transfer goes on.") { origin.openConnections == 0 }
        #expect(bench.origin.requests(for: "/b").isEmpty)
    }

    @Test("R12: a load that is there in time leaves no timer, and no time is a failure at once")
    func inTime() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        for none in [Duration.zero, .seconds(-5)] {
            let error = await #expect(throws: ImageError.self) {
                try await loader.image(for: hasty("/never", none))
            }
            #expect(error?.reason == .deadlinePassed(none))
        }
        for long in [Duration.seconds(60), .seconds(Int64.max)] {
            #expect(try await loader.image(for: hasty("/a", long)).pixelSize.width == 96)
        }
        #expect(try await loader.response(for: hasty("/a", .zero)).source == .memory)
        let clock = bench.clock
        try await eventually("A timer was left.") { clock.sleepers.isEmpty }
    }

    @Test("R12: a body that trickles is given up after a minute; a slow one is not")
    func lowestSpeed() throws {
        let second: UInt64 = 1_000_000_000
        /// The second in which it is given up, if it brings so much in each.
        func end(_ bytes: Int, _ lowest: Int) -> Int? {
            var speed = LowestSpeed(bytesPerSecond: lowest, at: 7 * second)
            for number in 1...400 {
                do throws(TransportError) {
                    try speed.check(number * bytes, at: (7 + UInt64(number)) * second)
                } catch {
                    #expect(error == .tooSlow(bytesPerSecond: lowest, over: .seconds(60)))
                    return number
                }
            }
            return nil
        }
        #expect(end(1, 100) == 60)
        #expect(end(99, 100) == 60)
        #expect(end(100, 100) == nil)
        #expect(end(0, 0) == nil)
        #expect(end(0, -1) == nil)
        #expect(end(1, .max) == 60)
        var speed = LowestSpeed(bytesPerSecond: 10, at: 0)
        try speed.check(1_000_000, at: 60 * second)
        #expect(throws: TransportError.self) { try speed.check(1_000_001, at: 120 * second) }
    }

    @Test("R12: the same over a connection")
    func trickle() async throws {
        let clock = bench.clock
        bench.origin.route(
            "/a", .chunked((0..<200).map { [UInt8($0)] }, interval: .milliseconds(20)))
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a"))
        let isFirst = Lock(true)
        for await event in task.events {
            if case .progress = event, isFirst.withLock({ $0 }) {
                isFirst.withLock { $0 = false }
                clock.advance(by: .seconds(61))
            }
        }
        let error = await #expect(throws: ImageError.self) { try await task.image }
        #expect(
            error?.reason
                == .transport(.tooSlow(bytesPerSecond: 100, over: .seconds(60))))
        #expect(
            error?.description.hasSuffix(
                "The server sent less than 100 bytes a second for 60 s.") == true)
    }
}
