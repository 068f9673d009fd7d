import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

/// The scene with its white at 203 candela per square metre, as files for HDR have it.
@Suite struct HighDynamicRangeTests {
    /// What BT.2390 makes of it on a standard display, calculated apart from this code.
    private static let compressed: PixelBuffer = {
        let colors = [
            Pixel(red: 220, green: 30, blue: 40), Pixel(red: 30, green: 170, blue: 60),
            Pixel(red: 39, green: 69, blue: 207), Pixel(red: 229, green: 191, blue: 38),
        ]
        let white = Pixel(red: 229, green: 229, blue: 229)
        return PixelBuffer.drawn(Scene.size) { x, y in
            Scene.isMarker(x, y) ? white : colors[Scene.quadrant(x, y)]
        }
    }()

    @Test(
        "D9: PQ and HLG are shown for a standard display, alike in every format",
        arguments: [
            ("pq.avif", DynamicRange.perceptualQuantizer, 2),
            ("pq-420.avif", .perceptualQuantizer, 3),
            ("pq.png", .perceptualQuantizer, 1), ("pq.jxl", .perceptualQuantizer, 1),
            ("pq.heic", .perceptualQuantizer, 4), ("hlg.avif", .hybridLogGamma, 1),
            ("hlg.png", .hybridLogGamma, 1), ("hlg.jxl", .hybridLogGamma, 1),
        ])
    func compressed(name: String, range: DynamicRange, tolerance: Int) throws {
        let data = try Fixture.data(name)
        let image = try RasterImage(decoding: data)
        #expect(image.info.colorCodePoints?.dynamicRange == range)
        #expect(image.info.colorCodePoints?.primaries == 9)
        #expect(image.info == (try ImageInfo(probing: data)))
        expectPixels(
            image.posterFrame, equals: Self.compressed, within: tolerance, name,
            where: Scene.isPlain)
        // Shrunk on another way through the code.
        let small = try RasterImage(
            decoding: data, options: DecodeOptions(targetSize: .fill(width: 24, height: 16)))
        for (x, y) in [(1, 14), (20, 1), (20, 14)] {
            let expected = try #require(Self.compressed[x * 4, y * 4])
            expectPixel(small.posterFrame, at: x, y, equals: expected, within: 5, name)
        }
    }

    @Test("D9: BT.2020 and Display P3 by code points become sRGB")
    func wideGamut() throws {
        for (name, points, tolerance) in [
            ("p3.avif", ColorCodePoints(primaries: 12, transfer: 13), 3),
            ("p3.png", ColorCodePoints(primaries: 12, transfer: 13), 1),
            ("bt2020.avif", ColorCodePoints(primaries: 9, transfer: 14), 2),
        ] {
            let image = try RasterImage(decoding: Fixture.data(name))
            #expect(image.info.colorCodePoints == points)
            #expect(image.info.colorCodePoints?.dynamicRange == .standard)
            expectPixels(image.posterFrame, equals: Scene.plain, within: tolerance, name)
        }
    }

    @Test("D9: alpha survives the way through 16 bits") func alpha() throws {
        var data = try Fixture.data("alpha-10-bit.avif")
        let box = try #require(data.firstRange(of: Data("nclx".utf8)))
        data.replaceSubrange(box.upperBound..<box.upperBound + 4, with: [0, 9, 0, 16])
        let image = try RasterImage(decoding: data)
        #expect(image.info.colorCodePoints == ColorCodePoints(primaries: 9, transfer: 16))
        for (x, y, alpha) in [(10, 10, 0), (80, 50, 128), (2, 2, 255)] {
            #expect(image.posterFrame[x, y]?.alpha == UInt8(alpha))
        }
    }

    @Test("D9: a cICP chunk counts before a profile; HDR code points do in every format")
    func precedence() throws {
        let png = try Fixture.data("display-p3.png")
        func marked(_ points: [UInt8]) -> Data {
            var chunk = Data("cICP".utf8) + points
            let sum = chunk.withUnsafeBytes { CRC32.of($0) }
            chunk += withUnsafeBytes(of: sum.bigEndian) { Array($0) }
            return png.prefix(33) + [0, 0, 0, 4] + chunk + png.dropFirst(33)
        }
        let plain = try VipsDecoder().decode(
            Fixture.data("scene.png"), format: .png, options: DecodeOptions())
        let image = try RasterImage(decoding: marked([1, 13, 0, 1]))
        #expect(image.info.hasColorProfile)
        // As if the profile were not there: not what it makes of the numbers.
        let managed = try RasterImage(decoding: png).posterFrame
        #expect(image.posterFrame[2, 2] != managed[2, 2])
        let p3 = try RasterImage(decoding: marked([12, 13, 0, 1])).posterFrame
        expectPixels(p3, equals: plain.posterFrame, within: 2, "P3 by code points")
        // A chunk for video, not for RGB, means nothing.
        let video = try RasterImage(decoding: marked([9, 16, 9, 0]))
        #expect(video.info.colorCodePoints == nil)
    }

    @Test("D9: the picture beside a gain map is shown as it is, and the map is told")
    func gainMaps() throws {
        let jpeg = try Fixture.data("scene.jpg")
        let plain = try RasterImage(decoding: jpeg).posterFrame
        func segment(_ marker: UInt8, _ text: String) -> Data {
            let body = Data(text.utf8)
            return Data([0xFF, marker, 0, UInt8(body.count + 2)]) + body
        }
        let namespace = "http://ns.adobe.com/xap/1.0/\0"
        for (name, part, expected) in [
            ("Ultra HDR", segment(0xE1, namespace + "<x hdrgm:Version=\"1.0\"/>"), true),
            ("Apple", segment(0xE1, namespace + "<HDRGainMap:HDRGainMapVersion>"), true),
            ("ISO", segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"), true),
            ("other XMP", segment(0xE1, namespace + "<x/>"), false),
        ] {
            let data = jpeg.prefix(2) + part + jpeg.dropFirst(2)
            let image = try VipsDecoder().decode(data, format: .jpeg, options: DecodeOptions())
            #expect(image.info.hasGainMap == expected, "\(name)")
            expectPixels(image.posterFrame, equals: plain, within: 0, name)
        }
        #expect(try ImageInfo(probing: Fixture.data("scene.avif")).hasGainMap == false)
    }

    @Test("R4: code points read as words") func words() {
        #expect("\(ColorCodePoints(primaries: 9, transfer: 16))" == "BT.2020, PQ")
        #expect("\(ColorCodePoints(primaries: 12, transfer: 13))" == "Display P3, sRGB")
        #expect("\(ColorCodePoints(primaries: 2, transfer: 2))" == "unspecified, unspecified")
        #expect("\(ColorCodePoints(primaries: 22, transfer: 4))" == "primaries 22, transfer 4")
        #expect(ColorCodePoints(primaries: 1, transfer: 18).dynamicRange == .hybridLogGamma)
    }
}
