import DeterminismSupport
import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

@Suite struct ReadablePartTests {
    private static let part = DecodeOptions(damage: .readablePart)

    /// A picture that no codec makes small, so that a part has some of its rows.
    private static let large: RasterImage = {
        var random = SeededRandom(seed: 8)
        let noise = (0..<36_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        return RasterImage(
            PixelBuffer.drawn(PixelSize(width: 200, height: 180)) { x, y in
                let value = noise[y * 200 + x]
                return Pixel(red: value, green: UInt8(x), blue: value / 2, alpha: 255)
            })
    }()

    /// The files of which a part has the upper rows.
    private static func file(_ format: EncodingFormat, lossless: Bool = false) throws -> Data {
        let options = lossless ? EncodeOptions(lossless: true) : EncodeOptions()
        return try large.encoded(as: format, options: options)
    }

    /// How many rows from the top are not transparent throughout.
    private func rows(_ frame: PixelBuffer) -> Int {
        (0..<frame.size.height).last { y in
            (0..<frame.size.width).contains { frame[$0, y]?.alpha != 0 }
        }.map { $0 + 1 } ?? 0
    }

    /// Whether the first `count` rows are those of the whole, and the others transparent.
    private func expectRows(
        _ frame: PixelBuffer, _ count: Int, of whole: PixelBuffer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(frame.size == whole.size, sourceLocation: sourceLocation)
        let bytes = frame.withUnsafeBytes { Array($0) }
        let wanted = whole.withUnsafeBytes { Array($0) }
        let end = count * whole.size.width * 4
        #expect(bytes[..<end] == wanted[..<end], sourceLocation: sourceLocation)
        #expect(bytes[end...].allSatisfy { $0 == 0 }, sourceLocation: sourceLocation)
    }

    @Test(
        "promise 16: the upper rows of a file that is cut short, if the caller wants them",
        arguments: [
            (EncodingFormat.png, false), (.jpeg, false), (.webp, false), (.webp, true),
            (.gif, false),
        ])
    func upperRows(format: EncodingFormat, lossless: Bool) throws {
        let file = try Self.file(format, lossless: lossless)
        let whole = try RasterImage(decoding: file, options: Self.part)
        #expect(whole.isComplete, "nothing is missing")
        var counts: [Int] = []
        for tenth in 3...9 {
            let cut = file.prefix(file.count * tenth / 10)
            #expect(throws: ImagingError.self) { try RasterImage(decoding: cut) }
            let part = try RasterImage(decoding: cut, options: Self.part)
            #expect(!part.isComplete)
            #expect(part.pixelSize == whole.pixelSize)
            #expect(part.info.byteCount == cut.count)
            let count = rows(part.posterFrame)
            expectRows(part.posterFrame, count, of: whole.posterFrame)
            counts.append(count)
            let filtered = try part.applying([InvertFilter()])
            #expect(!filtered.isComplete, "a filter makes nothing whole")
        }
        #expect(counts == counts.sorted(), "\(counts)")
        #expect((counts.last ?? 0) >= 120, "\(counts)")
        #expect((counts.first ?? 0) < 100 && (counts.first ?? 0) > 0, "\(counts)")
    }

    @Test("promise 22: a part meets the target size too, and is upright")
    func target() throws {
        var options = Self.part
        options.targetSize = .fill(width: 50, height: 50)
        for format in [EncodingFormat.png, .jpeg, .webp, .gif] {
            let file = try Self.file(format)
            let part = try RasterImage(
                decoding: file.prefix(file.count * 7 / 10), options: options)
            #expect(part.pixelSize == PixelSize(width: 50, height: 50))
            #expect(part.posterFrame[25, 1]?.alpha == 255)
            #expect(part.posterFrame[25, 49]?.alpha == 0)
        }
        // The rows of this one stand upright, from the right.
        let turned = try Fixture.data("orientation-6.jpg")
        let whole = try RasterImage(decoding: turned)
        let part = try RasterImage(
            decoding: turned.prefix(turned.count * 3 / 4), options: Self.part)
        #expect(part.pixelSize == whole.pixelSize)
        #expect(
            part.posterFrame[whole.pixelSize.width - 1, 5]
                == whole.posterFrame[whole.pixelSize.width - 1, 5])
        #expect(part.posterFrame[0, 5]?.alpha == 0)
    }

