import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

@Suite struct EndingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("promise 6: cancelling ends only that caller, at once") func cancelOne() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/a", .delayed(.milliseconds(300), then: .bytes(png)))
        let loader = bench.loader()
        let first = loader.task(for: bench.request("/a"))
        let second = loader.task(for: bench.request("/a"))
        first.cancel()
        #expect(first.isFinished)
        let error = await #expect(throws: ImageError.self) { try await first.response }
        #expect(error?.isCancelled == true)
        #expect(try await second.image.pixelSize.width == 96)
        #expect(bench.origin.requests(for: "/a").count == 1)
        first.cancel()
        second.cancel()
        #expect(try await second.image.pixelSize.width == 96, "cancelling after the end is nothing")
    }

    @Test("promise 6: when the last caller leaves, the transfer stops") func cancelLast()
        async throws
    {
        bench.origin.route("/a", .stall(afterBytes: 1000))
        let origin = bench.origin
        let loader = bench.loader()
        let tasks = (0..<3).map { _ in loader.task(for: bench.request("/a")) }
        try await eventually("the transfer began") { origin.requestCount == 1 }
        for task in tasks { task.cancel() }
        try await eventually("the connection was closed") { origin.openConnections == 0 }
        await loader.waitUntilIdle()
    }

    @Test("promise 6: cancelling the Swift task that awaits the image cancels the load")
    func cancelSwiftTask() async throws {
        bench.origin.route("/a", .never)
        let origin = bench.origin
        let loader = bench.loader()
        let request = bench.request("/a")
        let task = Task { try await loader.image(for: request) }
        try await eventually("the transfer began") { origin.requestCount == 1 }
        task.cancel()
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        try await eventually("the connection was closed") { origin.openConnections == 0 }
    }

    @Test("promise 7: load, cancel, load again ends in the image") func setCancelSet()
        async throws
    {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/a", .delayed(.milliseconds(20), then: .bytes(png)))
        let loader = bench.loader()
        for _ in 0..<20 {
            loader.task(for: bench.request("/a")).cancel()
            let again = loader.task(for: bench.request("/a"))
            #expect(try await again.image.pixelSize.width == 96)
        }
    }

    @Test("promise 8: ending an iteration or dropping a task cancels nothing") func dropping()
        async throws
    {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a",
            .delayed(.milliseconds(100), then: .bytes(png, headers: ["Cache-Control: max-age=60"])))
        let loader = bench.loader()
        var task: ImageTask? = loader.task(for: bench.request("/a"))
        if let events = task?.events {
            let listening = Task { for await _ in events { break } }
            listening.cancel()
        }
        task = nil
        let request = bench.request("/a")
        try await eventually("the image came") { loader.cachedImage(for: request) != nil }
    }

    @Test("promise 8: a loader may be released while it loads") func releasedLoader() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/a", .delayed(.milliseconds(100), then: .bytes(png)))
        let task = bench.loader().task(for: bench.request("/a"))
        #expect(try await task.image.pixelSize.width == 96)
    }

    @Test("L4, promise 8: progress for each caller, then the end, for every listener")
    func events() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        let cut = png.count / 3
        bench.origin.route(
            "/a",
            .chunked(
                [Array(png[..<cut]), Array(png[cut...])], interval: .milliseconds(100)))
        let task = bench.loader().task(for: bench.request("/a"))
        let counts = await withTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var (progress, ends) = (0, 0)
                    var last = 0
                    for await event in task.events {
                        switch event {
                        case .preview: Issue.record("nobody asked for it")
                        case .progress(let value):
                            #expect(value.received > last && ends == 0)
                            #expect(value.total == nil)
                            last = value.received
                            progress += 1
                        case .finished(let end):
                            #expect((try? end.get())?.image.pixelSize.width == 96)
                            ends += 1
                        }
                    }
                    return (progress, ends)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (progress, ends) in counts {
            #expect(progress >= 1)
            #expect(ends == 1)
        }
    }

    @Test("L1: at most so many downloads are active") func activeLimit() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.routeOthers(.delayed(.milliseconds(20), then: .bytes(png)))
        let loader = bench.loader { $0.maximumActiveDownloads = 2 }
        let tasks = (0..<20).map { loader.task(for: bench.request("/\($0)")) }
        for task in tasks { _ = try await task.image }
        #expect(bench.origin.requestCount == 20)
        #expect(bench.origin.mostOpenConnections <= 2)
    }

    @Test(
        "L1: what waits starts in the order configured, and by priority", arguments: [true, false])
    func order(isFIFO: Bool) async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        let seen = Lock([String]())
        let isOpen = Lock(false)
        bench.origin.routeOthers(
            .dynamic { request in
                seen.withLock { $0.append(request.path) }
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                return .bytes(png)
            })
        let loader = bench.loader {
            $0.maximumActiveDownloads = 1
            $0.downloadOrder = isFIFO ? .fifo : .lifo
        }
        let first = loader.task(for: bench.request("/first"))
        try await eventually("the first began") { seen.withLock { $0.count } == 1 }
        var tasks = [first]
        let priorities: [(String, LoadPriority)] = [
            ("/low", .low), ("/a", .normal), ("/b", .normal), ("/c", .normal), ("/high", .high),
        ]
        for (index, (name, priority)) in priorities.enumerated() {
            tasks.append(loader.task(for: bench.request(name) { $0.priority = priority }))
            try await eventually("\(name) waits") { loader.downloads.waiting == index + 1 }
        }
        #expect(loader.downloads.active == 1)
        isOpen.withLock { $0 = true }
        for task in tasks { _ = try await task.image }
        let normal = isFIFO ? ["/a", "/b", "/c"] : ["/c", "/b", "/a"]
        #expect(seen.withLock { $0 } == ["/first", "/high"] + normal + ["/low"])
    }

    @Test("promise 6: one that waits for its turn is cancelled without having been sent")
    func cancelQueued() async throws {
        bench.origin.route("/slow", .never)
        let origin = bench.origin
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        let slow = loader.task(for: bench.request("/slow"))
        try await eventually("the first began") { origin.requestCount == 1 }
        let waiting = loader.task(for: bench.request("/b"))
        waiting.cancel()
        slow.cancel()
        await loader.waitUntilIdle()
        #expect(bench.origin.requests(for: "/b").isEmpty)
    }
}
