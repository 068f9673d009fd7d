import Dispatch
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// What blocks has threads of its own.
@Suite(.timeLimit(.minutes(2))) struct BlockingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// A filter that blocks its thread until it is let go, for 20 seconds at most.
    private final class Block: Sendable {
        private let isOpen = Lock(false)
        private let waiting = Lock(0)
        private let tooLong = Lock(false)

        var count: Int { waiting.withLock { $0 } }
        var hasTimedOut: Bool { tooLong.withLock { $0 } }
        func open() { isOpen.withLock { $0 = true } }

        func filter(_ number: Int) -> any ImageFilter {
            .custom(identifier: "block \(number)") { frame, _ in
                self.waiting.withLock { $0 += 1 }
                for _ in 0..<20_000 {
                    if self.isOpen.withLock({ $0 }) { return frame }
                    usleep(1000)
                }
                self.tooLong.withLock { $0 = true }
                return frame
            }
        }
    }

    @Test("promise 11: filters that block hold up nothing but filters and decodes")
    func filters() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.routeOthers(.bytes(png, headers: ["Cache-Control: max-age=60"]))
        // As many as would fill Swift's own pool, were they there.
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let loader = bench.loader { $0.maximumActiveDecodes = cores + 2 }
        _ = try await loader.image(for: bench.request("/kept"))
        await loader.waitUntilIdle()
        let block = Block()
        let tasks = (0..<cores + 6).map { number in
            loader.task(for: bench.request("/\(number)") { $0.filters = [block.filter(number)] })
        }
        try await eventually("They did not begin.") { block.count == cores + 2 }

        // Swift's tasks and the main thread.
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    await Task.yield()
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 63 * 32)
        await MainActor.run {}
        // Memory, the disk, and transfers up to the decoding.
        #expect(try await loader.response(for: bench.request("/kept")).source == .memory)
        #expect(await loader.cacheEntry(for: bench.request("/kept"))?.size == png.count)
        let next = loader.task(for: bench.request("/next"))
        let origin = bench.origin
        try await eventually("The transfers wait.") {
            origin.requestCount == cores + 8 && loader.downloads == (0, 0)
        }
        #expect(block.count == cores + 2 && !next.isFinished && !block.hasTimedOut)
        // One that waits for a thread behind them leaves at once.
        next.cancel()
        #expect(next.isFinished)
        block.open()
        for task in tasks { _ = try await task.image }
        #expect(block.count == cores + 6)
    }
}
