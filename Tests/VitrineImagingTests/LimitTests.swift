import Foundation
import PixelSupport
import Testing
import VitrineImaging

@Suite struct LimitTests {
    @Test("D7: a bomb is refused from its header") func bomb() throws {
        let data = Bomb.png(width: 50_000, height: 50_000)
        let start = ContinuousClock.now
        let expected = ImagingError.tooLarge(
            what: .sourcePixels, found: 2_500_000_000, limit: 268_435_456)
        #expect(throws: expected) { try RasterImage(decoding: data) }
        #expect(throws: expected) { try ImageInfo(probing: data) }
        #expect(throws: expected) {
            try RasterImage(decoding: data, options: DecodeOptions(targetSize: .maximum(10)))
        }
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test("D7: a progressive JPEG with more scans than any picture needs is refused")
    func scans() throws {
        let file = try Fixture.data("progressive.jpg")
        // The last scan over and over: the segments before it and its data, which end the file.
        let start = try #require(
            file.range(of: Data([0xFF, 0xDA]), options: .backwards)?.lowerBound)
        let last = file[start..<file.endIndex - 2]
        func repeated(_ count: Int) -> Data {
            file[..<start] + (0..<count).flatMap { _ in last } + [0xFF, 0xD9]
        }
        let expected = ImagingError.tooLarge(what: .scans, found: 101, limit: 100)
        for damage in [DecodeOptions.DamageHandling.refused, .readablePart] {
            for target in [nil, TargetSize.maximum(10)] {
                let options = DecodeOptions(targetSize: target, damage: damage)
                #expect(throws: expected) {
                    try RasterImage(decoding: repeated(1000), options: options)
                }
                #expect(throws: expected) {
                    try RasterImage(decoding: repeated(1000).dropLast(2), options: options)
                }
                #expect(try RasterImage(decoding: file, options: options).isComplete)
            }
        }
    }

    @Test("D7: a probe with wider limits tells the size") func probe() throws {
        let limits = DecodeLimits(maximumSourcePixels: .max)
        let info = try ImageInfo(probing: Bomb.png(width: 50_000, height: 40_000), limits: limits)
        #expect(info.pixelSize == PixelSize(width: 50_000, height: 40_000))
    }

    @Test("D7: every limit is told with what was found") func each() throws {
        let data = try Fixture.data("animated.gif")
        for (limits, error) in [
            (
                DecodeLimits(maximumBytes: 100),
                ImagingError.tooLarge(what: .bytes, found: data.count, limit: 100)
            ),
            (
                DecodeLimits(maximumDimension: 95),
                .tooLarge(what: .dimension, found: 96, limit: 95)
            ),
            (
                DecodeLimits(maximumSourcePixels: 6143),
                .tooLarge(what: .sourcePixels, found: 6144, limit: 6143)
            ),
            (DecodeLimits(maximumFrames: 2), .tooLarge(what: .frames, found: 3, limit: 2)),
            (
                DecodeLimits(maximumResultPixels: 6143),
                .tooLarge(what: .resultPixels, found: 6144, limit: 6143)
            ),
        ] {
            #expect(throws: error) {
                try RasterImage(decoding: data, options: DecodeOptions(limits: limits))
            }
        }
        let exact = DecodeLimits(
            maximumBytes: data.count, maximumDimension: 96, maximumSourcePixels: 6144,
            maximumResultPixels: 6144, maximumFrames: 3)
        #expect(throws: Never.self) {
            try RasterImage(decoding: data, options: DecodeOptions(limits: exact))
        }
    }

    @Test("D7: a target size brings a large file below the limit of results") func target() throws {
        let options = DecodeOptions(
            targetSize: .maximum(48), limits: DecodeLimits(maximumResultPixels: 48 * 32))
        let image = try RasterImage(decoding: Fixture.data("scene.jpg"), options: options)
        #expect(image.pixelSize == PixelSize(width: 48, height: 32))
    }

    @Test("D7: the defaults are the documented ones") func defaults() {
        let limits = DecodeLimits()
        #expect(limits.maximumBytes == 536_870_912)
        #expect(limits.maximumDimension == 65_535)
        #expect(limits.maximumSourcePixels == 268_435_456)
        #expect(limits.maximumResultPixels == 100_000_000)
        #expect(limits.maximumFrames == 10_000)
    }
}
