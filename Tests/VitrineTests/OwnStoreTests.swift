import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineHTTP

/// Stores of one's own, and none.
@Suite struct OwnStoreTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test("C7: a loader keeps its responses in a store of one's own") func ofLoader() async throws {
        for path in ["/a", "/b"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=60")
        }
        let store = MemoryResponseStore()
        func loader() -> ImageLoader { bench.loader { $0.diskCache = .custom(store) } }
        let first = try await loader().response(for: bench.request("/a"))
        #expect(first.source == .network && first.keeping == .kept && store.count == 1)
        let second = loader()
        #expect(try await second.response(for: bench.request("/a")).source == .disk)
        _ = try await second.image(for: bench.request("/b") { $0.key = "name" })
        #expect(store.count == 2)
        let entry = try #require(await second.cacheEntry(for: bench.request("/a")))
        #expect(entry.folder == nil && entry.path == nil && entry.group == nil)
        #expect(entry.size == (try Fixture.data("scene.png")).count)
        try await second.removeFromCaches(bench.origin.url("/b"))
        #expect(store.count == 1)
        try await second.removeAllFromCaches()
        #expect(store.count == 0)
        #expect(try await second.diskStatistics() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
    }

    @Test("C7: a request brings a store of its own, and shares with no other") func ofRequest()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let (one, two) = (MemoryResponseStore(), MemoryResponseStore())
        func request(_ store: ImageRequest.Store) -> ImageRequest {
            bench.request("/a") { $0.store = store }
        }
        let tasks = [.loader, .custom(one), .custom(two), .none].map {
            loader.task(for: request($0))
        }
        for task in tasks { _ = try await task.image }
        #expect(bench.origin.requests(for: "/a").count == 4)
        #expect(one.count == 1 && two.count == 1)
        #expect(try await loader.diskStatistics()?.entries == 1)
        // The same object is the same store.
        #expect(loader.cachedImage(for: request(.custom(one))) != nil)
        let other = bench.loader()
        #expect(other.cachedImage(for: request(.custom(one))) == nil)
        #expect(try await other.response(for: request(.custom(one))).source == .disk)
        // Removal reaches the stores that this loader has met.
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(one.count == 0 && two.count == 0)
        #expect(loader.cachedImage(for: request(.custom(one))) == nil)
    }

    @Test("C7: no store at all keeps images in memory only") func none() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let request = bench.request("/a") { $0.store = .none }
        let loader = bench.loader()
        let response = try await loader.response(for: request)
        #expect(response.source == .network && response.keeping == .notWanted)
        #expect(try await loader.response(for: request).source == .memory)
        #expect(try await bench.loader().response(for: request).source == .network)
        #expect(await loader.cacheEntry(for: request) == nil)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("C7: a store that has no room is told of, and the load succeeds") func full()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        let request = bench.request("/a") {
            $0.store = .custom(MemoryResponseStore(maximumBytes: 100))
        }
        let response = try await loader.response(for: request)
        #expect(response.source == .network && response.keeping == .failed)
        let small = bench.loader { $0.diskCapacity = 100 }
        #expect(try await small.response(for: bench.request("/a")).keeping == .failed)
    }

    @Test("C7: a store lives no longer than those who hold it, once memory has forgotten")
    func released() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader()
        weak var store: MemoryResponseStore?
        do {
            let own = MemoryResponseStore()
            store = own
            _ = try await loader.image(for: bench.request("/a") { $0.store = .custom(own) })
        }
        await loader.waitUntilIdle()
        loader.imageCache.removeAll()
        try await eventually("the store is released") { [weak store] in store == nil }
        try await loader.removeFromCaches(bench.origin.url("/a"))
    }
}
