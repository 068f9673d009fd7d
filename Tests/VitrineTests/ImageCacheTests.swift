import DeterminismSupport
import Foundation
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineStorage

@Suite(.timeLimit(.minutes(2))) struct ImageCacheTests {
    private let clock = ManualClock()

    private func cache(
        _ change: (inout ImageCache.Configuration) -> Void = { _ in }
    ) -> ImageCache {
        var configuration = ImageCache.Configuration()
        configuration.reactsToMemoryPressure = false
        change(&configuration)
        return ImageCache(configuration, time: clock.source)
    }

    static func image(_ side: Int = 10, height: Int? = nil, red: UInt8 = 7) -> RasterImage {
        RasterImage(
            PixelBuffer.solid(
                Pixel(red: red, green: 0, blue: 0), width: side, height: height ?? side))
    }

    private func request(
        _ text: String, _ change: (inout ImageRequest) -> Void = { _ in }
    ) throws -> ImageRequest {
        var request = ImageRequest(try #require(URL(string: text)))
        change(&request)
        return request
    }

    @Test("C1: add, fetch and remove by request, with identifier, and by a name alone")
    func addFetchRemove() throws {
        let cache = cache()
        let request = try request("https://a.example/p.png")
        #expect(cache.insert(Self.image(10), for: request))
        #expect(cache.insert(Self.image(20), for: request, identifier: "large"))
        #expect(cache.insert(Self.image(30), identifier: "large"))
        #expect(cache.image(for: request)?.pixelSize.width == 10)
        #expect(cache.image(for: request, identifier: "large")?.pixelSize.width == 20)
        #expect(cache.image(identifier: "large")?.pixelSize.width == 30)
        #expect(cache.image(for: request, identifier: "") == nil)
        #expect(cache.count == 3 && cache.memoryUsage == 4 * (100 + 400 + 900))

        #expect(cache.remove(for: request, identifier: "large"))
        #expect(!cache.remove(for: request, identifier: "large"))
        #expect(cache.image(for: request) != nil)
        #expect(cache.image(identifier: "large") != nil)
        #expect(cache.remove(for: request))
        #expect(cache.remove(identifier: "large"))
        #expect(!cache.remove(identifier: "large"))
        #expect(cache.count == 0 && cache.memoryUsage == 0)
    }

    @Test("C1, promise 15: all variants of a request go, and of no other")
    func variants() throws {
        let cache = cache()
        let first = try request("https://a.example/p")
        let variants = [
            first, try request("https://a.example/p") { $0.targetSize = .maximum(5) },
            try request("https://a.example/p#top") { $0.scale = 2 },
            try request("https://a.example/p") { $0.filters = [CircleFilter()] },
            try request("https://a.example/p") { $0.cachePolicy = .cacheElseLoad },
        ]
        let others = [
            try request("https://a.example/p/q"), try request("https://a.example/p?x=1"),
            try request("https://a.example/pp"), try request("https://a.example/"),
            try request("https://a.example/p") { $0.partition = "ada" },
            try request("https://a.example/p") { $0.headers = ["X": "y"] },
        ]
        for request in variants + others { cache.insert(Self.image(), for: request) }
        cache.insert(Self.image(), for: first, identifier: "hand")
        // The last variant is the first one: a policy is no part of what an image is.
        #expect(cache.count == variants.count - 1 + others.count + 1)
        #expect(cache.removeVariants(of: first) == 5)
        #expect(variants.allSatisfy { cache.image(for: $0) == nil })
        #expect(cache.image(for: first, identifier: "hand") == nil)
        #expect(others.allSatisfy { cache.image(for: $0) != nil })
        #expect(cache.removeVariants(of: first) == 0)

        for request in variants { cache.insert(Self.image(), for: request) }
        // By URL every partition and every header goes.
        #expect(cache.remove(first.url) == 4 + 2)
        #expect(others.prefix(4).allSatisfy { cache.image(for: $0) != nil })
        #expect(others.suffix(2).allSatisfy { cache.image(for: $0) == nil })
        cache.removeAll()
        #expect(cache.count == 0 && others.allSatisfy { cache.image(for: $0) == nil })
    }

    @Test("C9, promise 3: under a key the URL does not matter, and removal by URL finds it")
    func keys() throws {
        let cache = cache()
        let named = { (text: String, side: Int?) in
            try request(text) {
                $0.key = "k"
                $0.targetSize = side.map { .maximum($0) }
            }
        }
        cache.insert(Self.image(10), for: try named("https://a.example/1", nil))
        #expect(cache.image(for: try named("https://a.example/2", nil)) != nil)
        #expect(cache.image(for: try request("https://a.example/1")) == nil)
        // Put in anew from elsewhere, it is no longer what lies at the first URL.
        cache.insert(Self.image(10), for: try named("https://a.example/2", nil))
        cache.insert(Self.image(5), for: try named("https://a.example/2", 5))
        cache.insert(Self.image(7), for: try request("https://a.example/2"))
        #expect(cache.remove(try #require(URL(string: "https://a.example/1"))) == 0)
        #expect(cache.remove(try #require(URL(string: "https://a.example/2"))) == 3)
        #expect(cache.count == 0)
        cache.insert(Self.image(5), for: try named("https://a.example/2", 5))
        #expect(cache.removeVariants(of: try named("https://a.example/3", nil)) == 1)
        #expect(cache.isConsistent)
    }

    @Test("C5: a request's own expiry is for what was loaded; what was added by hand has its own")
    func requestExpiry() throws {
        let cache = cache()
        let request = try request("https://a.example/1") { $0.expiry = .after(.seconds(1)) }
        cache.insert(Self.image(10), for: request)
        clock.advance(by: .seconds(2))
        #expect(cache.image(for: request) != nil)
    }

    @Test("C1, promise 18: a still costs its pixels, an animation its file and its frames' bound")
    func cost() async throws {
        let cache = cache()
        cache.insert(Self.image(10, height: 20), identifier: "still")
        #expect(cache.memoryUsage == 800)
        let file = try Fixture.data("animated.gif")
        let animation = try RasterImage(decoding: file)
        cache.insert(animation, identifier: "animation")
        #expect(cache.memoryUsage == 800 + animation.cost)
        let frame = animation.posterFrame.byteCount
        #expect(animation.cost >= file.count + frame)
        let before = cache.memoryUsage
        for index in 0..<animation.frameCount { _ = try await animation.frame(at: index) }
        #expect(cache.memoryUsage == before)
    }

    @Test(
        "C1: an image up to the capacity is kept, a larger one only as long as it lives elsewhere")
    func tooLarge() throws {
        let cache = cache {
            $0.capacity = 400
            $0.purgeTarget = 200
        }
        #expect(cache.insert(Self.image(10), identifier: "a"))
        #expect(!cache.insert(Self.image(11), identifier: "a"))
        #expect(cache.image(identifier: "a") == nil)
        let held = Self.image(11)
        #expect(!cache.insert(held, identifier: "a"))
        #expect(cache.image(identifier: "a")?.posterFrame === held.posterFrame)
        #expect(cache.memoryUsage == 0)
    }

    @Test("promise 13: what was added by hand is fresh, unless an expiry is given; policies decide")
    func freshness() throws {
        let cache = cache()
        let request = try request("https://a.example/p")
        cache.insert(Self.image(), for: request)
        clock.advance(by: .seconds(1e9))
        for policy in CachePolicy.allCases {
            var asked = request
            asked.cachePolicy = policy
            let counts = [.standard, .cacheElseLoad, .cacheOnly].contains(policy)
            #expect((cache.image(for: asked) != nil) == counts, "\(policy)")
        }
        let now = clock.source.now
        cache.insert(
            Self.image(), for: request, expires: Date(timeIntervalSince1970: now + 10))
        clock.advance(by: .seconds(9))
        #expect(cache.image(for: request) != nil)
        clock.advance(by: .seconds(1))
        #expect(cache.image(for: request) == nil)
        var any = request
        any.cachePolicy = .cacheOnly
        #expect(cache.image(for: any) != nil)
    }

    @Test("C1: a cache of nothing keeps nothing, and finds nothing that is alive elsewhere")
    func nothing() throws {
        var configuration = ImageCache.Configuration()
        configuration.capacity = 0
        let cache = ImageCache(configuration)
        let image = try RasterImage(decoding: Fixture.data("scene.png"))
        #expect(!cache.insert(image, identifier: "name"))
        #expect(cache.image(identifier: "name") == nil)
        withExtendedLifetime(image) {}
    }

    @Test("C1: odd requests and unfinished pictures are refused")
    func refusals() throws {
        let cache = cache()
        for scale in [Double.nan, 0, -1, .infinity] {
            let odd = try request("https://a.example/p") { $0.scale = scale }
            #expect(!cache.insert(Self.image(), for: odd))
            #expect(cache.image(for: odd) == nil)
        }
        let whole = try Workbench.largePicture()
        var options = DecodeOptions()
        options.damage = .readablePart
        let part = try RasterImage(decoding: whole.prefix(whole.count / 2), options: options)
        try #require(!part.isComplete)
        cache.insert(Self.image(), identifier: "a")
        #expect(!cache.insert(part, identifier: "a"))
        #expect(cache.image(identifier: "a") == nil && cache.count == 0)
    }

    // MARK: - Leases

    @Test("promise 15: what is alive elsewhere is found after a purge, and not after a removal")
    func leases() throws {
        let cache = cache {
            $0.capacity = 800
            $0.purgeTarget = 400
        }
        let request = try request("https://a.example/p")
        let held = Self.image(10, red: 99)
        cache.insert(held, for: request)
        cache.insert(Self.image(10), identifier: "b")
        cache.insert(Self.image(10), identifier: "c")
        #expect(cache.count == 1 && cache.memoryUsage == 400)
        #expect(cache.image(identifier: "b") == nil, "nobody holds it")
        let again = try #require(cache.image(for: request))
        #expect(again.posterFrame === held.posterFrame && again.scale == held.scale)
        #expect(again.info == held.info)
        #expect(cache.memoryUsage == 800, "found again, it is kept again")

        cache.respond(to: .critical)
        #expect(cache.memoryUsage == 0)
        #expect(cache.image(for: request) != nil)
        #expect(cache.remove(for: request))
        #expect(cache.image(for: request) == nil)

        for remove in [
            { (cache: ImageCache) in _ = cache.removeVariants(of: request) },
            { $0.remove(request.url) }, { $0.removeAll() },
        ] {
            cache.insert(held, for: request)
            cache.respond(to: .critical)
            #expect(cache.image(for: request) != nil)
            cache.respond(to: .critical)
            remove(cache)
            #expect(cache.image(for: request) == nil)
        }
        withExtendedLifetime(held) {}
    }

    @Test("promise 15: a still lives by its pixels, an animation by its holders")
    func whatKeepsAlive() async throws {
        let cache = cache()
        var pixels: PixelBuffer? = Self.image().posterFrame
        cache.insert(RasterImage(try #require(pixels), scale: 2), identifier: "still")
        var drawn: RasterImage? = try RasterImage(decoding: Fixture.data("animated.gif"))
        cache.insert(try #require(drawn), identifier: "drawn")
        let listed = try RasterImage(
            frames: [Self.image(red: 1).posterFrame, Self.image(red: 2).posterFrame],
            durations: [.milliseconds(50), .milliseconds(70)], loopCount: 3)
        var turned: RasterImage? = try listed.applying(InvertFilter())
        cache.insert(try #require(turned), identifier: "turned")
        cache.respond(to: .critical)

        #expect(cache.image(identifier: "still")?.scale == 2)
        let found = try #require(cache.image(identifier: "turned"))
        #expect(found.durations == listed.durations && found.loopCount == 3)
        #expect(try await found.frame(at: 1)[0, 0]?.red == 253)
        #expect(cache.image(identifier: "drawn")?.frameCount == drawn?.frameCount)
        let poster = drawn?.posterFrame

        pixels = nil
        drawn = nil
        turned = nil
        cache.respond(to: .critical)
        #expect(cache.image(identifier: "still") == nil)
        #expect(cache.image(identifier: "drawn") == nil, "its first frame alone is not the picture")
        #expect(cache.image(identifier: "turned") != nil, "'found' still holds it")
        withExtendedLifetime((poster, found, listed)) {}
    }

    @Test("promise 15: an age limit holds for what is alive elsewhere, too")
    func ageOfLeases() {
        let cache = cache { $0.ageLimit = .seconds(10) }
        let held = Self.image()
        cache.insert(held, identifier: "a")
        clock.advance(by: .seconds(6))
        cache.respond(to: .critical)
        #expect(cache.image(identifier: "a") != nil)
        clock.advance(by: .seconds(3))
        #expect(cache.image(identifier: "a") != nil)
        clock.advance(by: .seconds(1))
        #expect(cache.image(identifier: "a") == nil, "being found has not made it younger")
        #expect(cache.memoryUsage == 0)
        withExtendedLifetime(held) {}
    }

    // MARK: - Pressure

    @Test("C2: memory is given back when the system is short of it, unless that is not wanted")
    func pressure() {
        let monitor = MemoryPressure.Monitor(files: { .init(stalls: [], group: nil) })
        for reacts in [true, false] {
            var configuration = ImageCache.Configuration()
            configuration.reactsToMemoryPressure = reacts
            let cache = ImageCache(configuration, time: clock.source, monitor: monitor)
            for name in 0..<10 { cache.insert(Self.image(), identifier: "\(name)") }
            monitor.announce(.warning)
            #expect(cache.count == (reacts ? 5 : 10))
            monitor.announce(.critical)
            #expect(cache.count == (reacts ? 0 : 10))
        }
    }

    @Test("C1, C2: a cache is released with its images, and nothing listens for it any more")
    func released() {
        let monitor = MemoryPressure.Monitor(files: { .init(stalls: [], group: nil) })
        weak var frame: PixelBuffer?
        weak var released: ImageCache?
        do {
            let cache = ImageCache(.init(), time: clock.source, monitor: monitor)
            let image = Self.image()
            cache.insert(image, identifier: "a")
            (frame, released) = (image.posterFrame, cache)
            #expect(released != nil && frame != nil)
        }
        #expect(released == nil && frame == nil)
        monitor.announce(.critical)
    }

    // MARK: - Observers

    @Test("C8: those who listen hear what is dropped, and why") func drops() async throws {
        let cache = cache {
            $0.capacity = 800
            $0.purgeTarget = 400
        }
        let request = try request("https://a.example/p?token=1")
        cache.insert(Self.image(), identifier: "unheard")
        cache.removeAll()
        var events = cache.drops.makeAsyncIterator()
        cache.insert(Self.image(), for: request, identifier: "x")
        cache.insert(Self.image(), identifier: "b")
        cache.insert(Self.image(), identifier: "c")
        cache.insert(Self.image(20), identifier: "c")
        cache.insert(Self.image(), identifier: "d")
        cache.remove(identifier: "d")
        var told: [ImageCache.Drop] = []
        for _ in 0..<5 { told.append(try #require(await events.next())) }
        #expect(told.map(\.reason) == [.capacity, .capacity, .replaced, .tooLarge, .removed])
        #expect(told.map(\.identifier) == ["x", "b", "c", "c", "d"])
        #expect(told.map(\.cost) == [400, 400, 400, 1600, 400])
        #expect(told[0].url == request.url && told[1].url == nil)
    }

    // MARK: - Many at once

    @Test("C1, promise 18: many threads at once; bound and leases hold") func concurrency()
        async throws
    {
        let cache = cache {
            $0.capacity = 40 * 400
            $0.purgeTarget = 20 * 400
            $0.countLimit = 30
        }
        let held = (0..<100).map { Self.image(10, red: UInt8($0)) }
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(worker))
                    var isFine = true
                    for _ in 0..<1500 {
                        let number = Int.random(in: 0..<100, using: &random)
                        let url = URL(string: "https://a.example/\(number % 10)")
                        var request = ImageRequest(url ?? URL(fileURLWithPath: "/"))
                        request.targetSize = .maximum(number + 1)
                        switch Int.random(in: 0..<12, using: &random) {
                        case 0..<4: cache.insert(held[number], for: request)
                        case 4..<9:
                            let found = cache.image(for: request)?.posterFrame[0, 0]?.red
                            isFine = isFine && (found == nil || found == UInt8(number))
                        case 9: _ = cache.closestImage(for: request)
                        case 10: cache.remove(for: request)
                        default:
                            if number < 10 {
                                cache.removeVariants(of: request)
                            } else if number < 15 {
                                cache.respond(to: .warning)
                            }
                        }
                        isFine = isFine && cache.memoryUsage <= 40 * 400
                    }
                    return isFine
                }
            }
            for await isFine in group { #expect(isFine) }
        }
        #expect(cache.isConsistent)
        #expect(cache.count <= 30)
    }
}
