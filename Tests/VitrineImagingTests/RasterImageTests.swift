import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct RasterImageTests {
    @Test("R4: pixels become an image") func fromPixels() async throws {
        let image = RasterImage(Scene.plain, scale: 1.5)
        #expect(image.pixelSize == Scene.size)
        #expect(image.size == PointSize(width: 64, height: 64 / 1.5))
        #expect(image.isOpaque)
        #expect(!RasterImage(Scene.alpha).isOpaque)
        #expect(image.cost == 96 * 64 * 4)
        #expect(image.info.format == .png)
        #expect(image.info.byteCount == 0)
        #expect(try await image.frame(at: 0) === Scene.plain)
        for index in [-1, 1, .max, .min] {
            await #expect(throws: ImagingError.frameOutOfRange(index: index, count: 1)) {
                try await image.frame(at: index)
            }
        }
        for scale in [0, -3, .nan, .infinity] {
            #expect(RasterImage(Scene.plain, scale: scale).scale == 1)
        }
    }

    @Test("R4: a buffer knows its pixels") func buffer() throws {
        let buffer = try PixelBuffer(size: PixelSize(width: 3, height: 2), isOpaque: false) {
            $0[(1 * 3 + 2) * 4] = 77
            $0[(1 * 3 + 2) * 4 + 3] = 200
        }
        #expect(buffer.byteCount == 24)
        #expect(buffer[2, 1] == Pixel(red: 77, green: 0, blue: 0, alpha: 200))
        #expect(buffer[0, 0] == Pixel(red: 0, green: 0, blue: 0, alpha: 0))
        for (x, y) in [(3, 0), (0, 2), (-1, 0), (0, -1), (Int.max, Int.max), (Int.min, 0)] {
            #expect(buffer[x, y] == nil)
        }
        #expect(buffer.withUnsafeBytes { $0.count } == 24)
    }

    @Test(
        "D7: a buffer that cannot be is an error",
        arguments: [
            (0, 5), (5, 0), (-1, 5), (Int.max, 2), (Int.max, Int.max), (Int.min, Int.min),
            (1 << 40, 1 << 20),
        ])
    func impossible(width: Int, height: Int) {
        #expect(throws: ImagingError.self) {
            try PixelBuffer(size: PixelSize(width: width, height: height), isOpaque: true) { _ in }
        }
    }

    @Test("R4: what a fill throws arrives") func fillThrows() {
        #expect(throws: CancellationError.self) {
            try PixelBuffer(size: PixelSize(width: 2, height: 2), isOpaque: true) { _ in
                throw CancellationError()
            }
        }
    }

    @Test("D1: a format is found from the first bytes") func sniffing() throws {
        for (name, format) in [
            ("scene.png", RasterFormat.png), ("scene.jpg", .jpeg), ("scene.gif", .gif),
            ("scene.webp", .webp), ("scene.tiff", .tiff), ("scene.heic", .heic),
            ("scene.avif", .avif), ("scene.jxl", .jpegXL), ("rgba.jxl", .jpegXL),
            ("scene.jp2", .jpeg2000), ("scene.bmp", .bmp), ("bmp-os2.bmp", .bmp),
            ("scene.ico", .ico), ("cursor.cur", .ico), ("scene.xbm", .xbm),
        ] {
            let data = try Fixture.data(name)
            #expect(RasterFormat(sniffing: data) == format)
            #expect(RasterFormat(sniffing: data.prefix(256)) == format)
            #expect(RasterFormat(sniffing: data.prefix(1)) == nil)
        }
        #expect(RasterFormat(sniffing: Data()) == nil)
        let sequence = "\0\0\0\u{1C}ftypmsf1\0\0\0\0msf1avis"
        #expect(RasterFormat(sniffing: Data(sequence.utf8)) == .avif)
        #expect(RasterFormat(sniffing: Data("\0\0\0\u{18}ftypheic".utf8)) == .heic)
        // A length of a box that lies beyond everything.
        #expect(
            RasterFormat(sniffing: Data([0xFF, 0xFF, 0xFF, 0xFF]) + Data("ftypmif1".utf8)) == .heic)
    }

    @Test("R3: media types and extensions") func names() {
        #expect(
            RasterFormat.allCases.map { $0.mimeTypes.first } == [
                "image/png", "image/jpeg", "image/gif", "image/webp", "image/tiff", "image/heic",
                "image/avif", "image/jxl", "image/jp2", "image/bmp", "image/vnd.microsoft.icon",
                "image/x-xbitmap", "image/svg+xml",
            ])
        #expect(
            RasterFormat.allCases.map(\.fileExtension) == [
                "png", "jpg", "gif", "webp", "tiff", "heic", "avif", "jxl", "jp2", "bmp",
                "ico", "xbm", "svg",
            ])
        #expect(RasterFormat.jpegXL.description == "JPEG XL")
        #expect(PixelSize(width: 640, height: 480).description == "640 × 480")
        #expect(
            Set(RasterFormat.allCases) == VipsDecoder().formats.union([.bmp, .ico, .xbm, .svg]))
    }
}