    @Test("promise 16: of a progressive JPEG all rows, after fewer scans") func scans() throws {
        let file = try Fixture.data("progressive.jpg")
        let part = try RasterImage(decoding: file.prefix(500), options: Self.part)
        #expect(!part.isComplete)
        #expect(part.posterFrame.isOpaque)
        #expect(part.info.byteCount == 500)
        #expect(throws: ImagingError.truncated(format: .jpeg)) {
            try RasterImage(decoding: file.prefix(500))
        }
    }

    @Test("promise 16: a progressive JPEG is shown up to the scan before the damage")
    func damagedScan() throws {
        let file = try Fixture.data("progressive.jpg")
        var scans = JPEGScans()
        file.withUnsafeBytes { scans.advance(over: $0) }
        #expect(scans.ends.count == 10)
        let options = Self.part
        func shown(scans count: Int) throws -> PixelBuffer {
            try RasterImage(
                decoding: file.prefix(scans.ends[count - 1] + 2), options: options
            ).posterFrame
        }
        for damaged in 3...9 {
            // A component that the picture does not have, in the header of a scan.
            var broken = file
            let header = scans.ends[damaged - 1]
            let start = try #require(
                (header..<file.count - 1).first { broken[$0] == 0xFF && broken[$0 + 1] == 0xDA })
            broken[start + 5] = 0x77
            #expect(throws: ImagingError.self) { try RasterImage(decoding: broken) }
            let part = try RasterImage(decoding: broken, options: options)
            #expect(!part.isComplete && part.info.byteCount == file.count)
            expectPixels(part.posterFrame, equals: try shown(scans: damaged))
        }
    }

    @Test(
        "promise 16: of an animation the frames that are whole",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func frames(name: String) async throws {
        let file = try Fixture.data(name)
        let whole = try RasterImage(decoding: file, options: Self.part)
        #expect(whole.isComplete && whole.frameCount == 3)
        var counts: Set<Int> = []
        for length in stride(from: 1, to: file.count, by: 3) {
            guard
                let part = try? RasterImage(decoding: file.prefix(length), options: Self.part)
            else { continue }
            #expect(!part.isComplete || length > file.count - 9, "\(length)")
            counts.insert(part.frameCount)
            guard part.frameCount > 1 else { continue }
            for index in 0..<part.frameCount {
                let (frame, wanted) = (
                    try await part.frame(at: index), try await whole.frame(at: index)
                )
                expectPixels(frame, equals: wanted)
            }
        }
        #expect(counts.isSuperset(of: [1, 2]), "\(counts)")
    }

    @Test("promise 16: of a BMP the rows that come first, usually the lower ones") func bmp() throws
    {
        for name in ["scene.bmp", "bmp-8.bmp", "bmp-rle8.bmp"] {
            let file = try Fixture.data(name)
            let whole = try RasterImage(decoding: file, options: Self.part).posterFrame
            let part = try RasterImage(
                decoding: file.prefix(file.count * 3 / 4), options: Self.part)
            #expect(!part.isComplete)
            let bottom = whole.size.height - 1
            for x in 0..<whole.size.width {
                #expect(part.posterFrame[x, bottom] == whole[x, bottom])
                #expect(part.posterFrame[x, 0]?.alpha == 0)
            }
            #expect(throws: ImagingError.truncated(format: .bmp)) {
                try RasterImage(decoding: file.prefix(file.count * 3 / 4))
            }
        }
        let topDown = try Fixture.data("bmp-8-top-down.bmp")
        let part = try RasterImage(decoding: topDown.dropLast(300), options: Self.part).posterFrame
        #expect(part[0, 0]?.alpha == 255)
        #expect(part[0, part.size.height - 1]?.alpha == 0)
    }

    @Test("promise 16: a checksum in the middle that is wrong ends a PNG there") func corrupt()
        throws
    {
        var file = try Self.file(.png)
        file[file.count * 6 / 10] ^= 0x40
        #expect(throws: ImagingError.self) { try RasterImage(decoding: file) }
        let part = try RasterImage(decoding: file, options: Self.part)
        #expect(!part.isComplete)
        #expect(rows(part.posterFrame) > 30)
    }

    @Test(
        "promise 16: where no part can be read, the error is the same",
        arguments: [
            "scene.tiff", "scene.heic", "scene.avif", "scene.jxl", "scene.jp2", "scene.ico",
            "scene.xbm", "interlaced.png",
        ])
    func refused(name: String) throws {
        let file = try Fixture.data(name)
        let cut = file.prefix(file.count * 2 / 3)
        var errors: [ImagingError?] = []
        for damage in [DecodeOptions.DamageHandling.refused, .readablePart] {
            let options = DecodeOptions(damage: damage)
            errors.append(
                #expect(throws: ImagingError.self) {
                    try RasterImage(decoding: cut, options: options)
                })
        }
        #expect(errors[0] == errors[1] && errors[0] != nil)
    }

    @Test(
        "promise 24: every length and any damage is a part, a whole or an error",
        arguments: [
            "scene.png", "scene.jpg", "progressive.jpg", "scene.webp", "rgba.webp", "scene.gif",
            "animated.gif", "animated.png", "animated.webp", "rgba.bmp", "bmp-rle4.bmp",
        ])
    func anything(name: String) throws {
        let file = try Fixture.data(name)
        var random = SeededRandom(seed: 3)
        for round in 0..<150 {
            var bytes = file.prefix(Int.random(in: 0...file.count, using: &random))
            if round % 2 == 1, !bytes.isEmpty {
                for _ in 0..<3 {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[bytes.startIndex + place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            guard let image = try? RasterImage(decoding: bytes, options: Self.part) else {
                continue
            }
            #expect(image.pixelSize.width > 0)
            let strict = try? RasterImage(decoding: bytes)
            #expect((strict != nil) == image.isComplete)
        }
    }

    @Test("D7: limits hold for a part too, and it can be cancelled") func limits() throws {
        let file = try Self.file(.png)
        let cut = file.prefix(file.count / 2)
        var options = Self.part
        options.limits.maximumSourcePixels = 100
        #expect(throws: ImagingError.self) { try RasterImage(decoding: cut, options: options) }
        let cancellation = DecodeCancellation()
        cancellation.cancel()
        for format in [EncodingFormat.png, .jpeg, .webp, .gif] {
            let file = try Self.file(format)
            let kind = try #require(RasterFormat(sniffing: file))
            #expect(throws: ImagingError.cancelled) {
                _ = try ReadablePart.decode(
                    file.prefix(file.count / 2), format: kind, options: Self.part,
                    cancellation: cancellation)
            }
        }
    }
}
