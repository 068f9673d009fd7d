import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct BMPTests {
    /// Every fourth pixel of the scene, as most of the small files show it.
    static let quarter = PixelBuffer.drawn(PixelSize(width: 24, height: 16)) { x, y in
        Scene.plain[x * 4, y * 4] ?? Pixel(red: 0, green: 0, blue: 0)
    }

    @Test(
        "D1, D6: every depth, packing and header shows the same",
        arguments: [
            ("bmp-4.bmp", 4, 0), ("bmp-8.bmp", 8, 0), ("bmp-8-large-palette.bmp", 8, 0),
            ("bmp-8-top-down.bmp", 8, 0), ("bmp-555.bmp", 5, 4), ("bmp-565.bmp", 6, 4),
            ("bmp-32.bmp", 8, 0), ("bmp-no-alpha.bmp", 8, 0), ("bmp-os2.bmp", 8, 0),
            ("bmp-rle4.bmp", 4, 0), ("bmp-rle8.bmp", 8, 0), ("bmp-rle24.bmp", 8, 0),
            ("bmp-header-16.bmp", 8, 0), ("bmp-header-52.bmp", 8, 0), ("bmp-header-56.bmp", 8, 0),
            ("bmp-header-64.bmp", 8, 0), ("bmp-header-108.bmp", 8, 0),
            ("bmp-header-124.bmp", 8, 0),
        ])
    func kinds(name: String, bits: Int, tolerance: Int) throws {
        let data = try Fixture.data(name)
        let image = try RasterImage(decoding: data)
        #expect(image.info.format == .bmp)
        #expect(image.info.bitsPerSample == bits)
        #expect(image.info == (try ImageInfo(probing: data)))
        #expect(image.isOpaque)
        expectPixels(image.posterFrame, equals: Self.quarter, within: tolerance, name)
    }

    @Test("D1: one and two bits a pixel") func narrow() throws {
        let colors = Scene.colors
        for (name, palette) in [("bmp-1.bmp", [colors[2], colors[3]]), ("bmp-2.bmp", colors)] {
            let image = try RasterImage(decoding: Fixture.data(name)).posterFrame
            let expected = PixelBuffer.drawn(image.size) { x, y in
                let index = Scene.isMarker(x * 4, y * 4) ? 4 : Scene.quadrant(x * 4, y * 4)
                return palette[index % palette.count]
            }
            expectPixels(image, equals: expected, name)
        }
    }

    @Test("D6: masks of any width and order, with alpha") func fields() throws {
        let image = try RasterImage(decoding: Fixture.data("bmp-fields.bmp"))
        #expect(image.info.hasAlpha)
        let expected = PixelBuffer.drawn(image.pixelSize) { x, y in
            Scene.alpha[x * 4, y * 4] ?? Pixel(red: 0, green: 0, blue: 0)
        }
        // Four bits of alpha: 128 is stored as 8 of 15.
        expectPixels(image.posterFrame, equals: expected, within: 8, "bmp-fields.bmp")
    }

    @Test("D6: what runs skip is transparent") func skips() throws {
        let image = try RasterImage(decoding: Fixture.data("bmp-rle8-skips.bmp"))
        #expect(image.info.hasAlpha && !image.isOpaque)
        let colors = Scene.colors + [Pixel(red: 255, green: 255, blue: 255)]
        let expected = PixelBuffer.drawn(image.pixelSize) { x, y in
            switch (x, y) {
            case (0...1, 15): colors[2]
            case (4...8, 8): colors[x - 4]
            default: Pixel(red: 0, green: 0, blue: 0, alpha: 0)
            }
        }
        expectPixels(image.posterFrame, equals: expected, "bmp-rle8-skips.bmp")
    }

    @Test("D6: an alpha channel of zeros is one that was forgotten") func forgottenAlpha() throws {
        let image = try RasterImage(decoding: Fixture.data("bmp-no-alpha.bmp"))
        #expect(image.info.hasAlpha)
        #expect(image.isOpaque)
    }

    @Test("D6: an embedded profile is applied, a damaged one ignored") func profile() throws {
        let jpeg = try Fixture.data("display-p3.jpg")
        let file = try BMPBuilder.withProfile(of: jpeg)
        let image = try RasterImage(decoding: file)
        #expect(image.info.hasColorProfile)
        #expect(image.info == (try ImageInfo(probing: file)))
        let plain = try RasterImage(decoding: BMPBuilder.file(depth: 24, pixels: [40, 30, 220, 0]))
        #expect(image.posterFrame[0, 0] != plain.posterFrame[0, 0])
        var damaged = file
        for index in damaged.count - 200..<damaged.count { damaged[index] = 0x55 }
        #expect(throws: Never.self) { try RasterImage(decoding: damaged) }
        var beyond = file
        beyond.replaceSubrange(14 + 116..<14 + 120, with: [0xFF, 0xFF, 0xFF, 0x7F])
        #expect(try RasterImage(decoding: beyond).posterFrame[0, 0] == plain.posterFrame[0, 0])
    }

    @Test("D6: 16 bits a channel, in linear light") func linear() throws {
        var pixels: [UInt8] = []
        // Blue, green, red, alpha of which 8,192 is 1; what is beyond is cut.
        for value in [1, 8_192, -5, 8_192, 4_096, 1_753, 32_767, 4_096] {
            pixels += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        let file = BMPBuilder.file(width: 2, depth: 64, pixels: pixels)
        let image = try RasterImage(decoding: file)
        #expect(image.info.bitsPerSample == 16)
        #expect(image.posterFrame[0, 0] == Pixel(red: 0, green: 255, blue: 0))
        #expect(
            image.posterFrame[1, 0] == Pixel(red: 255, green: 127, blue: 188, alpha: 128))
    }

    @Test(
        "D1: what is wrong is told",
        arguments: [
            (BMPBuilder.file(width: 0, depth: 24, pixels: [0, 0, 0, 0]), "its size is 0 × 1"),
            (BMPBuilder.file(width: -3, depth: 24, pixels: [0, 0, 0, 0]), "its size is -3 × 1"),
            (BMPBuilder.file(height: 0, depth: 24, pixels: [0, 0, 0, 0]), "its size is 1 × 0"),
            (
                BMPBuilder.file(depth: 13, pixels: [0, 0, 0, 0]),
                "compression 0 of 13 bits a pixel is unknown"
            ),
            (
                BMPBuilder.file(height: -1, depth: 8, compression: 1, pixels: [1, 0, 0, 1]),
                "it is compressed and stored from the top down"
            ),
            (
                BMPBuilder.file(length: 66, depth: 24, pixels: [0, 0, 0, 0]),
                "its header has 66 bytes"
            ),
            (
                BMPBuilder.file(
                    depth: 16, compression: 3, masks: [5, 8, 16], pixels: [0, 0, 0, 0]),
                "the masks of its channels have gaps"
            ),
            (
                BMPBuilder.file(length: 124, depth: 0, compression: 5, pixels: [1, 2]),
                "no PNG is inside"
            ),
        ])
    func corrupt(file: Data, reason: String) {
        #expect(throws: ImagingError.corrupt(format: .bmp, reason: reason)) {
            try RasterImage(decoding: file)
        }
        #expect(throws: ImagingError.corrupt(format: .bmp, reason: reason)) {
            try ImageInfo(probing: file)
        }
    }

    @Test("D1: kinds that are not decoded are told by name") func unsupported() {
        #expect(throws: ImagingError.unsupportedFormat("BMP with Huffman coding")) {
            try RasterImage(
                decoding: BMPBuilder.file(
                    length: 64, depth: 1, compression: 3, pixels: [0, 0, 0, 0]))
        }
        #expect(throws: ImagingError.unsupportedFormat("BMP in CMYK")) {
            try RasterImage(
                decoding: BMPBuilder.file(depth: 32, compression: 11, pixels: [0, 0, 0, 0]))
        }
    }

    @Test("D1: odd headers that browsers accept") func odd() throws {
        // The place of the pixels is left out.
        var file = BMPBuilder.file(depth: 24, pixels: [1, 2, 3, 0])
        file.replaceSubrange(10..<14, with: [0, 0, 0, 0])
        #expect(
            try RasterImage(decoding: file).posterFrame[0, 0] == Pixel(red: 3, green: 2, blue: 1))
        // Colours that the palette lacks are black.
        let short = BMPBuilder.file(depth: 8, colors: [[9, 8, 7, 0]], pixels: [5, 0, 0, 0])
        #expect(
            try RasterImage(decoding: short).posterFrame[0, 0] == Pixel(red: 0, green: 0, blue: 0))
        // The last run lacks the mark of the end, but all pixels are there.
        let runs = BMPBuilder.file(
            depth: 8, compression: 1, colors: [[9, 8, 7, 0]], pixels: [1, 0])
        #expect(
            try RasterImage(decoding: runs).posterFrame[0, 0] == Pixel(red: 7, green: 8, blue: 9))
    }

    @Test("D7: a header that promises billions of pixels costs nothing") func bombs() {
        let limits = DecodeLimits(maximumDimension: .max, maximumSourcePixels: .max)
        let options = DecodeOptions(limits: limits)
        for (width, height) in [(Int32.max, Int32.max), (.max, .min), (65_535, 65_535)] {
            for (depth, compression) in [(1, 0), (24, 0), (64, 0), (8, 1), (4, 2)] {
                let file = BMPBuilder.file(
                    width: Int(width), height: Int(height), depth: depth,
                    compression: compression, pixels: [0, 1])
                #expect(throws: ImagingError.self) { try RasterImage(decoding: file) }
                #expect(throws: ImagingError.self) {
                    try RasterImage(decoding: file, options: options)
                }
            }
        }
        let file = BMPBuilder.file(width: 20_000, height: 20_000, depth: 24, pixels: [])
        #expect(
            throws: ImagingError.tooLarge(
                what: .sourcePixels, found: 400_000_000, limit: 268_435_456)
        ) { try ImageInfo(probing: file) }
    }

    @Test("D1: text that begins with BM is no picture") func text() {
        #expect(throws: ImagingError.notAnImage(found: "text")) {
            try RasterImage(decoding: Data("BMW builds cars and motorcycles in Munich.".utf8))
        }
    }
}

