import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct AnimationTests {
    static let red = Pixel(red: 220, green: 30, blue: 40)
    static let green = Pixel(red: 30, green: 170, blue: 60)
    static let blue = Pixel(red: 40, green: 70, blue: 210)
    static let glass = Pixel(red: 240, green: 200, blue: 40, alpha: 128)
    static let mist = Pixel(red: 10, green: 250, blue: 140, alpha: 60)
    static let clear = DrawnAnimation.clear

    /// The scene of the fixtures with its colours turned round.
    static func scene(_ shift: Int) -> PixelBuffer {
        .drawn(Scene.size) { x, y in
            Scene.isMarker(x, y)
                ? Pixel(red: 255, green: 255, blue: 255)
                : Scene.colors[(Scene.quadrant(x, y) + shift) % 4]
        }
    }

    @Test(
        "D4: frames, delays and loops of the fixtures",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func fixtures(name: String) async throws {
        let data = try Fixture.data(name)
        let image = try RasterImage(decoding: data)
        #expect(image.frameCount == 3)
        #expect(image.info.frameCount == 3)
        #expect(image.durations == [.milliseconds(100), .milliseconds(200), .milliseconds(300)])
        #expect(image.rawDurations == image.durations)
        #expect(image.loopCount == 2)
        #expect(image.pixelSize == Scene.size)
        expectPixels(image.posterFrame, equals: Scene.plain, name)
        for index in [2, 0, 1, 2, 1] {
            expectPixels(
                try await image.frame(at: index), equals: Self.scene(index), "\(name) \(index)")
        }
        var count = 0
        try image.forEachFrame { frame, duration in
            expectPixels(frame, equals: Self.scene(count), "\(name) \(count) in order")
            #expect(duration == .milliseconds(100 * (count + 1)))
            count += 1
        }
        #expect(count == 3)
        for index in [-1, 3, .max, .min] {
            await #expect(throws: ImagingError.frameOutOfRange(index: index, count: 3)) {
                try await image.frame(at: index)
            }
        }
    }

    @Test(
        "D4: only the first frame, if so wanted",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func firstOnly(name: String) throws {
        let image = try RasterImage(
            decoding: Fixture.data(name), options: DecodeOptions(frames: .first))
        #expect(image.frameCount == 1)
        #expect(image.info.frameCount == 3)
        #expect(image.durations == [.zero])
        #expect(image.loopCount == 1)
        #expect(image.cost == 96 * 64 * 4)
        expectPixels(image.posterFrame, equals: Scene.plain, name)
    }

    /// Every disposal and blending, also where the first frame has them or covers a part only.
    @Test("D4: disposal and blending, drawn by hand") func disposal() async throws {
        let (red, green, blue, clear) = (Self.red, Self.green, Self.blue, Self.clear)
        var animation = DrawnAnimation(
            width: 8, height: 6,
            frames: [
                .init(x: 2, y: 0, width: 4, height: 4, then: .restore, red),
                .init(width: 8, height: 6, then: .keep, green),
                .init(x: 2, y: 2, width: 4, height: 2, then: .clear, blue),
                .init(x: 0, y: 0, width: 2, height: 2, then: .restore, [red, clear, clear, red]),
                .init(x: 6, y: 4, width: 2, height: 2, then: .restore, red),
                .init(x: 4, y: 4, width: 2, height: 2, then: .clear, [clear, blue, blue, clear]),
                .init(width: 8, height: 6, then: .clear, Array(repeating: clear, count: 48)),
                .init(x: 2, y: 2, width: 2, height: 2, then: .keep, blue),
            ])
        let seen = animation.shown()
        // The rules themselves, told once in numbers.
        #expect(seen[0][0, 0] == clear && seen[0][2, 0] == red)
        #expect(seen[3][3, 3] == clear && seen[3][0, 0] == red && seen[3][1, 0] == green)
        #expect(seen[4][0, 0] == green && seen[5][6, 4] == green)
        #expect(seen[7][0, 0] == clear && seen[7][2, 2] == blue)
        try await expect(animation.gif(), shows: seen, "GIF")
        try await expect(animation.gif(interlaced: true), shows: seen, "interlaced GIF")
        try await expect(animation.png(), shows: seen, "APNG")
        for index in animation.frames.indices where animation.frames[index].disposal == .restore {
            animation.frames[index].disposal = .keep
        }
        try await expect(animation.webp(), shows: animation.shown(), "WebP")
    }

    @Test("D4: blending is by alpha, onto what is half transparent too") func blending()
        async throws
    {
        let animation = DrawnAnimation(
            width: 4, height: 2,
            frames: [
                .init(width: 4, height: 2, then: .keep, blends: false, Self.mist),
                .init(width: 2, height: 2, then: .keep, blends: true, Self.glass),
                .init(x: 2, width: 2, height: 2, then: .keep, blends: false, Self.glass),
                .init(width: 4, height: 2, then: .keep, blends: true, Self.mist),
            ])
        let seen = animation.shown()
        #expect(seen[1][0, 0]?.alpha == 158)
        #expect(seen[2][2, 0] == Self.glass)
        try await expect(animation.png(), shows: seen, within: 1, "APNG")
        try await expect(animation.webp(), shows: seen, within: 1, "WebP")
    }

    @Test("D4: random animations, in order and out of it", arguments: 0..<12)
    func random(seed: Int) async throws {
        let solid = [Self.red, Self.green, Self.blue, Self.clear]
        let gif = DrawnAnimation.random(
            frames: 14, seed: UInt64(seed), colors: solid, onlyBlends: true)
        try await expect(gif.gif(interlaced: seed % 2 == 0), shows: gif.shown(), "GIF \(seed)")
        let colors = solid + [Self.glass, Self.mist]
        let png = DrawnAnimation.random(frames: 14, seed: UInt64(seed) + 100, colors: colors)
        // Rounding adds up where half transparent frames lie on each other.
        try await expect(png.png(), shows: png.shown(), within: 3, "APNG \(seed)")
        let webp = DrawnAnimation.random(
            frames: 8, seed: UInt64(seed) + 200, colors: colors, disposals: [.keep, .clear])
        try await expect(webp.webp(), shows: webp.shown(), within: 3, "WebP \(seed)")
    }

    @Test("D4: a frame of a GIF that sticks out is cut off") func sticksOut() async throws {
        let animation = DrawnAnimation(
            width: 6, height: 4,
            frames: [
                .init(width: 6, height: 4, Self.red),
                .init(x: 4, y: 2, width: 5, height: 5, then: .clear, Self.green),
                .init(x: 9, y: 9, width: 2, height: 2, Self.blue),
            ])
        try await expect(animation.gif(), shows: animation.shown(), "GIF")
    }

    @Test("D4: a GIF whose first frame is larger than its screen grows") func grows() throws {
        var animation = DrawnAnimation(
            width: 4, height: 4, frames: [.init(width: 6, height: 5, Self.red)])
        #expect(try RasterImage(decoding: animation.gif()).pixelSize == .init(width: 6, height: 5))
        animation.width = 0
        animation.height = 0
        let image = try RasterImage(decoding: animation.gif())
        #expect(image.pixelSize == PixelSize(width: 6, height: 5))
        #expect(image.frameCount == 1)
        #expect(image.durations == [.zero])
    }

    @Test(
        "D4: short delays are shown longer, and the raw value is kept",
        arguments: [(0, 100), (10, 100), (20, 20), (50, 50), (30_000, 30_000)])
    func delays(raw: Int, shown: Int) throws {
        let frame = DrawnAnimation.Frame(width: 2, height: 2, milliseconds: raw, Self.red)
        let animation = DrawnAnimation(width: 2, height: 2, frames: [frame, frame])
        for data in [animation.gif(), animation.png(), try animation.webp()] {
            let image = try RasterImage(decoding: data)
            #expect(image.rawDurations == Array(repeating: .milliseconds(raw), count: 2))
            #expect(image.durations == Array(repeating: .milliseconds(shown), count: 2))
        }
    }

    @Test("D4: delays of APNG are fractions") func fractions() throws {
        let frame = DrawnAnimation.Frame(width: 2, height: 2, Self.red)
        let animation = DrawnAnimation(width: 2, height: 2, frames: [frame, frame])
        for (numerator, denominator, delay) in [
            (1, 25, Duration.milliseconds(40)), (7, 0, .milliseconds(70)),
            (1, 3, .nanoseconds(333_333_333)), (65_535, 1, .seconds(65_535)),
        ] {
            let image = try RasterImage(
                decoding: animation.png(numerator: numerator, denominator: denominator))
            #expect(image.durations == [delay, delay])
        }
    }

    @Test(
        "D4: how often it is played",
        arguments: [(0, nil), (1, 1), (2, 2), (5, 5), (65_535, 65_535)] as [(Int, Int?)])
    func loops(plays: Int, count: Int?) throws {
        let frame = DrawnAnimation.Frame(width: 2, height: 2, Self.red)
        let animation = DrawnAnimation(
            width: 2, height: 2, frames: [frame, frame], plays: plays)
        #expect(try RasterImage(decoding: animation.gif()).loopCount == count)
        #expect(try RasterImage(decoding: animation.png()).loopCount == count)
        #expect(try RasterImage(decoding: animation.webp()).loopCount == count)
    }

    @Test("D4: a still picture before an APNG's animation is no frame") func hidden() async throws {
        let animation = DrawnAnimation.random(
            frames: 4, seed: 3, colors: [Self.red, Self.green, Self.clear])
        try await expect(
            animation.png(hidden: Self.blue), shows: animation.shown(), within: 1, "APNG")
    }

    @Test(
        "D3, D4: a target size is met by every frame",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func targetSize(name: String) async throws {
        let data = try Fixture.data(name)
        for (target, size) in [
            (TargetSize.fill(width: 30, height: 30), PixelSize(width: 30, height: 30)),
            (.maximum(48), PixelSize(width: 48, height: 32)),
            (.fit(width: 1000, height: 1000), Scene.size),
        ] {
            let image = try RasterImage(
                decoding: data, options: DecodeOptions(targetSize: target))
            #expect(image.pixelSize == size)
            for index in 0..<3 {
                let frame = try await image.frame(at: index)
                let still = Self.scene(index)
                #expect(frame.size == size)
                let corner = try #require(still[0, 60])
                expectPixel(frame, at: 0, size.height - 1, equals: corner, within: 2)
            }
        }
    }

    @Test(
        "F9: filters keep the animation, and each frame is filtered when it is wanted",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func filters(name: String) async throws {
        let image = try RasterImage(decoding: Fixture.data(name))
        let calls = Counter()
        let counting = CustomFilter(identifier: "counting") { frame, _ in
            calls.add()
            return frame
        }
        let filtered = try image.applying(counting, .fill(width: 40, height: 40), .circle)
        #expect(filtered.frameCount == 3)
        #expect(filtered.durations == image.durations)
        #expect(filtered.loopCount == 2)
        #expect(calls.count == 1)
        for index in [1, 2, 0, 1] {
            let frame = try await filtered.frame(at: index)
            let expected = try RasterImage(Self.scene(index))
                .applying(.fill(width: 40, height: 40), .circle).posterFrame
            expectPixels(frame, equals: expected, "\(name) \(index)")
        }
        #expect(calls.count == 3)
        // And the picture that was filtered is what it was.
        expectPixels(try await image.frame(at: 1), equals: Self.scene(1))
    }

    @Test("F9: what a filter throws for a later frame arrives there") func filterFails()
        async throws
    {
        struct Odd: Error {}
        let calls = Counter()
        let image = try RasterImage(decoding: Fixture.data("animated.gif"))
        let filtered = try image.applying(
            CustomFilter(identifier: "odd") { frame, _ in
                calls.add()
                if calls.count > 1 { throw Odd() }
                return frame
            })
        await #expect {
            try await filtered.frame(at: 1)
        } throws: { error in
            guard case ImagingError.filterFailed("odd", _) = error else { return false }
            return true
        }
        await #expect(throws: ImagingError.self) { try await filtered.frame(at: 2) }
    }

    @Test("R4: an animation from pixels") func fromPixels() async throws {
        let frames = (0..<3).map(Self.scene)
        let delays: [Duration] = [.zero, .milliseconds(40), .seconds(1)]
        let image = try RasterImage(frames: frames, durations: delays, loopCount: 4, scale: 2)
        #expect(image.frameCount == 3)
        #expect(image.rawDurations == delays)
        #expect(image.durations[0] == .milliseconds(100))
        #expect(image.loopCount == 4)
        #expect(image.cost == 3 * 96 * 64 * 4)
        #expect(try await image.frame(at: 2) === frames[2])
        let small = try image.applying(.fill(width: 10, height: 10))
        #expect(try await small.frame(at: 2).size == PixelSize(width: 20, height: 20))
        #expect(throws: ImagingError.self) { try RasterImage(frames: [], durations: []) }
        #expect(throws: ImagingError.self) {
            try RasterImage(frames: frames, durations: [.zero, .zero])
        }
        #expect(throws: ImagingError.self) {
            try RasterImage(frames: frames, durations: [.zero, .zero, .seconds(-1)])
        }
        #expect(throws: ImagingError.self) {
            try RasterImage(frames: frames, durations: delays, loopCount: 0)
        }
        let other = PixelBuffer.solid(Self.red, width: 2, height: 2)
        #expect(throws: ImagingError.self) {
            try RasterImage(frames: [frames[0], other], durations: [.zero, .zero])
        }
    }

    /// Expects frames as drawn: the first one, then in order, then backwards, with little memory.
    private func expect(
        _ data: Data, shows frames: [PixelBuffer], within tolerance: Int = 0, _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let options = DecodeOptions(animationMemory: 0)
        let image = try RasterImage(decoding: data, options: options)
        #expect(image.frameCount == frames.count, sourceLocation: sourceLocation)
        guard image.frameCount == frames.count else { return }
        for index in Array(frames.indices) + frames.indices.reversed() {
            expectPixels(
                try await image.frame(at: index), equals: frames[index], within: tolerance,
                "\(name), frame \(index)", sourceLocation: sourceLocation)
        }
    }
}
