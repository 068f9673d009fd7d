import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// Named groups, and those for use without a network.
@Suite struct GroupTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func request(
        _ path: String, _ group: String?, _ change: (inout ImageRequest) -> Void = { _ in }
    ) -> ImageRequest {
        bench.request(path) {
            $0.store = group.map { .group($0) } ?? .loader
            change(&$0)
        }
    }

    private func loader(_ groups: CacheGroup...) -> ImageLoader {
        bench.loader { $0.groups = groups }
    }

    @Test("C7: the same URL in two groups is two entries, in memory and on disk") func twoEntries()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = self.loader(CacheGroup("one"), CacheGroup("two"))
        for group in [nil, "one", "two"] {
            #expect(loader.cachedImage(for: request("/a", group)) == nil)
            #expect(try await loader.response(for: request("/a", group)).source == .network)
            #expect(loader.cachedImage(for: request("/a", group)) != nil)
        }
        #expect(try await loader.diskStatistics()?.entries == 1)
        #expect(try await loader.diskStatistics(ofGroup: "one")?.entries == 1)
        let entry = try #require(await loader.cacheEntry(for: request("/a", "one")))
        #expect(
            entry.group == "one" && entry.folder?.hasPrefix(bench.folder + "/cache/groups/") == true
        )
    }

    @Test("C7: removing a group removes it whole, and nothing else") func removal() async throws {
        for path in ["/a", "/b"] {
            try bench.serve(path, "scene.png", "Cache-Control: max-age=60")
        }
        let loader = self.loader(CacheGroup("one"), CacheGroup("two"))
        func fill() async throws {
            for path in ["/a", "/b"] {
                for group in [nil, "one", "two"] {
                    _ = try await loader.image(for: request(path, group))
                }
            }
        }
        func count(_ group: String) async throws -> Int? {
            try await loader.diskStatistics(ofGroup: group)?.entries
        }
        try await fill()
        try await loader.removeGroup("one")
        #expect(loader.cachedImage(for: request("/a", "one")) == nil)
        #expect(loader.cachedImage(for: request("/a", "two")) != nil)
        #expect(loader.cachedImage(for: request("/a", nil)) != nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/cache/groups")
                .count == 1)
        #expect(try await loader.diskStatistics()?.entries == 2)
        #expect(try await [count("one"), count("two")] == [0, 2])
        // It can be used again at once.
        try await fill()
        #expect(try await [count("one"), count("two")] == [2, 2])
        // Removal by URL goes through all groups, and so does that of everything.
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(try await [count("one"), count("two")] == [1, 1])
        try await loader.removeAllFromCaches()
        #expect(try await [count("one"), count("two")] == [0, 0])
        #expect(try await loader.diskStatistics()?.entries == 0)
        #expect(loader.imageCache.memoryUsage == 0)
    }

    @Test("C7: a group that an earlier run has left is listed, and reached by removal")
    func leftOver()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let first = loader(CacheGroup("trip", isOffline: true))
        _ = try await first.image(for: request("/a", "trip"))
        await first.waitUntilIdle()
        let second = loader()
        #expect(await second.groupNames() == ["trip"])
        try await second.removeFromCaches(bench.origin.url("/a"))
        second.declareGroup(CacheGroup("trip"))
        #expect(try await second.diskStatistics(ofGroup: "trip")?.entries == 0)
        let third = loader()
        try await third.removeGroup("trip")
        #expect(await third.groupNames() == [])
    }

    @Test("C7: a name of any kind stands in no path, and no two names meet") func names()
        async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let names = [
            "", ".", "..", "../../escape", "/etc/passwd", "a/b", "a\u{0}b", "Ä", "ä",
            String(repeating: "long", count: 500),
        ]
        let loader = bench.loader { $0.groups = names.map { CacheGroup($0) } }
        for name in names { _ = try await loader.image(for: request("/a", name)) }
        for name in names {
            #expect(try await loader.diskStatistics(ofGroup: name)?.entries == 1)
        }
        #expect(await self.loader().groupNames() == names.sorted())
        let groups = bench.folder + "/cache/groups"
        for folder in try FileManager.default.contentsOfDirectory(atPath: groups) {
            #expect(folder.count == 40 && folder.allSatisfy { $0.isHexDigit })
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder) == ["cache"])
    }

    @Test("C7: a group has its own bound and expiry") func bounds() async throws {
        let large = [UInt8](try Workbench.largePicture())
        for path in ["/a", "/b", "/c"] {
            bench.origin.route(path, .bytes(large, headers: ["Cache-Control: no-cache"]))
        }
        let bound = large.count * 5 / 2
        let loader = self.loader(
            CacheGroup("small", maximumBytes: bound, expiry: .after(.seconds(10))))
        for path in ["/a", "/b", "/c"] {
            _ = try await loader.image(for: request(path, "small"))
            _ = try await loader.image(for: request(path, nil))
        }
        let statistics = try #require(try await loader.diskStatistics(ofGroup: "small"))
        #expect(statistics.entries == 2 && statistics.countedBytes <= bound)
        #expect(statistics.maximumBytes == bound)
        #expect(try await loader.diskStatistics()?.entries == 3)
        #expect(try await loader.response(for: request("/c", "small")).source == .memory)
        #expect(try await loader.response(for: request("/c", nil)).source == .network)
        bench.clock.advance(by: .seconds(11))
        #expect(try await loader.response(for: request("/c", "small")).source == .network)
    }

    @Test("C7: a group that was not declared is an error that names it") func undeclared()
        async throws
    {
        try bench.serve("/a", "scene.png")
        let error = await #expect(throws: ImageError.self) {
            try await loader().image(for: request("/a", "nowhere"))
        }
        #expect(error?.reason == .unknownGroup("nowhere"))
        #expect(error?.description.contains("“nowhere” was not declared") == true)
        #expect(bench.origin.requests(for: "/a").isEmpty)
    }

    @Test("C7: the longest name of a group is found again, a longer one is an error")
    func longNames() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let longest = String(repeating: "é", count: 2048)
        let group = CacheGroup(longest)
        _ = try await loader(group).image(for: request("/a", longest))
        #expect(await bench.loader().groupNames() == [longest])
        let error = await #expect(throws: ImageError.self) {
            try await self.loader(CacheGroup(longest + "e")).image(
                for: self.request("/a", longest + "e"))
        }
        #expect(error?.reason == .groupNameTooLong(bytes: 4097, limit: 4096))
        #expect(
            error?.reason.description == "The cache group's name has 4097 bytes, more than 4096.")
    }

    @Test("C7: without a folder a group is in memory only") func noFolder() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = bench.loader {
            $0.diskCache = .none
            $0.groups = [CacheGroup("one")]
        }
        let response = try await loader.response(for: request("/a", "one"))
        #expect(response.source == .network && response.keeping == .notWanted)
        #expect(loader.cachedImage(for: request("/a", "one")) != nil)
        #expect(try await loader.diskStatistics(ofGroup: "one") == nil)
        try await loader.removeGroup("one")
        #expect(loader.cachedImage(for: request("/a", "one")) == nil)
    }

    @Test(
        "C13: an offline group stores whatever the headers say, and answers at any age",
        arguments: [
            "Cache-Control: no-store", "Cache-Control: no-cache, no-store, must-revalidate",
            "Cache-Control: max-age=0", "Vary: *", "Expires: 0", "Pragma: no-cache",
        ])
    func offline(_ header: String) async throws {
        for path in ["/a", "/b"] {
            try bench.serve(path, "scene.png", OriginHeader(stringLiteral: header))
        }
        bench.origin.route(
            "/moved", .redirect(to: "/b", headers: ["Cache-Control: no-store"]))
        let group = CacheGroup("trip", isOffline: true)
        for path in ["/a", "/moved"] {
            let response = try await loader(group).response(for: request(path, "trip"))
            #expect(response.source == .network && response.keeping == .kept)
        }
        bench.clock.advance(by: .seconds(1_000_000_000))
        for path in ["/a", "/b", "/moved"] { bench.origin.route(path, .closeWithoutAnswer) }
        for path in ["/a", "/moved"] {
            let loader = self.loader(group)
            #expect(try await loader.response(for: request(path, "trip")).source == .disk)
            #expect(try await loader.response(for: request(path, "trip")).source == .memory)
            // A group that is not for that, and the loader's own store, have nothing of it.
            #expect(loader.cachedImage(for: request(path, nil)) == nil)
            await #expect(throws: ImageError.self) {
                try await loader.image(for: request(path, nil))
            }
        }
    }

    @Test("C13: an offline group with an expiry asks again after it") func expiry() async throws {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(bytes, etag: "\"1\"", headers: ["Cache-Control: no-store"]))
        let group = CacheGroup("trip", expiry: .after(.seconds(100)), isOffline: true)
        _ = try await loader(group).image(for: request("/a", "trip"))
        bench.clock.advance(by: .seconds(99))
        #expect(try await loader(group).response(for: request("/a", "trip")).source == .disk)
        bench.clock.advance(by: .seconds(2))
        let after = try await loader(group).response(for: request("/a", "trip"))
        #expect(after.source == .network)
        // That has begun a new hundred seconds.
        bench.clock.advance(by: .seconds(99))
        #expect(try await loader(group).response(for: request("/a", "trip")).source == .disk)
    }

    @Test("C13: a full offline group evicts nothing, and tells what it has not kept") func full()
        async throws
    {
        let large = [UInt8](try Workbench.largePicture())
        for path in ["/a", "/b", "/c"] { bench.origin.route(path, .bytes(large)) }
        let group = CacheGroup("trip", maximumBytes: large.count * 5 / 2, isOffline: true)
        let loader = self.loader(group)
        for (path, keeping) in [
            ("/a", ImageResponse.Keeping.kept), ("/b", .kept), ("/c", .failed), ("/a", .unknown),
        ] {
            #expect(try await loader.response(for: request(path, "trip")).keeping == keeping)
        }
        #expect(try await loader.diskStatistics(ofGroup: "trip")?.entries == 2)
        #expect(await loader.cacheEntry(for: request("/a", "trip")) != nil)
        #expect(await loader.cacheEntry(for: request("/c", "trip")) == nil)
        // Once something is removed there is room.
        try await loader.removeFromCaches(bench.origin.url("/a"))
        let again = try await loader.response(
            for: request("/c", "trip") { $0.cachePolicy = .reload })
        #expect(again.keeping == .kept)
    }

    @Test("C13: what has expired makes room in an offline group") func expiredMakesRoom()
        async throws
    {
        let large = [UInt8](try Workbench.largePicture())
        for path in ["/a", "/b", "/c"] { bench.origin.route(path, .bytes(large)) }
        let group = CacheGroup(
            "trip", maximumBytes: large.count * 5 / 2, expiry: .after(.seconds(10)),
            isOffline: true)
        let loader = self.loader(group)
        for path in ["/a", "/b"] { _ = try await loader.image(for: request(path, "trip")) }
        bench.clock.advance(by: .seconds(11))
        #expect(await loader.cacheEntry(for: request("/a", "trip")) == nil)
        #expect(try await loader.response(for: request("/c", "trip")).keeping == .kept)
    }

    @Test("C13: a confirmation gives what lies in an offline group its time anew") func confirmed()
        async throws
    {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(bytes, etag: "\"1\"", headers: ["Cache-Control: no-store"]))
        let group = CacheGroup("trip", expiry: .after(.seconds(100)), isOffline: true)
        _ = try await loader(group).image(for: request("/a", "trip"))
        bench.clock.advance(by: .seconds(60))
        let asked = try await loader(group).response(
            for: request("/a", "trip") { $0.cachePolicy = .revalidate })
        #expect(asked.source == .revalidated)
        bench.clock.advance(by: .seconds(60))
        #expect(try await loader(group).response(for: request("/a", "trip")).source == .disk)
    }

    @Test("C13: what is no picture is kept in no offline group either") func noPicture()
        async throws
    {
        bench.origin.route("/a", .bytes(Array("<html>".utf8)))
        bench.origin.route("/b", .status(404))
        let loader = self.loader(CacheGroup("trip", isOffline: true))
        for path in ["/a", "/b"] {
            await #expect(throws: ImageError.self) {
                try await loader.image(for: request(path, "trip"))
            }
        }
        #expect(try await loader.diskStatistics(ofGroup: "trip")?.entries == 0)
    }
}
