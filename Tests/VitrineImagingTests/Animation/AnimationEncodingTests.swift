import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct AnimationEncodingTests {
    @Test(
        "D8, D4: WebP and GIF keep frames, delays and loops",
        arguments: ["animated.gif", "animated.png", "animated.webp"],
        [EncodingFormat.gif, .webp])
    func roundTrip(name: String, format: EncodingFormat) throws {
        let image = try RasterImage(decoding: Fixture.data(name))
        let options = EncodeOptions(lossless: format == .webp)
        let again = try RasterImage(decoding: image.encoded(as: format, options: options))
        #expect(again.info.format == format.rasterFormat)
        #expect(again.durations == image.durations)
        #expect(again.loopCount == 2)
        var index = 0
        try again.forEachFrame { frame, _ in
            expectPixels(frame, equals: AnimationTests.scene(index), "\(name) as \(format)")
            index += 1
        }
        #expect(index == 3)
    }

    @Test("D8: other formats take the first frame", arguments: [EncodingFormat.png, .jpeg, .avif])
    func first(format: EncodingFormat) throws {
        #expect(!format.keepsAnimation)
        let image = try RasterImage(decoding: Fixture.data("animated.gif"))
        let again = try RasterImage(decoding: image.encoded(as: format))
        #expect(again.frameCount == 1)
        expectPixels(
            again.posterFrame, equals: Scene.plain, within: 16, "\(format)", where: Scene.isPlain)
    }

    @Test("D8, F9: what is filtered is written filtered") func filtered() throws {
        let image = try RasterImage(decoding: Fixture.data("animated.png"))
            .applying(.fill(width: 20, height: 20), .circle)
        for format in [EncodingFormat.gif, .webp] {
            let again = try RasterImage(decoding: image.encoded(as: format))
            #expect(again.frameCount == 3)
            #expect(again.pixelSize == PixelSize(width: 20, height: 20))
            try again.forEachFrame { frame, _ in
                #expect(frame[0, 0]?.alpha == 0)
                #expect(frame[10, 10]?.alpha == 255)
            }
        }
    }

    /// What becomes transparent must not stay, what stays must not vanish.
    @Test("D8: a GIF with transparent parts that move", arguments: 0..<8)
    func transparency(seed: Int) throws {
        let colors = [AnimationTests.red, AnimationTests.green, AnimationTests.clear]
        let drawn = DrawnAnimation.random(frames: 12, seed: UInt64(seed) + 40, colors: colors)
        let image = try RasterImage(decoding: drawn.png())
        for format in [EncodingFormat.gif, .webp] {
            let options = EncodeOptions(lossless: format == .webp)
            let again = try RasterImage(decoding: image.encoded(as: format, options: options))
            #expect(again.frameCount == 12)
            guard again.frameCount == 12 else { continue }
            var index = 0
            try again.forEachFrame { frame, _ in
                expectPixels(frame, equals: drawn.shown()[index], "\(seed) as \(format), \(index)")
                index += 1
            }
        }
    }

    @Test("D8: delays that a format cannot have are rounded, and their sum is kept") func delays()
        throws
    {
        let frames = (0..<4).map(AnimationTests.scene)
        let delays: [Duration] = [
            .milliseconds(0), .milliseconds(33), .milliseconds(34), .milliseconds(33),
        ]
        let image = try RasterImage(frames: frames, durations: delays)
        let gif = try RasterImage(decoding: image.encoded(as: .gif))
        #expect(
            gif.rawDurations == [
                .milliseconds(100), .milliseconds(30), .milliseconds(30), .milliseconds(40),
            ])
        #expect(gif.loopCount == nil)
        let webp = try RasterImage(
            decoding: image.encoded(as: .webp, options: EncodeOptions(lossless: true)))
        #expect(webp.rawDurations == [.milliseconds(100)] + delays.dropFirst())
        #expect(webp.loopCount == nil)
    }

    @Test("D8: played once and played often") func loops() throws {
        let frames = (0..<2).map(AnimationTests.scene)
        for count in [1, 3, nil] {
            let image = try RasterImage(
                frames: frames, durations: [.seconds(1), .seconds(1)], loopCount: count)
            for format in [EncodingFormat.gif, .webp] {
                let again = try RasterImage(decoding: image.encoded(as: format))
                #expect(again.loopCount == count, "\(format)")
            }
        }
    }

    @Test("D8: damage in a later frame is an error, not a shorter animation") func damaged() throws
    {
        let whole = DrawnAnimation.Frame(width: 4, height: 4, AnimationTests.red)
        let animation = DrawnAnimation(width: 4, height: 4, frames: [whole, whole])
        var data = animation.png()
        let chunk = try #require(data.firstRange(of: Data("fdAT".utf8)))
        data[chunk.upperBound + 20] ^= 1
        let image = try RasterImage(decoding: data)
        #expect(throws: ImagingError.corrupt(format: .png, reason: "a checksum is wrong")) {
            try image.encoded(as: .gif)
        }
    }
}
