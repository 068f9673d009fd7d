import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct ICOTests {
    /// Every fourth pixel of the scene with alpha, which a mask makes all or nothing.
    static let masked = PixelBuffer.drawn(PixelSize(width: 24, height: 16)) { x, y in
        var pixel = Scene.plain[x * 4, y * 4] ?? Pixel(red: 0, green: 0, blue: 0)
        if Scene.isMarker(x * 4, y * 4) { pixel.alpha = 0 }
        return pixel
    }

    @Test(
        "D1, D6: a mask makes transparent",
        arguments: ["mask-4.ico", "mask-8.ico", "mask-24.ico", "cursor.cur"])
    func mask(name: String) throws {
        let data = try Fixture.data(name)
        let image = try RasterImage(decoding: data)
        #expect(image.info.format == .ico)
        #expect(image.info.hasAlpha)
        #expect(image.info == (try ImageInfo(probing: data)))
        #expect(image.info.bitsPerSample == (name == "mask-4.ico" ? 4 : 8))
        expectPixels(image.posterFrame, equals: Self.masked, name)
    }

    @Test("D1: the largest picture is shown, the deepest of equals") func largest() throws {
        let colors = Scene.colors
        let files = [
            (
                ICOBuilder.file([(8, 24, colors[0]), (16, 24, colors[1]), (9, 32, colors[2])]), 1,
                16
            ),
            (ICOBuilder.file([(8, 24, colors[0]), (8, 32, colors[2]), (8, 24, colors[1])]), 2, 8),
            (ICOBuilder.file([(8, 32, colors[3]), (8, 32, colors[1])]), 3, 8),
        ]
        for (file, color, side) in files {
            let image = try RasterImage(decoding: file)
            #expect(image.pixelSize == PixelSize(width: side, height: side))
            #expect(image.posterFrame[2, 2] == colors[color])
            #expect(try ImageInfo(probing: file).pixelSize == image.pixelSize)
        }
    }

    @Test("D3: a target takes the picture that is just large enough") func target() throws {
        let colors = Scene.colors
        let file = ICOBuilder.file([(64, 32, colors[0]), (32, 32, colors[1]), (16, 32, colors[2])])
        for (target, color, side) in [
            (TargetSize.maximum(64), 0, 64), (.maximum(33), 0, 33), (.maximum(32), 1, 32),
            (.fit(width: 20, height: 40), 1, 20), (.fit(width: 16, height: 16), 2, 16),
            (.maximum(5), 2, 5), (.fill(width: 12, height: 12), 2, 12),
            (.fill(width: 100, height: 100), 0, 100), (.maximum(500), 0, 64),
        ] {
            let image = try RasterImage(
                decoding: file, options: DecodeOptions(targetSize: target))
            #expect(image.pixelSize == PixelSize(width: side, height: side), "\(target)")
            #expect(image.info.pixelSize == PixelSize(width: 64, height: 64))
            expectPixel(
                image.posterFrame, at: side / 2, side / 2, equals: colors[color], within: 1,
                "\(target)")
        }
    }

    @Test("D6: an alpha channel counts if it has anything, else the mask") func alpha() throws {
        let half = Pixel(red: 10, green: 20, blue: 30, alpha: 99)
        let clear = Pixel(red: 10, green: 20, blue: 30, alpha: 0)
        let first = try RasterImage(decoding: ICOBuilder.file([(8, 32, half)])).posterFrame
        #expect(first[0, 0] == half)
        #expect(first[3, 3]?.alpha == 99)
        // The builder's mask covers the first column.
        let second = try RasterImage(decoding: ICOBuilder.file([(8, 32, clear)])).posterFrame
        #expect(second[0, 5]?.alpha == 0)
        #expect(second[1, 5] == Pixel(red: 10, green: 20, blue: 30))
    }

    @Test("D1: a broken picture does not count beside a good one") func broken() throws {
        var file = ICOBuilder.file([(32, 32, Scene.colors[0]), (8, 32, Scene.colors[1])])
        let offset = 6 + 2 * 16
        file[offset] = 99  // bytes of the header of the first
        let image = try RasterImage(decoding: file)
        #expect(image.pixelSize == PixelSize(width: 8, height: 8))
        var single = ICOBuilder.file([(32, 32, Scene.colors[0])])
        single[6 + 16] = 99
        #expect(
            throws: ImagingError.corrupt(format: .ico, reason: "its header has 99 bytes")
        ) { try RasterImage(decoding: single) }
        // No picture at all is no icon.
        #expect(throws: ImagingError.self) {
            try RasterImage(decoding: Data([0, 0, 1, 0, 0, 0] + Array(repeating: 0, count: 40)))
        }
    }

    @Test("D7: sizes are checked before there is memory") func limits() throws {
        var file = ICOBuilder.file([(8, 32, Scene.colors[0])])
        file.replaceSubrange(6 + 16 + 4..<6 + 16 + 12, with: [0, 0xFF, 0, 0, 0, 0xFE, 1, 0])
        let wide = DecodeLimits(maximumSourcePixels: .max, maximumResultPixels: .max)
        #expect(throws: ImagingError.truncated(format: .ico)) {
            try RasterImage(decoding: file, options: DecodeOptions(limits: wide))
        }
        #expect(
            throws: ImagingError.tooLarge(what: .sourcePixels, found: 65_280 * 65_280, limit: 100)
        ) {
            try ImageInfo(probing: file, limits: DecodeLimits(maximumSourcePixels: 100))
        }
        // A PNG inside that promises more than the limits allow.
        let bomb = Bomb.png(width: 50_000, height: 50_000)
        let icon = ICOBuilder.file(png: bomb)
        #expect(
            throws: ImagingError.tooLarge(
                what: .sourcePixels, found: 2_500_000_000, limit: 268_435_456)
        ) { try RasterImage(decoding: icon) }
    }

    @Test("D1: a TGA that begins like a cursor is none") func targa() {
        // Uncompressed true colour, 100 × 100, as TGA begins; then one with a color map's start.
        var tga = Data([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 100, 0, 24, 0x20])
        tga += Data(repeating: 200, count: 300)
        #expect(RasterFormat(sniffing: tga) == nil)
        tga[4] = 1
        #expect(RasterFormat(sniffing: tga) == nil)
        #expect(RasterFormat(sniffing: Data([0, 0, 1, 0xBA, 1, 0, 1, 0])) == nil)
    }
}

