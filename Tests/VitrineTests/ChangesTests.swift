import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineBase
import VitrineHTTP

@testable import Vitrine

/// What a loader tells of what happens to its caches.
@Suite(.timeLimit(.minutes(2))) struct ChangesTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Serves a fixture as version `tag`, to be asked for each time.
    private func serve(_ fixture: String, _ tag: String) throws {
        bench.origin.route(
            "/a",
            .conditional(
                [UInt8](try Fixture.data(fixture)), etag: "\"\(tag)\"",
                headers: ["Cache-Control: max-age=600"]))
    }

    private func next(_ iterator: ImageLoader.Changes.Iterator) async -> CacheChange? {
        await iterator.next()
    }

    @Test(
        "C8, promise 13: new bytes replace the entries, and are told",
        arguments: [CachePolicy.revalidate, .reload], [true, false])
    func replaced(policy: CachePolicy, onDisk: Bool) async throws {
        try serve("scene.png", "1")
        let loader = bench.loader { if !onDisk { $0.diskCache = .none } }
        let changes = loader.changes.makeAsyncIterator()
        let small = bench.request("/a") { $0.targetSize = .fill(width: 10, height: 10) }
        for request in [bench.request("/a"), small] { _ = try await loader.image(for: request) }
        let again = bench.request("/a") { $0.cachePolicy = policy }
        _ = try await loader.image(for: again)
        #expect(loader.cachedImage(for: small) != nil, "nothing has changed")

        try serve("scene.gif", "2")
        let new = try await loader.response(for: again)
        #expect(new.source == .network && new.image.info.format == .gif)
        #expect(await next(changes) == .replaced(bench.origin.url("/a")))
        #expect(loader.cachedImage(for: small) == nil, "it was made of the old bytes")
        #expect(loader.cachedImage(for: bench.request("/a"))?.info.format == .gif)
        #expect(try await loader.image(for: small).info.format == .gif)
        #expect(bench.origin.requestCount == 3)
        if onDisk {
            let stored = try await bench.loader().response(for: bench.request("/a"))
            #expect(stored.source == .disk && stored.image.info.format == .gif)
        }
    }

    @Test("promise 13: what is made of old bytes while newer ones come does not take their place")
    func outdated() async throws {
        try serve("scene.png", "1")
        let loader = bench.loader()
        let (begun, gate) = (Lock(false), Gate())
        defer { gate.letOneGo() }
        let slow = bench.request("/a") {
            $0.filters = [
                CustomFilter(identifier: "slow") { frame, _ in
                    begun.withLock { $0 = true }
                    gate.wait()
                    return frame
                }
            ]
        }
        let task = loader.task(for: slow)
        try await eventually("the filter has begun") { begun.withLock { $0 } }
        bench.clock.advance(by: .seconds(1))
        try serve("scene.gif", "2")
        _ = try await loader.image(for: bench.request("/a") { $0.cachePolicy = .reload })
        gate.letOneGo()
        // Its caller gets what there was when it asked.
        #expect(try await task.response.image.info.format == .png)
        #expect(loader.cachedImage(for: slow) == nil)
        #expect(loader.cachedImage(for: bench.request("/a"))?.info.format == .gif)
        await loader.waitUntilIdle()
    }

    @Test("C8: a redirect that leads elsewhere, and a file that has changed, too") func elsewhere()
        async throws
    {
        try bench.serve("/1", "scene.png", "Cache-Control: max-age=600")
        try bench.serve("/2", "scene.gif", "Cache-Control: max-age=600")
        bench.origin.route(
            "/a",
            .sequence(
                ["/1", "/2"].map {
                    .redirect(to: $0, headers: ["Cache-Control: max-age=600"])
                }))
        let file = URL(filePath: bench.folder + "/picture")
        let loader = bench.loader()
        let changes = loader.changes.makeAsyncIterator()
        for (url, fixture) in [(bench.origin.url("/a"), "scene.gif"), (file, "scene.jpg")] {
            try Fixture.data("scene.png").write(to: file)
            _ = try await loader.image(from: url)
            try Fixture.data(fixture).write(to: file)
            var request = ImageRequest(url)
            request.cachePolicy = .revalidate
            _ = try await loader.image(for: request)
            #expect(await next(changes) == .replaced(url))
        }
    }

    @Test("C8, C15: what the program removes is told") func removed() async throws {
        let loader = bench.loader()
        let changes = loader.changes.makeAsyncIterator()
        try await loader.removeFromCaches(bench.origin.url("/a"))
        try await loader.removeAllFromCaches()
        #expect(await next(changes) == .everything)
        try await loader.removeFromCaches(bench.origin.url("/b"))
        #expect(await next(changes) == .removed(bench.origin.url("/b")))
    }

    @Test("C8: many listen, each for itself, from when they begin") func many() async throws {
        let loader = bench.loader()
        let early = loader.changes.makeAsyncIterator()
        try await loader.removeFromCaches(bench.origin.url("/a"))
        let late = loader.changes.makeAsyncIterator()
        try await loader.removeFromCaches(bench.origin.url("/b"))
        #expect(await next(early) == .removed(bench.origin.url("/a")))
        #expect(await next(early) == .removed(bench.origin.url("/b")))
        #expect(await next(late) == .removed(bench.origin.url("/b")))
    }

    @Test("C8: one who waits is told, may leave, and hears the end") func waiting() async throws {
        var loader: ImageLoader? = bench.loader()
        let changes = try #require(loader?.changes)
        let heard = Lock<[CacheChange]>([])
        let listener = Task {
            for await change in changes { heard.withLock { $0.append(change) } }
        }
        let url = bench.origin.url("/a")
        try await eventually("it is told") { [loader] in
            try? await loader?.removeFromCaches(url)
            return heard.withLock { !$0.isEmpty }
        }
        let leaving = Task { for await _ in changes {} }
        leaving.cancel()
        await leaving.value
        loader = nil
        await listener.value
        for await _ in changes { Issue.record("there is nobody to tell it") }
    }

    @Test("C8: a queue tells each URL's newest change once, and too many as one") func queue()
        throws
    {
        func url(_ number: Int) throws -> URL {
            try #require(URL(string: "http://a.test/\(number)"))
        }
        var queue = ChangeQueue()
        for change in try [.replaced(url(1)), .removed(url(2)), .removed(url(1))] as [CacheChange] {
            queue.add(change)
        }
        var told: [CacheChange] = []
        while let change = queue.next() { told.append(change) }
        #expect(try told == [.removed(url(2)), .removed(url(1))])
        for number in 0..<ChangeQueue.limit { queue.add(try .removed(url(number))) }
        var count = 0
        while queue.next() != nil { count += 1 }
        #expect(count == ChangeQueue.limit)
        for number in 0...ChangeQueue.limit { queue.add(try .removed(url(number))) }
        #expect(queue.next() == .everything)
        #expect(queue.isEmpty)
        queue.add(.everything)
        queue.add(try .replaced(url(1)))
        #expect(queue.next() == .everything)
        #expect(try queue.next() == .replaced(url(1)))
    }
}
