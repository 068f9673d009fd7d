import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct ImageResultsTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Serves `/0` … as the scene, each when its turn has come: the last one first.
    private func serveBackwards(_ count: Int) throws -> Lock<Int> {
        let png = [UInt8](try Fixture.data("scene.png"))
        let turn = Lock(count - 1)
        for number in 0..<count {
            bench.origin.route(
                "/\(number)",
                .dynamic { _ in
                    while turn.withLock({ $0 }) > number { usleep(1000) }
                    return .bytes(png)
                })
        }
        return turn
    }

    @Test("L5: each result comes with its request, as it comes; a failure ends nothing")
    func arrival() async throws {
        let turn = try serveBackwards(3)
        bench.origin.route("/2", .status(404))
        let requests = (0..<3).map { bench.request("/\($0)") }
        var seen: [Int] = []
        for await element in bench.loader().images(for: requests) {
            turn.withLock { $0 -= 1 }
            #expect(element.request.url == requests[element.index].url)
            seen.append(element.index)
            if element.index == 2 {
                let error = #expect(throws: ImageError.self) { try element.image }
                #expect(error?.reason == .status(404))
            } else {
                #expect(try element.image.pixelSize.width == 96)
            }
        }
        #expect(seen == [2, 1, 0])
    }

    @Test("L5: all in the order asked, streamed or at once") func inOrder() async throws {
        let turn = try serveBackwards(3)
        let loader = bench.loader { $0.diskCache = .none }
        let requests = (0..<3).map { bench.request("/\($0)") }
        let opening = Task {
            while turn.withLock({ $0 }) > 0 {
                try await Task.sleep(for: .milliseconds(20))
                turn.withLock { $0 -= 1 }
            }
        }
        var seen: [Int] = []
        for await element in loader.images(for: requests, order: .request) {
            seen.append(element.index)
        }
        #expect(seen == [0, 1, 2])
        try await opening.value
        turn.withLock { $0 = 2 }
        let collecting = Task {
            await loader.images(from: requests.map(\.url)).all()
        }
        turn.withLock { $0 = 0 }
        let all = await collecting.value
        #expect(all.map(\.index) == [0, 1, 2])
        #expect(all.map(\.request.url) == requests.map(\.url))
        #expect(all.allSatisfy { (try? $0.image) != nil })
    }

    @Test("L5: an empty list ends too") func empty() async {
        let loader = bench.loader()
        for await _ in loader.images(for: [ImageRequest]()) { Issue.record("there is none") }
        #expect(await loader.images(for: [ImageRequest](), order: .request).all().isEmpty)
        let none = AsyncStream<ImageRequest> { $0.finish() }
        for await _ in loader.images(for: none) { Issue.record("there is none") }
    }

    @Test("L2, L5: equal requests of a list share their transfer, and each gets its own result")
    func duplicates() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/a", .delayed(.milliseconds(100), then: .bytes(png)))
        let all = await bench.loader().images(
            for: Array(repeating: bench.request("/a"), count: 5)
        ).all()
        #expect(all.count == 5 && all.allSatisfy { (try? $0.image) != nil })
        #expect(bench.origin.requests(for: "/a").count == 1)
    }

    @Test("L5: leaving the loop cancels what was begun for it, and begins nothing more")
    func leaving() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/0", .bytes(png))
        bench.origin.routeOthers(.never)
        let origin = bench.origin
        // As many as look ahead, since they reach the queue in any order.
        let loader = bench.loader { $0.maximumActiveDownloads = 8 }
        let other = loader.task(for: bench.request("/1"))
        try await eventually("the other's transfer began") { origin.requestCount == 1 }
        let requests = (0..<100).map { bench.request("/\($0)") }
        for await element in loader.images(for: requests, lookAhead: 4) {
            #expect(element.index == 0)
            break
        }
        // What somebody else asked for goes on, and one connection is kept for reuse; all others stop.
        try await eventually("the rest stopped") {
            origin.openConnections <= 2 && loader.downloads == (1, 0)
        }
        #expect(!other.isFinished)
        #expect(bench.origin.requestCount < 12)
        other.cancel()
        await loader.waitUntilIdle()
    }

    @Test("L5: cancelling the Swift task ends what was begun, with an element for each")
    func cancelled() async throws {
        bench.origin.routeOthers(.never)
        let origin = bench.origin
        let loader = bench.loader()
        let requests = (0..<50).map { bench.request("/\($0)") }
        let reading = Task {
            var ends: [ImageError?] = []
            for await element in loader.images(for: requests, lookAhead: 6) {
                if case .failure(let error) = element.result { ends.append(error) }
            }
            return ends
        }
        try await eventually("four run") { loader.downloads == (4, 2) && origin.requestCount == 4 }
        reading.cancel()
        let ends = await reading.value
        #expect(ends.count == 6 && ends.allSatisfy { $0?.isCancelled == true })
        await loader.waitUntilIdle()
        try await eventually("all connections are closed") { origin.openConnections == 0 }
    }

    @Test("L5: no more requests are taken than the look-ahead says") func lookAhead() async throws {
        let url = try #require(URL(string: Self.pixel))
        let taken = Lock(0)
        let requests = (0..<10_000).lazy.map { _ in
            taken.withLock { $0 += 1 }
            return ImageRequest(url)
        }
        let loader = bench.loader { $0.memoryCapacity = 0 }
        var count = 0
        for await element in loader.images(for: requests, lookAhead: 5) {
            count += 1
            #expect((try? element.image) != nil)
            #expect(taken.withLock { $0 } <= count + 4)
        }
        #expect(count == 10_000)
    }

    @Test("L5: requests that come one by one are loaded while the next is awaited")
    func asynchronousSource() async throws {
        let url = try #require(URL(string: Self.pixel))
        let (requests, source) = AsyncStream.makeStream(of: ImageRequest.self)
        let results = bench.loader().images(for: requests).makeAsyncIterator()
        for number in 0..<5 {
            source.yield(ImageRequest(url))
            #expect(await results.next()?.index == number)
        }
        source.finish()
        #expect(await results.next() == nil)
        #expect(await results.next() == nil)
    }

    @Test("L5: a source that says nothing more is let go when the iteration ends")
    func abandonedSource() async throws {
        let url = try #require(URL(string: Self.pixel))
        let (requests, source) = AsyncStream.makeStream(of: ImageRequest.self)
        let isOver = Lock(false)
        source.onTermination = { _ in isOver.withLock { $0 = true } }
        source.yield(ImageRequest(url))
        for await _ in bench.loader().images(for: requests) { break }
        try await eventually("the source was told") { isOver.withLock { $0 } }
    }

    @Test("promise 5, L5: cancelled at random, each request that was taken gives one element")
    func storm() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        for number in 0..<20 {
            bench.origin.route(
                "/\(number)",
                number % 5 == 0
                    ? .truncated(png, sent: 50)
                    : .delayed(.milliseconds(number % 7), then: .bytes(png)))
        }
        let loader = bench.loader()
        let origin = bench.origin
        let requests = (0..<60).map { bench.request("/\($0 % 20)") }
        for round in 0..<40 {
            let taken = Lock(0)
            let reading = Task {
                var seen: Set<Int> = []
                let counted = requests.lazy.map { request in
                    taken.withLock { $0 += 1 }
                    return request
                }
                for await element in loader.images(for: counted, lookAhead: 1 + round % 9) {
                    #expect(seen.insert(element.index).inserted)
                    if round % 4 == 3, seen.count == round { break }
                }
                return seen
            }
            if round % 4 != 0 {
                try await Task.sleep(for: .microseconds(200 * round))
                reading.cancel()
            }
            let seen = await reading.value
            if round % 4 != 3 {
                #expect(seen == Set(0..<taken.withLock { $0 }))
                if round % 4 == 0 { #expect(seen.count == requests.count) }
            }
        }
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
        try await eventually("nothing is left open beyond what is kept for reuse") {
            origin.openConnections <= 4
        }
    }

    /// One grey pixel, as a PNG.
    private static let pixel =
        "data:image/png;base64,"
        + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
}