/// Small icons of one colour; the mask covers the first column.
enum ICOBuilder {
    static func file(_ entries: [(side: Int, depth: Int, color: Pixel)]) -> Data {
        wrap(entries.map { bitmap($0.side, $0.depth, $0.color) })
    }

    static func file(png: Data) -> Data { wrap([png]) }

    private static func wrap(_ bodies: [Data]) -> Data {
        var directory = Data([0, 0, 1, 0, UInt8(bodies.count), 0])
        var offset = 6 + 16 * bodies.count
        for body in bodies {
            directory += [0, 0, 0, 0, 1, 0, 32, 0] + little(body.count) + little(offset)
            offset += body.count
        }
        return bodies.reduce(directory, +)
    }

    private static func bitmap(_ side: Int, _ depth: Int, _ color: Pixel) -> Data {
        var bytes = little(40) + little(side) + little(side * 2) + [1, 0, UInt8(depth), 0]
        bytes += Array(repeating: 0, count: 24)
        for _ in 0..<side {
            var row: [UInt8] = []
            for _ in 0..<side {
                row += [color.blue, color.green, color.red]
                if depth == 32 { row.append(color.alpha) }
            }
            bytes += row + Array(repeating: 0, count: (4 - row.count % 4) % 4)
        }
        for _ in 0..<side {
            bytes += [0x80] + Array(repeating: 0, count: (side + 31) / 32 * 4 - 1)
        }
        return Data(bytes)
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
