import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// Removal in every layer, and while loads are under way.
@Suite struct RemovalTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Serves a picture whose answers wait: they go one by one.
    private func gated(_ path: String, _ headers: OriginHeader...) throws -> Gate {
        let gate = Gate()
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            path,
            .dynamic { _ in
                gate.wait()
                return .bytes(bytes, headers: headers)
            })
        return gate
    }

    private func asked(_ path: String, _ times: Int) async throws {
        let origin = bench.origin
        try await eventually("\(path) is asked for") { origin.requests(for: path).count == times }
    }

    /// What removes the picture at `/a` among all others.
    enum Way: String, CaseIterable, Sendable {
        case url, key, group, all
    }

    private func remove(_ way: Way, _ loader: ImageLoader) async throws {
        switch way {
        case .url: try await loader.removeFromCaches(bench.origin.url("/a"))
        case .key: try await loader.removeFromCaches(key: "key")
        case .group: try await loader.removeGroup("group")
        case .all: try await loader.removeAllFromCaches()
        }
    }

    private func request(_ path: String) -> ImageRequest {
        bench.request(path) {
            $0.key = "key"
            $0.store = .group("group")
            $0.filters = [.circle]
        }
    }

    private func loader() -> ImageLoader {
        bench.loader {
            $0.groups = [CacheGroup("group")]
            $0.storesProcessedImages = true
        }
    }

    @Test(
        "C15: a load that began before a removal does not put the picture back",
        arguments: Way.allCases)
    func race(_ way: Way) async throws {
        let gate = try gated("/a", "Cache-Control: max-age=60")
        let loader = self.loader()
        let early = loader.task(for: request("/a"))
        try await asked("/a", 1)
        try await remove(way, loader)
        gate.letOneGo()
        let response = try await early.response
        #expect(response.source == .network && response.keeping == .notWanted)
        await loader.waitUntilIdle()
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(await loader.cacheEntry(for: request("/a")) == nil)
        #expect(try await loader.diskStatistics(ofGroup: "group")?.entries == 0)
        // What is loaded afterwards is kept.
        gate.letOneGo()
        #expect(try await loader.response(for: request("/a")).keeping == .kept)
        #expect(loader.cachedImage(for: request("/a")) != nil)
    }

    @Test(
        "C15: whoever comes after a removal does not join a load from before it",
        arguments: Way.allCases)
    func noJoining(_ way: Way) async throws {
        let gate = try gated("/a", "Cache-Control: max-age=60")
        let loader = self.loader()
        let early = loader.task(for: request("/a"))
        try await asked("/a", 1)
        try await remove(way, loader)
        let late = loader.task(for: request("/a"))
        try await asked("/a", 2)
        let later = loader.task(for: request("/a"))
        gate.letOneGo()
        gate.letOneGo()
        _ = try await early.image
        #expect(try await late.response.keeping == .kept)
        _ = try await later.image
        #expect(bench.origin.requests(for: "/a").count == 2)
        #expect(loader.cachedImage(for: request("/a")) != nil)
    }

    @Test("C15: a removal leaves the loads of others alone") func others() async throws {
        let gate = try gated("/b", "Cache-Control: max-age=60")
        let loader = self.loader()
        let task = loader.task(for: bench.request("/b"))
        try await asked("/b", 1)
        for way in Way.allCases where way != .all { try await remove(way, loader) }
        let late = loader.task(for: bench.request("/b"))
        gate.letOneGo()
        #expect(try await task.response.keeping == .kept)
        _ = try await late.image
        #expect(bench.origin.requests(for: "/b").count == 1)
        #expect(loader.cachedImage(for: bench.request("/b")) != nil)
    }

    @Test("C15: a revalidation under way does not bring back what was removed meanwhile")
    func revalidation() async throws {
        let gate = Gate()
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a",
            .dynamic { request in
                guard request.header("If-None-Match") != nil else {
                    return .bytes(bytes, headers: ["ETag: \"1\"", "Cache-Control: max-age=10"])
                }
                gate.wait()
                return .status(304, headers: ["ETag: \"1\"", "Cache-Control: max-age=10"])
            })
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        bench.clock.advance(by: .seconds(20))
        let task = loader.task(for: bench.request("/a"))
        try await asked("/a", 2)
        try await loader.removeFromCaches(bench.origin.url("/a"))
        gate.letOneGo()
        #expect(try await task.response.source == .revalidated)
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("C15: a refresh behind a stale answer does not bring it back either") func refresh()
        async throws
    {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a",
            .bytes(
                bytes, headers: ["Cache-Control: max-age=10, stale-while-revalidate=60"]))
        let first = bench.loader()
        _ = try await first.image(for: bench.request("/a"))
        bench.clock.advance(by: .seconds(20))
        let calls = Lock(0)
        let gate = Gate()
        let held: any ImageFilter = .custom(identifier: "held") { frame, _ in
            calls.withLock { $0 += 1 }
            gate.wait()
            return frame
        }
        let loader = bench.loader()
        let task = loader.task(for: bench.request("/a") { $0.filters = [held] })
        try await eventually("the filter runs") { calls.withLock { $0 } == 1 }
        try await loader.removeFromCaches(bench.origin.url("/a"))
        gate.letOneGo()
        _ = try await task.image
        gate.letOneGo()
        await loader.waitUntilIdle()
        #expect(bench.origin.requests(for: "/a").count == 1)
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("C15: removals and loads at random never leave what was removed last") func atRandom()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = self.loader()
        for round in 0..<40 {
            let requests = [request("/a"), bench.request("/a") { $0.filters = [.invert()] }]
            let tasks = requests.map { loader.task(for: $0) }
            if round.isMultiple(of: 3) { await Task.yield() }
            if round.isMultiple(of: 4) { _ = try await tasks[0].image }
            try await loader.removeFromCaches(bench.origin.url("/a"))
            for task in tasks { _ = try await task.image }
            await loader.waitUntilIdle()
            #expect(loader.imageCache.memoryUsage == 0)
            #expect(try await loader.diskStatistics()?.entries == 0)
            #expect(try await loader.diskStatistics(ofGroup: "group")?.entries == 0)
        }
    }
}
