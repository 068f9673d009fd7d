import FoundationEssentials
import PixelSupport
import Testing

@testable import VitrineImaging

/// Headers read in Swift, beside what libvips reads of the same files.
@Suite struct HeaderTests {
    @Test("R4: the header of a PNG or WebP is what libvips finds")
    func asLibvips() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.path)
        var count = 0
        for name in names.sorted() {
            guard name.hasSuffix(".png") || name.hasSuffix(".webp"), !name.hasPrefix("animated")
            else { continue }
            let data = try Fixture.data(name)
            let format: RasterFormat = name.hasSuffix(".png") ? .png : .webp
            let info = try ImageInfo(probing: data)
            var other = try VipsDecoder().probe(
                data, format: format, limits: DecodeLimits())
            #expect(info == other, "\(name)")
            other.byteCount = 0
            #expect(info != other)
            count += 1
        }
        #expect(count > 15)
    }

    private static func png(_ chunks: (String, [UInt8])...) -> Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        for (kind, body) in chunks {
            let content = Array(kind.utf8) + body
            data += withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + content
            let sum = content.withUnsafeBytes { CRC32.of($0) }
            data += withUnsafeBytes(of: sum.bigEndian) { Array($0) }
        }
        return data
    }

    private static let head: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 7, 8, 2, 0, 0, 0]

    private static func read(_ data: Data) throws(ImagingError) -> PNGHeader {
        try data.withReader { (_) throws(ImagingError) in
            try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in try PNGHeader(bytes) }
        }
    }

    @Test("R4: orientation, alpha, depth and profile of a PNG") func png() throws {
        let exif: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
            + [0, 0, 0, 0]
        let data = Self.png(
            ("IHDR", Self.head), ("iCCP", Array("name\0\0".utf8)), ("tRNS", [0, 0, 0, 0, 0, 0]),
            ("eXIf", exif), ("IDAT", []))
        let info = try ImageInfo(probing: data)
        #expect(info.pixelSize == PixelSize(width: 7, height: 9))
        #expect(info.orientation == 6 && info.hasAlpha && info.hasColorProfile)
        #expect(info.hasEXIF && !info.hasXMP && info.resolution == nil)
        #expect(info.colorModel == .rgb && !info.isProgressive)
        let marked = try Self.read(
            Self.png(
                ("IHDR", Self.head), ("iCCP", Array("ITUR_2100_PQ_FULL\0\0".utf8)),
                ("IDAT", [])))
        #expect(marked.colorCodePoints == ColorCodePoints(primaries: 9, transfer: 16))
    }

    @Test("R4: resolution, XMP, colours and interlacing of a PNG") func pngFacts() throws {
        var head = Self.head
        let metre: [UInt8] = [0, 0, 0x2E, 0x23, 0, 0, 0x17, 0x12, 1]
        let packet = Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)
        for (kind, model) in [
            (UInt8(0), ImageInfo.ColorModel.grey), (2, .rgb), (3, .palette), (6, .rgb),
        ] {
            head[9] = kind
            head[12] = 1
            let info = try ImageInfo(
                probing: Self.png(
                    ("IHDR", head), ("iTXt", packet), ("iTXt", [65, 0]), ("pHYs", metre),
                    ("IDAT", [])))
            #expect(info.colorModel == model && info.isProgressive && info.hasXMP)
            let resolution = try #require(info.resolution)
            #expect((resolution.horizontal * 100).rounded() == 30_000)
            #expect((resolution.vertical * 100).rounded() == 15_001)
        }
        // Without a unit it is a ratio only.
        let ratio = Self.png(("IHDR", Self.head), ("pHYs", metre.dropLast() + [0]), ("IDAT", []))
        #expect(try ImageInfo(probing: ratio).resolution == nil)
    }

    @Test("D6: the orientation in EXIF data, and where readers may differ") func orientation() {
        func orientation(_ entries: [[UInt8]], promised: Int? = nil) -> Int? {
            let count = UInt8(promised ?? entries.count)
            let data = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, count] + entries.flatMap { $0 }
            let found = data.withUnsafeBytes { EXIFBlock(ByteReader($0))?.orientation }
            let prefixed = (Array("Exif\0\0".utf8) + data).withUnsafeBytes {
                EXIFBlock(ByteReader($0))?.orientation
            }
            #expect(found == prefixed)
            return found
        }
        func entry(_ value: UInt8, tag: UInt8 = 0x12, type: UInt8 = 3, count: UInt8 = 1) -> [UInt8]
        {
            [1, tag, 0, type, 0, 0, 0, count, 0, value, 0, 0]
        }
        for value: UInt8 in 1...8 { #expect(orientation([entry(value)]) == Int(value)) }
        #expect(orientation([entry(6, tag: 0x13)]) == 1 && orientation([]) == 1)
        #expect(orientation([entry(0)]) == nil && orientation([entry(9)]) == nil)
        #expect(orientation([entry(6, type: 4)]) == nil)
        #expect(orientation([entry(6, count: 2)]) == nil)
        #expect(orientation([entry(6), entry(6)]) == nil)
        #expect(orientation([entry(6)], promised: 2) == nil)
    }

    @Test("D1: what a PNG must have before its picture") func badPNG() {
        let isWrong: (Data) -> ImagingError? = { data in
            do throws(ImagingError) { _ = try Self.read(data) } catch { return error }
            return nil
        }
        func corrupt(_ reason: String) -> ImagingError {
            .corrupt(format: .png, reason: reason)
        }
        var head = Self.head
        let good = Self.png(("IHDR", head), ("IDAT", []))
        #expect(isWrong(good) == nil)
        for count in 0..<good.count - 8 {
            #expect(isWrong(good.prefix(count)) == .truncated(format: .png))
        }
        var flipped = good
        flipped[20] ^= 1
        #expect(isWrong(flipped) == corrupt("a checksum is wrong"))
        #expect(isWrong(Self.png(("IDAT", []))) == corrupt("no IHDR chunk"))
        #expect(
            isWrong(Self.png(("IHDR", head), ("IEND", []))) == corrupt("it has no picture"))
        for (index, value, reason) in [
            (3, 0, "it has no size"), (4, 0x80, "it has no size"),
            (8, 4, "an unknown kind of sample"), (9, 5, "an unknown kind of sample"),
        ] {
            head = Self.head
            head[index] = UInt8(value)
            #expect(isWrong(Self.png(("IHDR", head), ("IDAT", []))) == corrupt(reason))
        }
    }

    @Test("D4: an animated JPEG XL is refused by name, bare and in boxes; stills are not")
    func animatedJPEGXL() throws {
        let data = try Fixture.data("animated.jxl")
        let size = withUnsafeBytes(of: UInt32(data.count + 8).bigEndian) { Data($0) }
        let boxed =
            Data([0, 0, 0, 12]) + Data("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A] + size
            + Data("jxlc".utf8) + data
        for file in [data, boxed] {
            #expect(throws: ImagingError.unsupportedFormat("animated JPEG XL")) {
                try RasterImage(decoding: file)
            }
            #expect(throws: ImagingError.unsupportedFormat("animated JPEG XL")) {
                try ImageInfo(probing: file)
            }
        }
        for name in ["scene.jxl", "rgba.jxl", "pq.jxl", "hlg.jxl"] {
            let still = try Fixture.data(name)
            #expect(!still.withUnsafeBytes { JPEGXLHeader.isAnimated($0) }, "\(name)")
        }
        for count in 0..<min(data.count, 64) {
            #expect(throws: ImagingError.self) { try RasterImage(decoding: data.prefix(count)) }
        }
    }

    @Test("D9: the boxes of a HEIF file tell of gain maps, loops and true sizes") func boxes() {
        func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(body.count + 8).bigEndian) { Array($0) }
                + Array(kind.utf8) + body
        }
        func outline(_ bytes: [UInt8]) -> HEIFOutline {
            bytes.withUnsafeBytes { HEIFOutline($0) }
        }
        let entry = box("infe", [2, 0, 0, 0, 0, 3, 0, 0] + Array("tmap".utf8) + [0])
        let items = box("iinf", [0, 0, 0, 0, 0, 1] + entry)
        #expect(outline(box("meta", [0, 0, 0, 0] + items)).hasGainMap)
        #expect(!outline(box("meta", [0, 0, 0, 0] + box("iinf", [0, 0, 0, 0, 0, 0]))).hasGainMap)
        let apple = box(
            "auxC", [0, 0, 0, 0] + Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8))
        let properties = box("iprp", box("ipco", apple))
        let primary = box("pitm", [0, 0, 0, 0, 0, 1])
        #expect(outline(box("meta", [0, 0, 0, 0] + primary + properties)).hasGainMap)
        #expect(outline([]) == outline([1, 2, 3]))

        func loops(flags: UInt8, whole: UInt8, once: UInt8) -> Int? {
            var header = [UInt8](repeating: 0, count: 84)
            header[23] = whole
            let list = box("elst", [0, 0, 0, flags, 0, 0, 0, 1, 0, 0, 0, once] + [0, 0, 0, 0])
            let track = box("trak", box("tkhd", header) + box("edts", list))
            return box("moov", track).withUnsafeBytes { HEIFOutline.loopCount(of: $0) }
        }
        #expect(loops(flags: 0, whole: 9, once: 3) == 1)
        #expect(loops(flags: 1, whole: 9, once: 3) == 3)
        #expect(loops(flags: 1, whole: 10, once: 3) == 4)
        #expect(loops(flags: 1, whole: 10, once: 0) == nil)
        #expect(box("moov", []).withUnsafeBytes { HEIFOutline.loopCount(of: $0) } == nil)
    }
}
