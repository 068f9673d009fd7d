import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// In which order a loader's downloads start, and how many at once.
@Suite(.timeLimit(.minutes(2))) struct OrderTests {
    private let bench: Workbench
    private let seen = Lock([String]())
    private let isOpen = Lock(false)

    init() throws {
        bench = try Workbench()
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.routeOthers(
            .dynamic { [seen, isOpen] request in
                seen.withLock { $0.append(request.path) }
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                return .bytes(png)
            })
    }

    /// Loads one that runs, and others that wait, in this order.
    private func waitingTasks(
        _ loader: ImageLoader, _ paths: [(String, LoadPriority)]
    ) async throws -> [ImageTask] {
        var tasks = [loader.task(for: bench.request("/first"))]
        try await eventually("The first did not begin.") { [seen] in
            seen.withLock { $0.count } == 1
        }
        for (index, (path, priority)) in paths.enumerated() {
            tasks.append(loader.task(for: bench.request(path) { $0.priority = priority }))
            try await eventually("\(path) does not wait.") {
                loader.downloads.waiting == index + 1
            }
        }
        return tasks
    }

    private func finish(_ tasks: [ImageTask]) async throws -> [String] {
        isOpen.withLock { $0 = true }
        for task in tasks { _ = try await task.image }
        return seen.withLock { $0 }
    }

    @Test("L1, promise 9: a priority that changes while a load waits takes effect")
    func raised() async throws {
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        let tasks = try await waitingTasks(
            loader, [("/a", .normal), ("/b", .normal), ("/c", .low), ("/d", .high)])
        #expect(tasks[3].priority == .low)
        tasks[3].priority = .veryHigh
        tasks[4].priority = .veryLow
        tasks[0].priority = .low  // it runs
        #expect(tasks[3].priority == .veryHigh)
        #expect(try await finish(tasks) == ["/first", "/c", "/a", "/b", "/d"])
        tasks[1].priority = .high
        #expect(tasks[1].priority == .high)
    }

    @Test("promise 4, L1: shared work is done at the highest priority of those who wait for it")
    func shared() async throws {
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        var tasks = try await waitingTasks(loader, [("/a", .normal), ("/b", .veryLow)])
        let urgent = loader.task(for: bench.request("/b") { $0.priority = .high })
        tasks.append(urgent)
        let third = loader.task(for: bench.request("/c") { $0.priority = .high })
        tasks.append(third)
        try await eventually("It does not wait.") { loader.downloads.waiting == 3 }
        // Without the urgent one it would be the last again.
        urgent.cancel()
        tasks.removeAll { $0 === urgent }
        #expect(try await finish(tasks) == ["/first", "/c", "/a", "/b"])
    }

    @Test("L13: no more than so many from one host, and others go before them")
    func perHost() async throws {
        let loader = bench.loader {
            $0.maximumActiveDownloads = 3
            $0.maximumActiveDownloadsPerHost = 2
        }
        var tasks = (0..<4).map { loader.task(for: bench.request("/a\($0)")) }
        try await eventually("They do not wait.") { loader.downloads == (2, 2) }
        // The same machine by another name.
        let port = bench.origin.url("/").port ?? 0
        let other = try #require(URL(string: "http://localhost:\(port)/other"))
        tasks.append(loader.task(for: ImageRequest(other)))
        try await eventually("The other host does not go.") { [seen] in
            seen.withLock { $0.contains("/other") } && loader.downloads == (3, 2)
        }
        #expect(try await finish(tasks).count == 5)
    }

    @Test("L13: downloads start as often as the rate allows, by the loader's clock")
    func rate() async throws {
        let loader = bench.loader {
            $0.maximumActiveDownloads = 100
            $0.maximumActiveDownloadsPerHost = nil
            $0.downloadRate = .init(perSecond: 2, burst: 3)
        }
        isOpen.withLock { $0 = true }
        let clock = bench.clock
        var tasks = (0..<6).map { loader.task(for: bench.request("/\($0)")) }
        let all = tasks
        try await eventually("It is not the burst that went.") {
            all.filter(\.isFinished).count == 3 && loader.downloads == (0, 3)
                && clock.sleepers.count == 1
        }
        // What is given up meanwhile is never asked for.
        let given = tasks.first { !$0.isFinished }
        given?.cancel()
        tasks.removeAll { $0 === given }
        try await eventually("It waits still.") { loader.downloads.waiting == 2 }
        clock.advance(by: .milliseconds(500))
        try await eventually("The fourth did not go.") { [seen] in
            seen.withLock { $0.count } == 4 && loader.downloads.waiting == 1
        }
        try await eventually("Nobody set an alarm.") { clock.sleepers.count == 1 }
        clock.advance(by: .milliseconds(500))
        for task in tasks { _ = try await task.image }
        #expect(seen.withLock { $0.count } == 5)
    }
}
