import DeterminismSupport
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// Retries over a real origin, with a clock that the test moves.
@Suite(.timeLimit(.minutes(2))) struct RetryTests {
    private let bench: Workbench
    private let png: [UInt8]
    private let policy = ImageRequest.Retry(attempts: 3, firstDelay: .seconds(1))

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    private func waits(_ time: Duration) async throws {
        let clock = bench.clock
        try await eventually("It did not wait for \(time).") { clock.sleepers == [time] }
    }

    @Test("R10: what may succeed is asked again, later each time, and holds no place meanwhile")
    func untilItComes() async throws {
        bench.origin.route("/a", .sequence([.status(503), .status(500), .bytes(png)]))
        let loader = bench.loader { $0.retry = policy }
        let task = loader.task(for: bench.request("/a"))
        try await waits(.seconds(1))
        #expect(loader.downloads == (0, 0))
        bench.clock.advance(by: .milliseconds(999))
        #expect(bench.origin.requestCount == 1)
        bench.clock.advance(by: .milliseconds(1))
        try await waits(.seconds(2))
        #expect(bench.origin.requestCount == 2)
        bench.clock.advance(by: .seconds(2))
        let response = try await task.response
        #expect(response.timings.attempts == 3)
        #expect(response.timings.fetch == .seconds(3))
        #expect(response.timings.queue != nil)
    }

    @Test("R10: the last failure is the load's; one attempt is the default")
    func givesUp() async throws {
        bench.origin.route("/a", .sequence([.status(503), .status(502), .status(500)]))
        bench.origin.route("/b", .status(404))
        let loader = bench.loader { $0.retry = ImageRequest.Retry(firstDelay: .zero) }
        let error = await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/a"))
        }
        #expect(error?.reason == .status(500) && error?.http?.status == 500)
        #expect(bench.origin.requestCount == 3)
        await #expect(throws: ImageError.self) {
            try await loader.image(for: bench.request("/b"))
        }
        #expect(bench.origin.requests(for: "/b").count == 1, "it would be 404 again")
        let plain = bench.loader()
        await #expect(throws: ImageError.self) {
            try await plain.image(for: bench.request("/a"))
        }
        #expect(bench.origin.requests(for: "/a").count == 4)
    }

    @Test("R10: a body that ends too early is asked for again, and what is not idempotent is not")
    func brokenBody() async throws {
        bench.origin.route(
            "/a", .sequence([.truncated(png, sent: 50), .reset(afterBytes: 9), .bytes(png)]))
        let loader = bench.loader { $0.retry = ImageRequest.Retry(firstDelay: .zero) }
        #expect(try await loader.response(for: bench.request("/a")).timings.attempts == 3)
        bench.origin.route("/b", .sequence([.status(503), .bytes(png)]))
        let post = bench.request("/b") { $0.method = "POST" }
        await #expect(throws: ImageError.self) { try await loader.image(for: post) }
        #expect(bench.origin.requests(for: "/b").count == 1)
    }

    @Test("R10: Retry-After counts, in seconds and as a date, and too long a time is a failure")
    func retryAfter() async throws {
        let date: OriginHeader = "Retry-After: Thu, 01 Jan 2026 00:00:20 GMT"
        bench.origin.route(
            "/a",
            .sequence([
                .status(503, headers: ["Retry-After: 7"]), .status(429, headers: [date]),
                .status(503, headers: ["Retry-After: 31"]),
            ]))
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a") { $0.retry = .init(attempts: 9) })
        try await waits(.seconds(7))
        bench.clock.advance(by: .seconds(7))
        try await waits(.seconds(13))
        bench.clock.advance(by: .seconds(13))
        await #expect(throws: ImageError.self) { try await task.image }
        #expect(bench.origin.requestCount == 3)
    }

    @Test("R10, promise 6: a wait ends at once when the last caller leaves")
    func cancelled() async throws {
        bench.origin.route("/a", .sequence([.status(503), .bytes(png)]))
        let loader = bench.loader { $0.retry = policy }
        let tasks = [
            loader.task(for: bench.request("/a")), loader.task(for: bench.request("/a")),
        ]
        try await waits(.seconds(1))
        tasks[0].cancel()
        try await waits(.seconds(1))
        tasks[1].cancel()
        await loader.waitUntilIdle()
        let clock = bench.clock
        try await eventually("It waits still.") { clock.sleepers.isEmpty }
        #expect(bench.origin.requestCount == 1)
        // And what begins anew has all attempts before it.
        #expect(try await loader.image(for: bench.request("/a")).pixelSize.width == 96)
    }

    @Test("R10, R12: a deadline ends one caller's wait, and the other's goes on")
    func deadline() async throws {
        bench.origin.route("/a", .sequence([.status(503), .bytes(png)]))
        let loader = bench.loader { $0.retry = ImageRequest.Retry(firstDelay: .seconds(10)) }
        let hasty = loader.task(
            for: bench.request("/a") {
                $0.timeouts = ImageRequest.Timeouts(deadline: .seconds(4))
            })
        let patient = loader.task(for: bench.request("/a"))
        let clock = bench.clock
        try await eventually("They did not wait.") {
            clock.sleepers == [.seconds(4), .seconds(10)]
        }
        clock.advance(by: .seconds(4))
        let error = await #expect(throws: ImageError.self) { try await hasty.image }
        #expect(error?.reason == .deadlinePassed(.seconds(4)))
        try await waits(.seconds(6))
        clock.advance(by: .seconds(6))
        #expect(try await patient.image.pixelSize.width == 96)
    }

    @Test("R10: the most patient caller decides")
    func patience() async throws {
        bench.origin.route("/a", .sequence([.status(503), .status(503), .bytes(png)]))
        let loader = bench.loader()
        let first = loader.task(
            for: bench.request("/a") { $0.retry = .init(attempts: 2, firstDelay: .seconds(1)) })
        try await waits(.seconds(1))
        let second = loader.task(
            for: bench.request("/a") { $0.retry = .init(attempts: 3, firstDelay: .seconds(2)) })
        bench.clock.advance(by: .seconds(1))
        try await waits(.seconds(4))
        bench.clock.advance(by: .seconds(4))
        #expect(try await first.image.pixelSize == second.image.pixelSize)
        #expect(bench.origin.requestCount == 3)
    }
}
