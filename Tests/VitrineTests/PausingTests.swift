import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct PausingTests {
    private let bench: Workbench
    private let png: [UInt8]

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    @Test("L13: in a pause what runs goes on, and what waits waits; caches and files answer")
    func pause() async throws {
        let isOpen = Lock(false)
        bench.origin.route(
            "/running",
            .dynamic { [png] _ in
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                return .bytes(png)
            })
        bench.origin.routeOthers(.bytes(png, headers: ["Cache-Control: max-age=60"]))
        let origin = bench.origin
        _ = try await bench.loader().image(for: bench.request("/stored"))
        let loader = bench.loader()
        let running = loader.task(for: bench.request("/running"))
        try await eventually("it runs") { origin.requests(for: "/running").count == 1 }
        loader.pause()
        loader.pause()
        #expect(loader.isPaused)
        let waiting = loader.task(for: bench.request("/waiting"))
        let givenUp = loader.task(for: bench.request("/given-up"))
        try await eventually("two wait") { loader.downloads == (1, 2) }
        #expect(try await loader.response(for: bench.request("/stored")).source == .disk)
        #expect(try await loader.response(for: bench.request("/stored")).source == .memory)
        #expect(
            try await loader.response(
                for: ImageRequest(Fixture.folder.appending(path: "scene.png"))
            ).source == .file)
        isOpen.withLock { $0 = true }
        #expect(try await running.image.pixelSize.width == 96)
        givenUp.cancel()
        #expect(givenUp.isFinished && !waiting.isFinished)
        try await eventually("its place is free") { loader.downloads == (0, 1) }
        #expect(bench.origin.requests(for: "/waiting").isEmpty)
        loader.resume()
        #expect(!loader.isPaused)
        #expect(try await waiting.image.pixelSize.width == 96)
        #expect(bench.origin.requests(for: "/given-up").isEmpty)
    }

    @Test("L3, L13: cancel all ends every load at once, and new ones are not concerned")
    func cancelAll() async throws {
        bench.origin.route("/later", .bytes(png))
        bench.origin.routeOthers(.never)
        let origin = bench.origin
        let loader = bench.loader()
        let tasks = (0..<30).map { loader.task(for: bench.request("/\($0 % 10)")) }
        try await eventually("four run") { origin.requestCount == 4 && loader.downloads == (4, 6) }
        loader.cancelAll()
        for task in tasks {
            #expect(task.isFinished)
            let error = await #expect(throws: ImageError.self) { try await task.image }
            #expect(error?.isCancelled == true && error?.url == task.request.url)
        }
        #expect(try await loader.image(for: bench.request("/later")).pixelSize.width == 96)
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
        loader.cancelAll()
        // Only what is kept for reuse is open.
        try await eventually("the others' connections are closed") { origin.openConnections <= 1 }
    }

    @Test("promise 5: paused, resumed, loaded and cancelled at random, each task ends once")
    func storm() async throws {
        bench.origin.routeOthers(
            .dynamic { [png] request in
                request.path.hasSuffix("3")
                    ? .reset(afterBytes: 30) : .delayed(.milliseconds(1), then: .bytes(png))
            })
        let loader = bench.loader { $0.maximumActiveDownloads = 3 }
        let origin = bench.origin
        let ends = Lock<[Int: Int]>([:])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask { [bench] in
                    var tasks: [ImageTask] = []
                    for round in 0..<80 {
                        let number = worker * 1000 + round
                        let request = bench.request("/\(round % 25)") {
                            $0.priority = LoadPriority.allCases.randomElement() ?? .normal
                        }
                        let task = loader.load(request, deliveringOn: .immediate) { _ in
                            ends.withLock { $0[number, default: 0] += 1 }
                        }
                        tasks.append(task)
                        switch Int.random(in: 0..<12) {
                        case 0: loader.pause()
                        case 1, 2: loader.resume()
                        case 3 where worker == 0: loader.cancelAll()
                        case 4...6: tasks.randomElement()?.cancel()
                        default: try? await Task.sleep(for: .microseconds(500))
                        }
                    }
                    loader.resume()
                    for task in tasks { _ = try? await task.image }
                }
            }
        }
        loader.resume()
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0) && !loader.isPaused)
        #expect(ends.withLock { $0.count } == 320)
        #expect(ends.withLock { $0.values.allSatisfy { $0 == 1 } })
        try await eventually("no connection is left but those kept") { origin.openConnections <= 4 }
    }
}
