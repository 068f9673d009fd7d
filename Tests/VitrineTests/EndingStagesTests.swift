import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// Ends a load at the very beginning or end of one stage, on the thread that does the work.
private final class Ender: LoadObserver {
    struct Moment: Sendable, CustomTestStringConvertible {
        let stage: String
        let isBeginning: Bool
        let isElsewhere: Bool
        var testDescription: String {
            "\(isBeginning ? "begin" : "end") of \(stage)\(isElsewhere ? ", other thread" : "")"
        }
    }
    private let moment: Moment
    private let action = Lock<(@Sendable () -> Void)?>(nil)
    let hits = Lock(0)
    let balance = Lock([String: Int]())

    init(_ moment: Moment) { self.moment = moment }

    func arm(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    func observe(_ event: LoadEvent) {
        let isBeginning = if case .began = event.moment { true } else { false }
        let name = event.stage.description
        balance.withLock { $0[name, default: 0] += isBeginning ? 1 : -1 }
        guard name == moment.stage, isBeginning == moment.isBeginning else { return }
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        guard let action else { return }
        hits.withLock { $0 += 1 }
        guard moment.isElsewhere else { return action() }
        let thread = Thread { action() }
        thread.start()
        while !thread.isFinished { usleep(100) }
    }
}

/// The endings of a load, stage by stage.
@Suite(.timeLimit(.minutes(3))) struct EndingStagesTests {
    private let bench: Workbench
    private let png: [UInt8]
    private static let filter = CustomFilter(identifier: "same") { frame, _ in frame }

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    private static let moments = [
        "cache look-up", "queue", "modifier", "transfer", "wait for another attempt", "decode",
        "filter same", "store",
    ].flatMap { stage in
        [true, false].flatMap { isBeginning in
            [true, false].map {
                Ender.Moment(stage: stage, isBeginning: isBeginning, isElsewhere: $0)
            }
        }
    }

    /// A load that goes through all stages: it is asked for twice, since the first answer is a 503.
    private func request() -> ImageRequest {
        bench.request("/a") { $0.filters = [Self.filter] }
    }

    private func loader(_ ender: Ender) -> ImageLoader {
        bench.origin.route(
            "/a", .sequence([.status(503), .bytes(png, headers: ["Cache-Control: max-age=60"])]))
        return bench.loader {
            $0.observer = ender
            $0.retry = ImageRequest.Retry(firstDelay: .zero)
            $0.networkModifier = { _ in await Task.yield() }
        }
    }

    private func ends(_ task: ImageTask) async -> [Result<ImageResponse, ImageError>] {
        var ends: [Result<ImageResponse, ImageError>] = []
        for await event in task.events {
            if case .finished(let end) = event { ends.append(end) }
        }
        return ends
    }

    /// Nothing is left, and the next load has the image.
    private func settles(_ loader: ImageLoader, _ ender: Ender) async throws {
        await loader.waitUntilIdle()
        #expect(ender.hits.withLock { $0 } == 1, "the moment was not met")
        let clock = bench.clock
        try await eventually("Something is left.") {
            loader.downloads == (0, 0) && clock.sleepers.isEmpty
        }
        #expect(try await loader.image(for: request()).pixelSize.width == 96)
        await loader.waitUntilIdle()
        try await eventually("Something has begun and not ended.") {
            ender.balance.withLock { $0.values.allSatisfy { $0 == 0 } }
        }
    }

    @Test("promises 5, 6, 7: cancelled in each stage", arguments: moments)
    fileprivate func cancelled(moment: Ender.Moment) async throws {
        let ender = Ender(moment)
        let loader = loader(ender)
        let box = Lock<ImageTask?>(nil)
        ender.arm {
            // The task may not have been handed out yet.
            while box.withLock({ $0 }) == nil { usleep(100) }
            let task = box.withLock { $0 }
            task?.cancel()
            #expect(task?.isFinished == true, "at once")
            task?.cancel()
        }
        let task = loader.task(for: request())
        box.withLock { $0 = task }
        let ends = await ends(task)
        #expect(ends.count == 1)
        guard case .failure(let error) = ends.first else {
            Issue.record("it was not cancelled")
            return
        }
        #expect(error.isCancelled)
        task.cancel()
        #expect(await self.ends(task).count == 1, "twice, and after the end")
        try await settles(loader, ender)
    }

    @Test(
        "promise 5: the awaiting Swift task is cancelled in each stage",
        arguments: moments.filter { !$0.isElsewhere })
    fileprivate func swiftTask(moment: Ender.Moment) async throws {
        let ender = Ender(moment)
        let loader = loader(ender)
        let box = Lock<Task<RasterImage, any Error>?>(nil)
        ender.arm {
            while box.withLock({ $0 }) == nil { usleep(100) }
            box.withLock { $0 }?.cancel()
        }
        let request = request()
        let task = Task { try await loader.image(for: request) }
        box.withLock { $0 = task }
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        try await settles(loader, ender)
    }

    @Test(
        "promise 6: one of two leaves in each stage, and the other has the image",
        arguments: moments.filter { !$0.isElsewhere })
    fileprivate func oneOfTwo(moment: Ender.Moment) async throws {
        let ender = Ender(moment)
        let loader = loader(ender)
        let box = Lock<ImageTask?>(nil)
        ender.arm {
            while box.withLock({ $0 }) == nil { usleep(100) }
            box.withLock { $0 }?.cancel()
        }
        let tasks = [loader.task(for: request()), loader.task(for: request())]
        box.withLock { $0 = tasks[0] }
        #expect(try await tasks[1].image.pixelSize.width == 96)
        await #expect(throws: ImageError.self) { try await tasks[0].image }
        try await settles(loader, ender)
        #expect(bench.origin.requestCount == 2, "shared, retry included")
    }

    @Test(
        "promise 8: the loader is released in each stage, and the load goes on",
        arguments: moments.filter { !$0.isElsewhere })
    fileprivate func released(moment: Ender.Moment) async throws {
        let ender = Ender(moment)
        let box = Lock<ImageLoader?>(loader(ender))
        let isStarted = Lock(false)
        ender.arm {
            while !isStarted.withLock({ $0 }) { usleep(100) }
            let loader = box.withLock { box in
                defer { box = nil }
                return box
            }
            _ = loader
        }
        let task = box.withLock { $0 }?.task(for: request())
        isStarted.withLock { $0 = true }
        #expect(try await task?.image.pixelSize.width == 96)
        #expect(ender.hits.withLock { $0 } == 1 && box.withLock { $0 } == nil)
    }

    @Test(
        "promise 6: what is read from disk for nobody is not decoded",
        arguments: moments.filter { ["cache look-up", "transfer"].contains($0.stage) })
    fileprivate func fromDisk(moment: Ender.Moment) async throws {
        bench.origin.route("/a", .bytes(png, headers: ["Cache-Control: max-age=60"]))
        let first = bench.loader()
        _ = try await first.image(for: bench.request("/a"))
        await first.waitUntilIdle()
        let ender = Ender(moment)
        let loader = bench.loader { $0.observer = ender }
        let box = Lock<ImageTask?>(nil)
        ender.arm {
            while box.withLock({ $0 }) == nil { usleep(100) }
            box.withLock { $0 }?.cancel()
        }
        let task = loader.task(for: request())
        box.withLock { $0 = task }
        let error = await #expect(throws: ImageError.self) { try await task.image }
        #expect(error?.isCancelled == true && error?.http == nil)
        await loader.waitUntilIdle()
        #expect(ender.hits.withLock { $0 } == 1 && ender.balance.withLock { $0["decode"] } == nil)
        #expect(try await loader.response(for: request()).source == .disk)
        #expect(bench.origin.requestCount == 1)
    }

    @Test("promise 5: cancelled before the start, and by a Swift task that is cancelled already")
    func beforeTheStart() async throws {
        bench.origin.routeOthers(.never)
        let loader = bench.loader()
        let request = bench.request("/a")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.image(for: request)
        }
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
    }

