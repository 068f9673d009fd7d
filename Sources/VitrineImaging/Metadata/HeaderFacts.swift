/// What the header of a picture says beyond its size, found without decoding.
struct HeaderFacts {
    var colorModel: ImageInfo.ColorModel?
    var isProgressive = false
    var resolution: ImageInfo.Resolution?
    var profileName: String?
    var hasEXIF = false
    var hasXMP = false
    var hasThumbnail = false

    /// None yet.
    init() {}

    /// Those in the header of a JPEG, PNG or TIFF.
    init(of bytes: ByteReader, format: RasterFormat) {
        switch format {
        case .jpeg: walkJPEG(bytes)
        case .png: walkPNG(bytes)
        case .tiff:
            let tags = EXIFBlock(bytes)
            resolution = tags?.main.flatMap { tags?.resolution(of: $0) }
        default: break
        }
    }

    /// Adds what EXIF data say (CIPA DC-008).
    mutating func read(exif bytes: ByteReader) {
        hasEXIF = true
        guard let exif = EXIFBlock(bytes), let main = exif.main else { return }
        resolution = resolution ?? exif.resolution(of: main)
        guard let thumbnail = exif.thumbnailDirectory else { return }
        hasThumbnail = exif.integer(513, of: thumbnail) != nil
    }

    /// Fills them in.
    func describe(_ info: inout ImageInfo) {
        info.colorModel = colorModel
        info.isProgressive = isProgressive
        info.resolution = resolution
        info.colorProfileName = profileName
        info.hasEXIF = hasEXIF
        info.hasXMP = hasXMP
        info.hasThumbnail = hasThumbnail
    }

    /// Segments until the first scan (ITU-T T.81, B.2; JFIF 1.02; Adobe's APP14).
    private mutating func walkJPEG(_ bytes: ByteReader) {
        var offset = 2
        var adobe: UInt8?
        var components = 0
        segments: while bytes[offset] == 0xFF, let marker = bytes.byte(at: offset + 1) {
            switch marker {
            case 0xFF:
                offset += 1
                continue
            case 0x01, 0xD0...0xD8:
                offset += 2
                continue
            case 0xD9, 0xDA: break segments
            default: break
            }
            guard let length = bytes.big16(at: offset + 2), length >= 2 else { break }
            let body = offset + 4
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                components = Int(bytes[body + 5])
                isProgressive = marker == 0xC2 || marker == 0xC6 || marker == 0xCA || marker == 0xCE
            case 0xE0 where bytes.begins("JFIF\0", at: body):
                resolution = Self.resolution(
                    bytes.big16(at: body + 8), bytes.big16(at: body + 10), unit: bytes[body + 7])
            case 0xE1 where bytes.begins("Exif\0\0", at: body):
                if let exif = bytes.part(at: body + 6, count: length - 8) { read(exif: exif) }
            case 0xE1 where bytes.begins("http://ns.adobe.com/xap/1.0/\0", at: body):
                hasXMP = true
            case 0xEE where bytes.begins("Adobe", at: body) && length >= 14:
                adobe = bytes[body + 11]
            default: break
            }
            offset += 2 + length
        }
        colorModel =
            switch components {
            case 1: .grey
            case 3: .rgb
            case 4: adobe == 2 ? .ycck : .cmyk
            default: nil
            }
    }

    private static func resolution(
        _ across: Int?, _ down: Int?, unit: UInt8
    ) -> ImageInfo.Resolution? {
        guard let across, let down, across > 0, down > 0, unit == 1 || unit == 2 else { return nil }
        let inch = unit == 1 ? 1 : 2.54
        return ImageInfo.Resolution(
            horizontal: Double(across) * inch, vertical: Double(down) * inch)
    }

    /// Chunks until the first IDAT (ISO/IEC 15948, 11.2.2 and 11.3.5.3).
    private mutating func walkPNG(_ bytes: ByteReader) {
        switch bytes[25] {
        case 0, 4: colorModel = .grey
        case 3: colorModel = .palette
        default: colorModel = .rgb
        }
        isProgressive = bytes[28] == 1
        var offset = 8
        while let length = bytes.big32(at: offset), !bytes.begins("IDAT", at: offset + 4) {
            if let body = bytes.part(at: offset + 8, count: length) {
                readChunk(bytes, at: offset + 4, body)
            }
            offset += 12 + length
        }
    }

    private mutating func readChunk(_ bytes: ByteReader, at kind: Int, _ body: ByteReader) {
        if bytes.begins("pHYs", at: kind), body[8] == 1,
            let across = body.big32(at: 0), let down = body.big32(at: 4), across > 0, down > 0
        {
            resolution = ImageInfo.Resolution(
                horizontal: Double(across) * 0.0254, vertical: Double(down) * 0.0254)
        } else if bytes.begins("eXIf", at: kind) {
            read(exif: body)
        } else if bytes.begins("iTXt", at: kind) {
            hasXMP = hasXMP || body.begins("XML:com.adobe.xmp\0")
        }
    }
}
