import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

/// Row F9 for every filter there is.
@Suite struct FilteredAnimationTests {
    private static let animation = DrawnAnimation.random(
        frames: 4, seed: 11,
        colors: [
            AnimationTests.red, AnimationTests.green, AnimationTests.blue, DrawnAnimation.clear,
        ])

    @Test(
        "F9: every filter keeps frames, durations and loops, and each frame is the filtered frame",
        arguments: FilterSamples.all)
    func kept(sample: FilterSamples.Sample) async throws {
        for data in [
            Self.animation.gif(), try Self.animation.webp(), Self.animation.png(),
            try Fixture.data("animated.webp"),
        ] {
            let image = try RasterImage(decoding: data, options: DecodeOptions(scale: 1.5))
            let filtered = try image.applying(sample.filter)
            #expect(image.frameCount > 2)
            #expect(filtered.frameCount == image.frameCount)
            #expect(filtered.durations == image.durations)
            #expect(filtered.rawDurations == image.rawDurations)
            #expect(filtered.loopCount == image.loopCount)
            #expect(filtered.scale == image.scale)
            #expect(filtered.info == image.info)
            var expected: [PixelBuffer] = []
            for index in 0..<image.frameCount {
                expected.append(
                    try sample.filter.apply(to: await image.frame(at: index), scale: 1.5))
            }
            // Backwards, then in order.
            for index in expected.indices.reversed() {
                expectPixels(
                    try await filtered.frame(at: index), equals: expected[index], sample.name)
            }
            expectPixels(filtered.posterFrame, equals: expected[0], sample.name)
            var count = 0
            try filtered.forEachFrame { frame, duration in
                expectPixels(frame, equals: expected[count], sample.name)
                #expect(frame.isOpaque == expected[count].isOpaque)
                #expect(duration == image.durations[count])
                count += 1
            }
            #expect(count == image.frameCount)
        }
    }
}
