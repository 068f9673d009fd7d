import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct LoadCancellationTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test(
        "promise 6: when the last caller leaves, the decoding stops, and its memory is free"
    )
    func decoding() async throws {
        // Ten seconds of decoding and more, which takes all of the memory that there is.
        bench.origin.route("/bomb", .bytes([UInt8](Bomb.png(width: 100_000, height: 60_000))))
        try bench.serve("/a", "scene.png")
        let budget = DecodeBudget(maximumBytes: 1)
        let loader = bench.loader {
            $0.decodeBudget = budget
            $0.maximumActiveDecodes = 2
            $0.decodeLimits = DecodeLimits(maximumDimension: .max, maximumSourcePixels: .max)
        }
        let request = bench.request("/bomb") { $0.targetSize = .maximum(32) }
        let tasks = [loader.task(for: request), loader.task(for: request)]
        try await eventually("The decoding did not begin.") { budget.counts.active == 1 }
        let next = loader.task(for: bench.request("/a"))
        try await eventually("The next one did not wait.") { budget.counts.waiting == 1 }
        tasks[0].cancel()
        try await Task.sleep(for: .milliseconds(50))
        #expect(!tasks[1].isFinished && !next.isFinished, "somebody still wants it")
        tasks[1].cancel()
        expectPixels(try await next.image.posterFrame, equals: Scene.plain)
        await loader.waitUntilIdle()
        try await eventually("The reservation was not given back.") { budget.counts == (0, 0) }
    }
}
