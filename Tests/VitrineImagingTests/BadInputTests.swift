import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@Suite struct BadInputTests {
    static let files = [
        "scene.png", "interlaced.png", "animated.png", "16-bit-alpha.png", "scene.jpg",
        "progressive.jpg", "cmyk.jpg", "scene.gif", "animated.gif", "scene.webp", "rgba.webp",
        "animated.webp", "scene.tiff", "pages.tiff", "scene.heic", "scene.avif", "rgba.avif",
        "scene.jxl", "rgba.jxl", "scene.jp2", "orientation-6.jpg", "display-p3.jpg",
        "rgba.bmp", "bmp-4.bmp", "bmp-rle8.bmp", "bmp-png.bmp", "scene.ico", "png.ico",
        "mask-4.ico",
        "scene.xbm", "x10.xbm",
    ]

    /// A file that lost its end is an error, unless only bytes behind the last pixel are gone.
    @Test("D1: no part of a file passes as the picture", arguments: files)
    func truncation(name: String) throws {
        let data = try Fixture.data(name)
        let whole = try RasterImage(decoding: data).posterFrame
        let step = max(1, data.count / 60)
        var refused = 0
        for count in Array(stride(from: 0, to: data.count, by: step)) + [data.count - 1] {
            do throws(ImagingError) {
                let image = try RasterImage(decoding: data.prefix(count))
                expectPixels(image.posterFrame, equals: whole, "\(count) bytes of \(name)")
            } catch {
                refused += 1
                switch error {
                case .truncated, .corrupt, .notAnImage: break
                default: Issue.record("\(count) bytes of \(name): \(error)")
                }
            }
        }
        #expect(refused >= 50 || refused >= data.count / 2, "only \(refused) refused")
        #expect(throws: ImagingError.self) {
            try RasterImage(decoding: data.prefix(data.count / 2))
        }
    }

    @Test(
        "D1: half a file is told as truncated",
        arguments: [
            ("scene.png", RasterFormat.png), ("scene.jpg", .jpeg), ("progressive.jpg", .jpeg),
            ("scene.gif", .gif), ("animated.gif", .gif), ("scene.webp", .webp),
            ("scene.tiff", .tiff),
            ("scene.heic", .heic), ("scene.avif", .avif), ("scene.jp2", .jpeg2000),
            ("scene.bmp", .bmp), ("bmp-rle8.bmp", .bmp), ("bmp-jpeg.bmp", .bmp), ("rgba.ico", .ico),
            ("png.ico", .ico), ("scene.xbm", .xbm), ("x10.xbm", .xbm),
        ])
    func half(name: String, format: RasterFormat) throws {
        let data = try Fixture.data(name)
        #expect(throws: ImagingError.truncated(format: format)) {
            try RasterImage(decoding: data.prefix(data.count * 6 / 10))
        }
    }

    @Test("D1: a GIF without its end is an error, at every cut") func gif() throws {
        let data = try Fixture.data("animated.gif")
        for count in 6..<data.count {
            #expect(throws: ImagingError.truncated(format: .gif), "\(count) bytes") {
                try RasterImage(decoding: data.prefix(count))
            }
        }
    }

    @Test("D1: flipped bytes never trap", arguments: files)
    func corruption(name: String) throws {
        let data = try Fixture.data(name)
        var generator = SeededRandom(seed: UInt64(data.count))
        for _ in 0..<80 {
            var mutant = data
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<mutant.count, using: &generator)
                mutant[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let limits = DecodeLimits(
                maximumSourcePixels: 4_000_000, maximumResultPixels: 1_000_000)
            for target in [nil, TargetSize.fill(width: 20, height: 30)] {
                let options = DecodeOptions(targetSize: target, limits: limits)
                do throws(ImagingError) {
                    let image = try RasterImage(decoding: mutant, options: options)
                    #expect(target == nil || image.pixelSize == PixelSize(width: 20, height: 30))
                } catch {
                    #expect(error.description.hasSuffix("."))
                }
            }
        }
    }

    @Test("D1: a PNG with wrong checksums is corrupt") func checksum() throws {
        var data = try Fixture.data("scene.png")
        let idat = try #require(data.firstRange(of: Data("IDAT".utf8)))
        data[idat.upperBound + 20] ^= 0x10
        #expect {
            try RasterImage(decoding: data)
        } throws: { error in
            guard case ImagingError.corrupt(format: .png, _) = error else { return false }
            return true
        }
    }

    @Test("D1: a JPEG that has its end, and then other bytes, is corrupt, not cut short")
    func jpegProcess() throws {
        var data = try Fixture.data("scene.jpg")
        let frame = try #require(data.firstRange(of: Data([0xFF, 0xC0, 0, 0x11])))
        data[frame.lowerBound + 1] = 0xC3  // the lossless process, which no codec here knows
        for tail in ["", "and more"] {
            #expect {
                try RasterImage(decoding: data + Data(tail.utf8))
            } throws: { error in
                guard case ImagingError.corrupt(format: .jpeg, _) = error else { return false }
                return true
            }
        }
        #expect(throws: ImagingError.truncated(format: .jpeg)) {
            try RasterImage(decoding: data.dropLast(2) + Data("and more".utf8))
        }
    }

    @Test(
        "D1: what is no image says what it looks like",
        arguments: [
            ("", "empty"), ("<!DOCTYPE html><html></html>", "HTML"), ("\n <html lang=en>", "HTML"),
            ("<?xml version=\"1.0\"?><note/>", "XML"), ("{\"error\": 404}", "JSON"),
            ("Not Found", "text"), ("Größe: unbekannt", "text"), ("\u{1}\u{2}\u{3}", "unknown"),
            ("  \n", "blank text"), ("\u{0}\u{0}\u{0}\u{18}ftypmp42", "video"),
        ])
    func notAnImage(text: String, found: String) {
        #expect(throws: ImagingError.notAnImage(found: found)) {
            try RasterImage(decoding: Data(text.utf8))
        }
        #expect(throws: ImagingError.notAnImage(found: found)) {
            try ImageInfo(probing: Data(text.utf8))
        }
    }

    @Test(
        "D1: what is known but not decoded says its name",
        arguments: [
            ("%PDF-1.7", "PDF"), ("8BPS\0\u{1}", "PSD"),
        ])
    func unsupported(text: String, name: String) {
        #expect(throws: ImagingError.unsupportedFormat(name)) {
            try RasterImage(decoding: Data(text.utf8))
        }
    }

    @Test("D1: garbage behind a signature is an error", arguments: RasterFormat.allCases)
    func garbage(format: RasterFormat) throws {
        let names: [RasterFormat: String] = [
            .png: "scene.png", .jpeg: "scene.jpg", .gif: "scene.gif", .webp: "scene.webp",
            .tiff: "scene.tiff", .heic: "scene.heic", .avif: "scene.avif", .jpegXL: "scene.jxl",
            .jpeg2000: "scene.jp2", .bmp: "rgba.bmp", .ico: "rgba.ico", .xbm: "scene.xbm",
            .svg: "scene.svg",
        ]
        let name = try #require(names[format])
        var generator = SeededRandom(seed: 7)
        let noise = Data((0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        for head in [12, 24, 32] {
            #expect(throws: ImagingError.self) {
                try RasterImage(decoding: Fixture.data(name).prefix(head) + noise)
            }
        }
    }
}
