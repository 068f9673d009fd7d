import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct DecodingTests {
    @Test(
        "D1, D6: every format shows the scene",
        arguments: [
            ("scene.png", RasterFormat.png, 0), ("interlaced.png", .png, 0),
            ("palette.png", .png, 0), ("16-bit.png", .png, 0), ("animated.png", .png, 0),
            ("display-p3.png", .png, 3), ("scene.jpg", .jpeg, 6), ("progressive.jpg", .jpeg, 6),
            ("subsampled.jpg", .jpeg, 12),
            ("display-p3.jpg", .jpeg, 8), ("damaged-profile.jpg", .jpeg, 6),
            ("scene.gif", .gif, 0), ("animated.gif", .gif, 0), ("scene.webp", .webp, 12),
            ("animated.webp", .webp, 0), ("scene.tiff", .tiff, 0), ("pages.tiff", .tiff, 0),
            ("scene.heic", .heic, 10), ("scene.avif", .avif, 10), ("scene.jxl", .jpegXL, 24),
            ("scene.jp2", .jpeg2000, 0), ("scene.bmp", .bmp, 0), ("bmp-png.bmp", .bmp, 0),
            ("bmp-jpeg.bmp", .bmp, 6), ("scene.ico", .ico, 0),
        ])
    func everyFormat(name: String, format: RasterFormat, tolerance: Int) throws {
        let data = try Fixture.data(name)
        let image = try RasterImage(decoding: data)
        #expect(image.info.format == format)
        #expect(image.info.pixelSize == Scene.size)
        #expect(image.info.byteCount == data.count)
        #expect(image.isOpaque)
        #expect(image.frameCount == (name.hasPrefix("animated") ? 3 : 1))
        if name == "scene.webp" || name == "scene.jxl" || name == "subsampled.jpg" {
            expectPixels(
                image.posterFrame, equals: Scene.plain, within: tolerance, name,
                where: Scene.isPlain)
        } else {
            expectPixels(image.posterFrame, equals: Scene.plain, within: tolerance, name)
        }
    }

    @Test(
        "D6: alpha is straight",
        arguments: [
            ("rgba.png", 0), ("palette-alpha.png", 1), ("16-bit-alpha.png", 0), ("rgba.webp", 0),
            ("rgba.tiff", 0), ("rgba.avif", 10), ("rgba.jxl", 0),
            ("rgba.bmp", 0), ("rgba.ico", 0), ("png.ico", 0),
        ])
    func alpha(name: String, tolerance: Int) throws {
        let image = try RasterImage(decoding: Fixture.data(name))
        #expect(image.info.hasAlpha)
        #expect(!image.isOpaque)
        expectPixels(image.posterFrame, equals: Scene.alpha, within: tolerance, name)
    }

    @Test(
        "D6: grey is grey, of any depth and whatever profile it carries",
        arguments: [
            ("grey.png", 0), ("16-bit-grey.png", 1), ("grey.jpg", 4),
            ("grey-rgb-profile.jpg", 4),
        ])
    func grey(name: String, tolerance: Int) throws {
        let image = try RasterImage(decoding: Fixture.data(name)).posterFrame
        let reference = try RasterImage(decoding: Fixture.data("grey.png")).posterFrame
        expectPixels(image, equals: reference, within: tolerance, name)
        for (x, y) in [(0, 0), (90, 5), (5, 60), (90, 60)] {
            let pixel = try #require(image[x, y])
            #expect(pixel.red == pixel.green && pixel.green == pixel.blue && pixel.alpha == 255)
        }
        expectPixel(
            image, at: 10, 10, equals: Pixel(red: 255, green: 255, blue: 255), within: 4, name)
        // CIE luminance of the red quadrant, as sRGB grey.
        expectPixel(
            image, at: 2, 2, equals: Pixel(red: 108, green: 108, blue: 108), within: 6, name)
    }

    @Test(
        "D6: a profile that is damaged or for other colours changes nothing",
        arguments: ["grey-rgb-profile.jpg", "damaged-profile.jpg"])
    func uselessProfile(name: String) throws {
        let data = try Fixture.data(name)
        let mark = try #require(data.firstRange(of: Data("ICC_PROFILE\0".utf8)))
        let start = mark.lowerBound - 4
        let length = 2 + Int(data[start + 2]) << 8 + Int(data[start + 3])
        let plain = data[..<start] + data[(start + length)...]
        #expect(try ImageInfo(probing: data).hasColorProfile)
        #expect(try !ImageInfo(probing: plain).hasColorProfile)
        for target in [nil, TargetSize.maximum(64), .maximum(12)] {
            let options = DecodeOptions(targetSize: target)
            expectPixels(
                try RasterImage(decoding: data, options: options).posterFrame,
                equals: try RasterImage(decoding: plain, options: options).posterFrame,
                within: name == "grey-rgb-profile.jpg" && target == .maximum(12) ? 16 : 0, name)
        }
    }

    @Test(
        "D6: grey with alpha, of 8 bits and of 16",
        arguments: ["grey-alpha.png", "16-bit-grey-alpha.png", "16-bit-grey-alpha.tiff"])
    func greyAlpha(name: String) throws {
        let image = try RasterImage(decoding: Fixture.data(name)).posterFrame
        let grey = try RasterImage(decoding: Fixture.data("grey.png")).posterFrame
        for (x, y) in [(2, 2), (90, 5), (5, 60), (90, 60)] {
            let (pixel, expected) = (try #require(image[x, y]), try #require(grey[x, y]))
            #expect(abs(Int(pixel.red) - Int(expected.red)) <= 1, "\(name) at \(x), \(y)")
        }
        #expect(image[10, 10]?.alpha == 0)
        #expect(image[80, 50]?.alpha == 128)
        #expect(image[2, 2]?.alpha == 255)
        #expect(image[2, 2]?.red == image[2, 2]?.blue)
    }

    @Test("D6: one bit a pixel") func oneBit() throws {
        let image = try RasterImage(decoding: Fixture.data("1-bit.png"))
        #expect(image.info.bitsPerSample == 1)
        for y in [0, 12, 50] {
            for x in [0, 12, 50] {
                let red = try #require(image.posterFrame[x, y]?.red)
                #expect(red == 0 || red == 255)
            }
        }
        #expect(image.posterFrame[12, 10]?.red == 255)
    }

    @Test("D6: CMYK comes near the scene", arguments: ["cmyk.jpg", "cmyk.tiff"])
    func cmyk(name: String) throws {
        let image = try RasterImage(decoding: Fixture.data(name))
        #expect(!image.info.hasAlpha)
        #expect(image.isOpaque)
        // Print cannot show these colours; what matters is that nothing is inverted or shifted.
        expectPixels(image.posterFrame, equals: Scene.plain, within: 60, name)
    }

    @Test("D6: Display P3 is not shown as if it were sRGB") func displayP3() throws {
        let image = try RasterImage(decoding: Fixture.data("display-p3.png"))
        #expect(image.info.hasColorProfile)
        expectPixel(image.posterFrame, at: 2, 2, equals: Scene.colors[0], within: 2)
    }

    @Test("R4: what a file has, and what the picture holds") func frames() throws {
        for (name, frames) in [
            ("animated.gif", 3), ("animated.webp", 3), ("animated.png", 3), ("pages.tiff", 3),
            ("scene.jp2", 1), ("scene.avif", 1), ("scene.png", 1),
        ] {
            let image = try RasterImage(decoding: Fixture.data(name))
            #expect(image.info.frameCount == frames, "\(name)")
            guard !name.hasPrefix("animated") else { continue }
            #expect(image.frameCount == 1)
            #expect(image.durations == [.zero])
            #expect(image.loopCount == 1)
        }
    }

    @Test(
        "R4: a probe tells what decoding tells",
        arguments: [
            "scene.png", "16-bit.png", "palette-alpha.png", "orientation-6.jpg", "display-p3.jpg",
            "animated.gif", "rgba.webp", "orientation-6.tiff", "scene.heic", "rgba.avif",
            "scene.jxl",
            "scene.jp2", "rgba.bmp", "bmp-png.bmp", "scene.ico", "png.ico", "scene.xbm",
        ])
    func probe(name: String) throws {
        let data = try Fixture.data(name)
        let info = try ImageInfo(probing: data)
        #expect(info == (try RasterImage(decoding: data)).info)
        #expect(info.pixelSize == Scene.size)
        #expect(info.bitsPerSample == (name == "16-bit.png" ? 16 : info.bitsPerSample))
    }

    @Test("R4: the header alone is enough for a probe") func probePrefix() throws {
        let data = try Fixture.data("scene.png")
        let info = try ImageInfo(probing: data.prefix(100))
        #expect(info.pixelSize == Scene.size)
    }

    @Test("R4: scale makes points of pixels") func scale() throws {
        let image = try RasterImage(
            decoding: Fixture.data("scene.png"), options: DecodeOptions(scale: 2))
        #expect(image.pixelSize == Scene.size)
        #expect(image.size == PointSize(width: 48, height: 32))
        #expect(image.cost == 96 * 64 * 4)
        for scale in [0, -1, .nan, .infinity] {
            #expect(throws: ImagingError.self) {
                try RasterImage(
                    decoding: Fixture.data("scene.png"), options: DecodeOptions(scale: scale))
            }
        }
    }

    @Test("D1: a slice of data is read from where it begins") func slice() throws {
        let data = try Data([1, 2, 3]) + Fixture.data("scene.png")
        let image = try RasterImage(decoding: data.dropFirst(3))
        expectPixels(image.posterFrame, equals: Scene.plain)
    }
}
