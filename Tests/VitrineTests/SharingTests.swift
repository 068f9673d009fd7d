import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

@Suite struct SharingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("promise 1, L2: 1,000 requests for 50 URLs make 50 transfers, and each ends once")
    func thousandRequests() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.routeOthers(
            .delayed(.milliseconds(5), then: .bytes(png, headers: ["Cache-Control: max-age=600"])))
        let loader = bench.loader()
        let requests = (0..<1000).map { index in
            bench.request("/\(index % 50)") { request in
                if index % 3 == 1 { request.filters = [.circle] }
                if index % 3 == 2 { request.targetSize = .fit(width: 30, height: 30) }
            }
        }
        let ended = Lock(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for request in requests {
                group.addTask {
                    _ = try await loader.image(for: request)
                    ended.withLock { $0 += 1 }
                }
            }
            try await group.waitForAll()
        }
        #expect(ended.withLock { $0 } == 1000)
        #expect(bench.origin.requestCount == 50)
        for index in 0..<50 { #expect(bench.origin.requests(for: "/\(index)").count == 1) }
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.entries == 50)
    }

    @Test("promise 1: the same when nothing may be kept, as long as a load goes on")
    func sharedWithoutCaches() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a",
            .delayed(.milliseconds(300), then: .bytes(png, headers: ["Cache-Control: no-store"])))
        let loader = bench.loader()
        let tasks = (0..<200).map { _ in loader.task(for: bench.request("/a")) }
        for task in tasks { #expect(try await task.response.source == .network) }
        #expect(bench.origin.requestCount == 1)
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("promise 5: a storm of loads and cancellations ends every task once, and leaves nothing")
    func cancellationStorm() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.routeOthers(.delayed(.milliseconds(2), then: .bytes(png)))
        let loader = bench.loader()
        var random = SeededRandom(seed: 7)
        let ends = Lock((images: 0, cancelled: 0, other: 0))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<600 {
                let task = loader.task(for: bench.request("/\(index % 40)"))
                let delay = Int.random(in: 0..<40, using: &random)
                group.addTask {
                    do {
                        _ = try await task.image
                        ends.withLock { $0.images += 1 }
                    } catch {
                        let isCancelled = (error as? ImageError)?.isCancelled == true
                        ends.withLock { isCancelled ? ($0.cancelled += 1) : ($0.other += 1) }
                    }
                }
                if delay < 20 {
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds(delay))
                        task.cancel()
                    }
                }
            }
        }
        let counts = ends.withLock { $0 }
        #expect(counts.images + counts.cancelled == 600)
        #expect(counts.other == 0)
        await loader.waitUntilIdle()
    }
}
