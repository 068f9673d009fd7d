import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct EncodingTests {
    @Test(
        "D8: what is written reads as the same picture",
        arguments: [
            (EncodingFormat.png, 0), (.jpeg, 8), (.webp, 8), (.avif, 8), (.gif, 0),
        ])
    func roundTrip(format: EncodingFormat, tolerance: Int) throws {
        let data = try RasterImage(Scene.plain)
            .encoded(as: format, options: EncodeOptions(quality: 96))
        #expect(RasterFormat(sniffing: data) == format.rasterFormat)
        let image = try RasterImage(decoding: data)
        #expect(image.info.format == format.rasterFormat)
        #expect(image.isOpaque)
        expectPixels(
            image.posterFrame, equals: Scene.plain, within: tolerance, "\(format)",
            where: { tolerance == 0 || Scene.isPlain($0, $1) })
        expectPixel(image.posterFrame, at: 4, 40, equals: Scene.colors[2], within: 6)
    }

    @Test("D8: PNG and WebP keep alpha") func alpha() throws {
        let image = RasterImage(Scene.alpha)
        let png = try RasterImage(decoding: image.encoded(as: .png))
        expectPixels(png.posterFrame, equals: Scene.alpha)
        let webp = try RasterImage(decoding: image.encoded(as: .webp))
        #expect(webp.info.hasAlpha)
        #expect(webp.posterFrame[10, 10]?.alpha == 0)
        #expect(webp.posterFrame[80, 50]?.alpha == 128)
    }

    @Test("D8: JPEG lays transparent parts on white") func flattened() throws {
        let image = try RasterImage(decoding: RasterImage(Scene.alpha).encoded(as: .jpeg))
        #expect(image.isOpaque)
        let white = Pixel(red: 255, green: 255, blue: 255)
        expectPixel(image.posterFrame, at: 18, 12, equals: white, within: 20)
        expectPixel(
            image.posterFrame, at: 80, 50, equals: Pixel(red: 247, green: 227, blue: 147),
            within: 8)
    }

    @Test("D8: quality matters, and has bounds") func quality() throws {
        let image = RasterImage(FilterTests.gradient)
        for format in [EncodingFormat.jpeg, .webp, .avif] {
            let low = try image.encoded(as: format, options: EncodeOptions(quality: 10))
            let high = try image.encoded(as: format, options: EncodeOptions(quality: 100))
            #expect(low.count < high.count, "\(format)")
        }
        for quality in [0, 101, -5, .max] {
            for format in EncodingFormat.allCases {
                #expect(throws: ImagingError.self) {
                    try image.encoded(as: format, options: EncodeOptions(quality: quality))
                }
            }
        }
    }

    @Test("D8: metadata of the source do not travel along") func stripped() throws {
        let image = try RasterImage(decoding: Fixture.data("orientation-6.jpg"))
        for format in EncodingFormat.allCases {
            let info = try ImageInfo(probing: image.encoded(as: format))
            #expect(info.orientation == 1)
            #expect(!info.hasColorProfile)
            #expect(info.pixelSize == Scene.size)
        }
    }

    @Test("D8: a side that the format cannot have is an error") func tooLong() throws {
        let strip = RasterImage(.solid(Scene.colors[0], width: 16_384, height: 1))
        #expect(
            throws: ImagingError.tooLarge(what: .dimension, found: 16_384, limit: 16_383)
        ) { try strip.encoded(as: .webp) }
        #expect(throws: Never.self) { try strip.encoded(as: .jpeg) }
    }

    @Test(
        "D8: lossless keeps every pixel, where the format can", arguments: EncodingFormat.allCases)
    func lossless(format: EncodingFormat) throws {
        let image = RasterImage(Scene.alpha)
        let options = EncodeOptions(lossless: true)
        if format != .png, format != .webp {
            #expect(
                throws: ImagingError.invalidArgument(
                    name: "lossless", reason: "\(format) cannot keep each pixel as it is")
            ) { try image.encoded(as: format, options: options) }
            return
        }
        let again = try RasterImage(decoding: image.encoded(as: format, options: options))
        expectPixels(again.posterFrame, equals: Scene.alpha, "\(format)")
    }

    @Test("D8: effort has bounds, and all of them work", arguments: EncodingFormat.allCases)
    func effort(format: EncodingFormat) throws {
        let image = RasterImage(FilterTests.gradient)
        for effort in [0, 5, 9] {
            let data = try image.encoded(as: format, options: EncodeOptions(effort: effort))
            #expect(try RasterImage(decoding: data).pixelSize == image.pixelSize)
        }
        for effort in [-1, 10, .max, .min] {
            #expect(throws: ImagingError.self) {
                try image.encoded(as: format, options: EncodeOptions(effort: effort))
            }
        }
    }

    @Test("D8: AVIF takes little time unless told otherwise") func avif() throws {
        let photo = try RasterImage(decoding: Fixture.data("scene.jpg"))
            .applying(.scaled(width: 960, height: 640))
        let clock = ContinuousClock()
        let usual = try clock.measure { _ = try photo.encoded(as: .avif) }
        let slow = try clock.measure {
            _ = try photo.encoded(as: .avif, options: EncodeOptions(effort: 6))
        }
        #expect(usual < slow)
        let data = try RasterImage(Scene.alpha).encoded(as: .avif)
        let image = try RasterImage(decoding: data)
        #expect(image.info.hasAlpha)
        expectPixels(
            image.posterFrame, equals: Scene.alpha, within: 30, where: Scene.isPlain)
    }

    @Test("D8: a PNG is small, of a gradient as of a flat drawing") func filteredRows() throws {
        let gradient = try PixelBuffer(size: PixelSize(width: 256, height: 256)) { memory in
            for index in 0..<65_536 {
                let (x, y) = (index % 256, index / 256)
                let bytes = [UInt8(x), UInt8(y), UInt8((x + y) / 2), 255]
                for (channel, byte) in bytes.enumerated() { memory[index * 4 + channel] = byte }
            }
        }
        let image = RasterImage(gradient)
        let data = try image.encoded(as: .png)
        #expect(data.count < 8_000)  // without differences between rows it is 90,000
        expectPixels(try RasterImage(decoding: data).posterFrame, equals: gradient)
        #expect(try RasterImage(Scene.plain).encoded(as: .png).count < 600)
    }
}
