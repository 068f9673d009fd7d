import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

/// Small EXIF data as cameras write them.
enum EXIFSample {
    static let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xAA, 0xBB, 0xFF, 0xD9]
    static let camera = "Vitrine X100"

    static func data(bigEndian: Bool = false, orientation: Int = 6) -> Data {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return bigEndian ? bytes.reversed() : bytes
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
                + Array(repeating: 0, count: 4 - value.count)
        }
        let text = Array(camera.utf8) + [0]
        // Main directory at 8 with 7 entries, then details, location, thumbnail, values.
        let details = 8 + 2 + 7 * 12 + 4
        let location = details + 2 + 2 * 12 + 4
        let small = location + 2 + 1 * 12 + 4
        let values = small + 2 + 2 * 12 + 4
        let main =
            number(7, 2) + entry(272, 2, text.count, number(values, 4))
            + entry(274, 3, 1, number(orientation, 2))
            + entry(282, 5, 1, number(values + 16, 4)) + entry(283, 5, 1, number(values + 24, 4))
            + entry(296, 3, 1, number(2, 2)) + entry(0x8769, 4, 1, number(details, 4))
            + entry(0x8825, 4, 1, number(location, 4)) + number(small, 4)
        let sizes =
            number(2, 2) + entry(0xA002, 4, 1, number(640, 4)) + entry(0xA003, 4, 1, number(480, 4))
            + number(0, 4)
        let place = number(1, 2) + entry(2, 5, 3, number(values + 40, 4)) + number(0, 4)
        let thumb =
            number(2, 2) + entry(513, 4, 1, number(values + 64, 4))
            + entry(514, 4, 1, number(thumbnail.count, 4)) + number(0, 4)
        let area =
            text + [UInt8](repeating: 0, count: 16 - text.count) + number(300, 4) + number(1, 4)
            + number(300, 4) + number(1, 4) + [UInt8](repeating: 0, count: 8)
            + [47, 1, 22, 1, 33, 1].flatMap { number($0, 4) } + thumbnail
        let head: [UInt8] = bigEndian ? [0x4D, 0x4D, 0, 0x2A] : [0x49, 0x49, 0x2A, 0]
        return Data(head + number(8, 4) + main + sizes + place + thumb + area)
    }

    /// The plain scene as a JPEG with these data and this XMP packet.
    static func jpeg(_ exif: Data, xmp: String? = nil) throws -> Data {
        func segment(_ body: Data) -> Data {
            let length = body.count + 2
            return Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]) + body
        }
        let plain = try Fixture.data("scene.jpg")
        var data = Data(plain.prefix(2)) + segment(Data("Exif\0\0".utf8) + exif)
        if let xmp { data += segment(Data("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)) }
        return data + plain.dropFirst(2)
    }
}

@Suite struct MetadataTests {
    static let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><a>Vitrine</a></x:xmpmeta>"

    @Test("R4: what headers say, without decoding")
    func facts() throws {
        func info(_ name: String) throws -> ImageInfo { try ImageInfo(probing: Fixture.data(name)) }
        for (name, model) in [
            ("scene.jpg", ImageInfo.ColorModel.rgb), ("grey.jpg", .grey), ("cmyk.jpg", .cmyk),
            ("palette.png", .palette), ("16-bit-grey.png", .grey), ("rgba.png", .rgb),
            ("scene.gif", .palette), ("scene.webp", .rgb), ("cmyk.tiff", .cmyk),
            ("scene.avif", .rgb), ("scene.xbm", .grey), ("scene.bmp", .rgb), ("scene.ico", .rgb),
        ] {
            #expect(try info(name).colorModel == model, "\(name)")
        }
        for (name, isProgressive) in [
            ("scene.jpg", false), ("progressive.jpg", true), ("interlaced.png", true),
            ("scene.png", false), ("scene.gif", false),
        ] {
            #expect(try info(name).isProgressive == isProgressive, "\(name)")
        }
        for name in ["animated.gif", "animated.png", "animated.webp"] {
            let found = try info(name)
            #expect(found.frameCount == 3 && found.loopCount == 2, "\(name)")
            #expect(found.duration == .milliseconds(600), "\(name)")
        }
        let still = try info("scene.png")
        #expect(still.loopCount == 1 && still.duration == .zero)
        #expect(!still.hasEXIF && !still.hasXMP && !still.hasThumbnail)
        #expect(try info("display-p3.jpg").colorProfileName == "sP3C")
        #expect(try info("display-p3.png").colorProfileName == "sP3C")
        #expect(try info("grey-rgb-profile.jpg").colorProfileName == "sP3C")
        #expect(try info("damaged-profile.jpg").colorProfileName == nil)
        #expect(try info("scene.jpg").colorProfileName == nil)
    }

    @Test("R4: YCCK is told from CMYK by Adobe's segment")
    func ycck() throws {
        var data = try Fixture.data("cmyk.jpg")
        let mark = try #require(data.firstRange(of: Data("Adobe".utf8)))
        data[mark.lowerBound + 11] = 2
        #expect(try ImageInfo(probing: data).colorModel == .ycck)
    }

    @Test("R4: EXIF tells resolution and thumbnail, in both byte orders", arguments: [false, true])
    func exif(bigEndian: Bool) throws {
        let exif = EXIFSample.data(bigEndian: bigEndian)
        let data = try EXIFSample.jpeg(exif, xmp: Self.packet)
        let info = try ImageInfo(probing: data)
        #expect(info.hasEXIF && info.hasXMP && info.hasThumbnail && info.orientation == 6)
        #expect(info.pixelSize == PixelSize(width: 64, height: 96))
        #expect(info.resolution == ImageInfo.Resolution(horizontal: 300, vertical: 300))
        #expect(try RasterImage(decoding: data).info == info)

        let metadata = try ImageMetadata(reading: data)
        #expect(metadata.exif == exif)
        #expect(metadata.xmp == Data(Self.packet.utf8))
    }

    @Test("D7: a profile beyond the limit is refused, and so are large metadata")
    func limits() throws {
        let data = try Fixture.data("display-p3.jpg")
        let limits = DecodeLimits(maximumProfileBytes: 100)
        let error = #expect(throws: ImagingError.self) {
            try RasterImage(decoding: data, options: DecodeOptions(limits: limits))
        }
        guard case .tooLarge(what: .profileBytes, _, limit: 100) = error else {
            Issue.record("\(error?.description ?? "")")
            return
        }
        #expect(error?.description.hasPrefix("The colour profile has ") == true)
        let jpeg = try EXIFSample.jpeg(EXIFSample.data())
        let found = EXIFSample.data().count + 6
        #expect(
            throws: ImagingError.tooLarge(what: .metadataBytes, found: found, limit: 99)
        ) {
            try ImageMetadata(reading: jpeg, maximumBytes: 99)
        }
    }

    @Test(
        "D8: metadata are written on request, upright and without the thumbnail",
        arguments: [EncodingFormat.jpeg, .png, .webp, .avif], [false, true])
    func written(format: EncodingFormat, bigEndian: Bool) throws {
        let source = try EXIFSample.jpeg(EXIFSample.data(bigEndian: bigEndian), xmp: Self.packet)
        let image = try RasterImage(
            decoding: source, options: DecodeOptions(targetSize: .maximum(48)))
        let plain = try image.encoded(as: format)
        let none = try ImageMetadata(reading: plain)
        // libvips puts EXIF data of its own into each WebP: a resolution and nothing else.
        #expect(none.xmp == nil && none.exif?.count ?? 0 <= (format == .webp ? 180 : 0))

        let metadata = try ImageMetadata(reading: source)
        let file = try image.encoded(as: format, options: EncodeOptions(metadata: metadata))
        let info = try ImageInfo(probing: file)
        #expect(info.hasEXIF && info.orientation == 1 && !info.hasThumbnail)
        #expect(info.pixelSize == PixelSize(width: 32, height: 48))
        #expect(info.hasColorProfile)
        let again = try ImageMetadata(reading: file)
        let exif = try #require(again.exif)
        #expect(exif.firstRange(of: Data(EXIFSample.camera.utf8)) != nil)
        #expect(exif.firstRange(of: Data(EXIFSample.thumbnail)) == nil)
        let xmp = again.xmp.map { String(decoding: $0, as: UTF8.self) }
        #expect(xmp?.contains("Vitrine") == true)
        // The pixels are those that a file without metadata has.
        expectPixels(
            try RasterImage(decoding: file).posterFrame,
            equals: try RasterImage(decoding: plain).posterFrame, within: 2)
    }

    @Test("D8: the place can be taken out")
    func location() throws {
        let exif = EXIFSample.data()
        let rational = Data([47, 0, 0, 0, 1, 0, 0, 0])
        #expect(exif.firstRange(of: rational) != nil)
        let clean = try #require(
            ImageMetadata(exif: exif, xmp: Data(Self.packet.utf8)).removingLocation().exif)
        #expect(clean.firstRange(of: rational) == nil && clean.count == exif.count)
        #expect(clean.firstRange(of: Data(EXIFSample.camera.utf8)) != nil)
        let image = RasterImage(Scene.plain)
        let file = try image.encoded(
            as: .jpeg, options: EncodeOptions(metadata: ImageMetadata(exif: clean)))
        #expect(file.firstRange(of: rational) == nil)
    }

    @Test("D8: metadata that cannot be written are an error")
    func refused() throws {
        func encode(_ metadata: ImageMetadata, _ format: EncodingFormat) throws {
            _ = try RasterImage(Scene.plain).encoded(
                as: format, options: EncodeOptions(metadata: metadata))
        }
        let good = ImageMetadata(exif: EXIFSample.data())
        #expect(throws: ImagingError.self) { try encode(good, .gif) }
        #expect(throws: ImagingError.self) { try encode(ImageMetadata(exif: Data("x".utf8)), .png) }
        let long = ImageMetadata(exif: EXIFSample.data() + Data(count: 66_000))
        #expect(throws: ImagingError.self) { try encode(long, .jpeg) }
        #expect(throws: ImagingError.self) {
            try encode(ImageMetadata(xmp: Data(count: 61_000)), .jpeg)
        }
        let animation = try RasterImage(decoding: Fixture.data("animated.webp"))
        #expect(throws: ImagingError.self) {
            try animation.encoded(as: .webp, options: EncodeOptions(metadata: good))
        }
        #expect(try ImageMetadata(reading: Fixture.data("scene.gif")).isEmpty)
        #expect(try ImageMetadata(reading: Fixture.data("scene.bmp")).isEmpty)
    }

    @Test("promise 24: every truncation and flipped bytes of EXIF data are survived")
    func damage() throws {
        let exif = EXIFSample.data()
        for count in 0..<exif.count {
            _ = ImageMetadata(exif: exif.prefix(count)).removingLocation()
            let data = try EXIFSample.jpeg(exif.prefix(count))
            _ = try ImageInfo(probing: data)
        }
        for index in exif.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = exif
                changed[index] = value
                _ = ImageMetadata(exif: changed).removingLocation()
                guard index.isMultiple(of: 7) else { continue }
                let data = try EXIFSample.jpeg(changed)
                let metadata = try ImageMetadata(reading: data)
                _ = try? RasterImage(Scene.plain).encoded(
                    as: .jpeg, options: EncodeOptions(metadata: metadata))
            }
        }
    }

    @Test("D2: decoding, filtering and encoding without blocking, and cancelled")
    func asynchronous() async throws {
        let data = try Fixture.data("scene.png")
        let image = try await RasterImage.decoded(from: data)
        expectPixels(image.posterFrame, equals: Scene.plain)
        let flipped = try await image.filtered(by: [InvertFilter(), InvertFilter()])
        expectPixels(flipped.posterFrame, equals: Scene.plain)
        let png = try await flipped.data(as: .png)
        #expect(png == (try RasterImage(Scene.plain).encoded(as: .png)))
        await #expect(throws: ImagingError.notAnImage(found: "empty")) {
            try await RasterImage.decoded(from: Data())
        }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await image.data(as: .avif)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