/// Small BMP files, right or wrong.
enum BMPBuilder {
    static func file(
        width: Int = 1, height: Int = 1, length: Int = 40, depth: Int, compression: Int = 0,
        masks: [Int] = [], colors: [[UInt8]] = [], pixels: [UInt8]
    ) -> Data {
        var header: [UInt8] = []
        header += little(length) + little(width) + little(height) + [1, 0]
        header += little(depth).prefix(2) + little(compression) + little(pixels.count)
        header += little(0) + little(0) + little(colors.count) + little(0)
        header += masks.flatMap { little($0) }
        header += Array(repeating: 0, count: max(0, length - header.count))
        header += colors.flatMap { $0 }
        let offset = 14 + header.count
        return Data([0x42, 0x4D] + little(offset + pixels.count) + little(0) + little(offset))
            + Data(header + pixels)
    }

    /// One pixel, (220, 30, 40), with the profile that a JPEG carries in one segment.
    static func withProfile(of jpeg: Data) throws -> Data {
        let name = try #require(jpeg.firstRange(of: Data("ICC_PROFILE\0".utf8)))
        let start = name.lowerBound - 2
        let length = Int(jpeg[start]) << 8 | Int(jpeg[start + 1])
        let profile = jpeg[name.upperBound + 2..<start + length]
        var file = Self.file(length: 124, depth: 24, pixels: [40, 30, 220, 0])
        file.replaceSubrange(14 + 56..<14 + 60, with: [0x44, 0x45, 0x42, 0x4D])
        file.replaceSubrange(14 + 112..<14 + 116, with: little(file.count - 14))
        file.replaceSubrange(14 + 116..<14 + 120, with: little(profile.count))
        return file + profile
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
