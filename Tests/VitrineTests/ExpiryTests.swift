import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// What an expiry of one's own means, in memory and on disk.
@Suite struct ExpiryTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// How a picture was stored, and how old it is: ten seconds in all cases.
    enum Age: String, CaseIterable, Sendable {
        case freshByHTTP = "Cache-Control: max-age=60"
        case staleByHTTP = "Cache-Control: max-age=5"
        case neverFresh = "Cache-Control: no-cache"
    }

    private static let arrival = Date(timeIntervalSince1970: 1_767_225_600)

    /// What is asked with, and whether it says that the picture is fresh; nil leaves it to HTTP.
    private static let expiries: [(CacheExpiry?, isFresh: Bool?)] = [
        (nil, nil), (.never, true), (.after(.seconds(15)), true), (.after(.seconds(9)), false),
        (.after(.seconds(-3)), false), (.at(arrival + 11), true), (.at(arrival + 10), false),
        (.at(.distantPast), false), (.at(.distantFuture), true),
    ]

    @Test(
        "C6: all policies, with and without an expiry, in memory and on disk",
        arguments: Age.allCases)
    func policies(_ age: Age) async throws {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a",
            .conditional(bytes, etag: "\"1\"", headers: [OriginHeader(stringLiteral: age.rawValue)])
        )
        var number = 0
        for (expiry, isFreshByExpiry) in Self.expiries {
            let isFresh = isFreshByExpiry ?? (age == .freshByHTTP)
            for policy in CachePolicy.allCases {
                for inMemory in [true, false] {
                    // Each case is a picture of its own in one store.
                    let clock = ManualClock()
                    number += 1
                    var request = bench.request("/a") { $0.key = "\(number)" }
                    var configuration = ImageLoader.Configuration()
                    configuration.diskCache = .directory(bench.folder + "/cache")
                    let loader = ImageLoader(configuration, time: clock.source)
                    _ = try await loader.image(for: request)
                    clock.advance(by: .seconds(10))
                    if !inMemory { loader.imageCache.removeAll() }
                    request.expiry = expiry
                    request.cachePolicy = policy
                    let source = try await loader.response(for: request).source
                    let cache = inMemory ? ImageResponse.Source.memory : .disk
                    let expected: ImageResponse.Source =
                        switch policy {
                        case .standard: isFresh ? cache : .revalidated
                        case .revalidate: .revalidated
                        case .reload, .bypass: .network
                        case .cacheElseLoad, .cacheOnly: cache
                        }
                    #expect(
                        source == expected,
                        "\(age) \(policy) \(String(describing: expiry)) in memory: \(inMemory)")
                }
            }
        }
    }

    @Test("C5: what is stored carries its expiry, and a later request's own goes before it")
    func stored() async throws {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(bytes, etag: "\"1\"", headers: ["Cache-Control: no-cache"]))
        func load(_ expiry: CacheExpiry?, _ loader: ImageLoader) async throws
            -> ImageResponse.Source
        {
            try await loader.response(for: bench.request("/a") { $0.expiry = expiry }).source
        }
        let first = bench.loader()
        #expect(try await load(.after(.seconds(100)), first) == .network)
        bench.clock.advance(by: .seconds(50))
        #expect(try await load(nil, first) == .memory)
        #expect(try await load(nil, bench.loader()) == .disk)
        #expect(try await load(.after(.seconds(20)), bench.loader()) == .revalidated)
        // That has given it a new one, which counts from then on.
        bench.clock.advance(by: .seconds(19))
        #expect(try await load(nil, bench.loader()) == .disk)
        bench.clock.advance(by: .seconds(2))
        #expect(try await load(.never, bench.loader()) == .disk)
        // It has passed, so HTTP decides, and from now on alone.
        #expect(try await load(nil, bench.loader()) == .revalidated)
        #expect(try await load(nil, bench.loader()) == .revalidated)
    }

    @Test("C5: a confirmation without an expiry leaves one that has not passed") func confirmed()
        async throws
    {
        let bytes = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .conditional(bytes, etag: "\"1\"", headers: ["Cache-Control: no-cache"]))
        _ = try await bench.loader().image(
            for: bench.request("/a") { $0.expiry = .after(.seconds(100)) })
        _ = try await bench.loader().image(
            for: bench.request("/a") { $0.cachePolicy = .revalidate })
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .disk)
        bench.clock.advance(by: .seconds(101))
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .revalidated)
    }

    @Test("C5: a loader's default counts where a request says nothing") func byLoader() async throws
    {
        try bench.serve("/a", "scene.png", "Cache-Control: no-cache")
        func loader() -> ImageLoader { bench.loader { $0.expiry = .after(.seconds(30)) } }
        let first = loader()
        _ = try await first.image(for: bench.request("/a"))
        bench.clock.advance(by: .seconds(29))
        #expect(try await first.response(for: bench.request("/a")).source == .memory)
        #expect(try await loader().response(for: bench.request("/a")).source == .disk)
        // The entry has it; so it counts for a loader that has none.
        #expect(try await bench.loader().response(for: bench.request("/a")).source == .disk)
        bench.clock.advance(by: .seconds(2))
        #expect(try await first.response(for: bench.request("/a")).source == .network)
    }

    @Test("C5: no expiry keeps what says no-store") func noStore() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: no-store, max-age=60")
        let loader = bench.loader { $0.expiry = .never }
        for _ in 0..<2 {
            let response = try await loader.response(
                for: bench.request("/a") { $0.expiry = .never })
            #expect(response.source == .network && response.keeping == .notWanted)
        }
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("C5: an expiry holds for the redirects on the way, too") func redirect() async throws {
        bench.origin.route("/a", .redirect(to: "/b"))
        try bench.serve("/b", "scene.png", "Cache-Control: no-cache")
        let request = bench.request("/a") { $0.expiry = .after(.seconds(60)) }
        let loader = bench.loader()
        _ = try await loader.image(for: request)
        #expect(try await loader.response(for: request).source == .memory)
        #expect(try await bench.loader().response(for: request).source == .disk)
        #expect(bench.origin.requests(for: "/a").count == 1)
        #expect(bench.origin.requests(for: "/b").count == 1)
    }

    @Test("C5: a file in memory is read anew after its expiry") func files() async throws {
        let path = bench.folder + "/a.png"
        try Fixture.data("scene.png").write(to: URL(fileURLWithPath: path))
        var request = ImageRequest(URL(fileURLWithPath: path))
        let loader = bench.loader()
        request.expiry = .after(.seconds(10))
        _ = try await loader.image(for: request)
        bench.clock.advance(by: .seconds(9))
        #expect(try await loader.response(for: request).source == .memory)
        bench.clock.advance(by: .seconds(2))
        request.expiry = nil
        #expect(try await loader.response(for: request).source == .file)
        bench.clock.advance(by: .seconds(1_000_000))
        #expect(try await loader.response(for: request).source == .memory)
    }

    @Test("C5: times that no clock shows are no trouble") func extremes() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: no-cache")
        let table: [(CacheExpiry, isFresh: Bool)] = [
            (.after(.seconds(Int64.max)), true), (.after(.seconds(Int64.min)), false),
            (.at(Date(timeIntervalSince1970: .infinity)), true),
            (.at(Date(timeIntervalSince1970: -.infinity)), false),
            (.at(Date(timeIntervalSince1970: .nan)), false),
        ]
        for (index, (expiry, isFresh)) in table.enumerated() {
            let loader = bench.loader()
            let request = bench.request("/a") {
                $0.key = "\(index)"
                $0.expiry = expiry
            }
            _ = try await loader.image(for: request)
            let source = try await loader.response(for: request).source
            #expect(source == (isFresh ? .memory : .network), "row \(index)")
            let entry = try #require(await loader.cacheEntry(for: request))
            #expect((entry.freshUntil != nil) == isFresh && entry.expiresAt != nil)
        }
    }
}
