import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct BudgetTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("D7: a loader's decoding and filtering stay within its budget") func alone() async throws
    {
        let budget = DecodeBudget(maximumBytes: 1)
        let running = Lock((now: 0, most: 0))
        let loader = bench.loader {
            $0.decodeBudget = budget
            $0.maximumActiveDecodes = 4
        }
        for index in 0..<8 { try bench.serve("/\(index)", "scene.png") }
        let slow = CustomFilter(identifier: "slow") { frame, _ in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            Thread.sleep(forTimeInterval: 0.01)
            running.withLock { $0.now -= 1 }
            return frame
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask { [bench] in
                    let request = bench.request("/\(index)") { $0.filters = [slow, .circle] }
                    let image = try await loader.response(for: request).image
                    #expect(image.pixelSize == PixelSize(width: 64, height: 64))
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1)
        await loader.waitUntilIdle()
        try await eventually("Reservations were not given back.") { budget.counts == (0, 0) }
    }

    @Test("D7: a load that waits for memory can be cancelled") func cancel() async throws {
        let budget = DecodeBudget(maximumBytes: 100)
        let loader = bench.loader { $0.decodeBudget = budget }
        try bench.serve("/a", "scene.png")
        let holder = budget.reservation()
        try await holder.take(100)
        let task = loader.task(for: bench.request("/a"))
        try await eventually("The load did not wait.") { budget.counts.waiting == 1 }
        task.cancel()
        await #expect(throws: ImageError.self) { try await task.response }
        try await eventually("Its place was not given back.") { budget.counts.waiting == 0 }
        holder.release()
        // And what comes next is served.
        let image = try await loader.response(for: bench.request("/a")).image
        expectPixels(image.posterFrame, equals: Scene.plain)
    }

    @Test("D4, F9: an animation arrives whole, filtered, and costs what it may take")
    func animation()
        async throws
    {
        try bench.serve("/a", "animated.gif", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let request = bench.request("/a") { $0.filters = [.fill(width: 20, height: 20)] }
        let image = try await loader.response(for: request).image
        #expect(image.frameCount == 3)
        #expect(image.loopCount == 2)
        for index in 0..<3 {
            #expect(try await image.frame(at: index).size == PixelSize(width: 20, height: 20))
        }
        #expect(image.cost > image.info.byteCount + 20 * 20 * 4)
        let again = try await loader.response(for: request)
        #expect(again.source == .memory)
        #expect(try await again.image.frame(at: 2) === image.frame(at: 2))
    }
}