    @Test("promises 5, 6: from many threads at once, each task ends once")
    func manyThreads() async throws {
        bench.origin.routeOthers(.delayed(.milliseconds(3), then: .bytes(png)))
        let loader = bench.loader()
        for round in 0..<40 {
            let task = loader.task(for: bench.request("/\(round % 3)"))
            let ends = Lock(0)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { task.cancel() } }
                for _ in 0..<4 {
                    group.addTask {
                        let count = await self.ends(task).count
                        ends.withLock { $0 += count }
                    }
                }
            }
            #expect(ends.withLock { $0 } == 4, "once for each listener")
        }
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
    }

    @Test("promise 5: a filter that throws, an invalid URL, a scheme that nobody has")
    func failures() async throws {
        struct Broken: Error {}
        try bench.serve("/a", "scene.png")
        let loader = bench.loader()
        let throwing = CustomFilter(identifier: "throws") { _, _ in throw Broken() }
        let tasks = [
            loader.task(for: bench.request("/a") { $0.filters = [.circle, throwing, .circle] }),
            loader.task(for: ImageRequest(URL(string: "http://") ?? URL(filePath: "/"))),
            loader.task(for: ImageRequest(URL(string: "ftp://host/a") ?? URL(filePath: "/"))),
            loader.task(for: ImageRequest(URL(string: "relative") ?? URL(filePath: "/"))),
        ]
        var kinds: [String] = []
        for task in tasks {
            let ends = await ends(task)
            #expect(ends.count == 1)
            guard case .failure(let error) = ends.first else { continue }
            switch error.reason {
            case .imaging(.filterFailed): kinds.append("filter")
            case .transport(.invalidURL): kinds.append("URL")
            case .unsupportedScheme(let scheme): kinds.append(scheme)
            default: kinds.append("\(error)")
            }
        }
        #expect(kinds == ["filter", "URL", "ftp", ""])
        await loader.waitUntilIdle()
        // What others make of the same bytes is not harmed.
        #expect(try await loader.image(for: bench.request("/a")).pixelSize.width == 96)
    }
}
