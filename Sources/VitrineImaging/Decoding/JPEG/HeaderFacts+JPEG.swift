extension HeaderFacts {
    /// What the segments before the first scan of a JPEG say, as far as they can be read (ITU-T T.81, B.2;
    /// JFIF 1.02; Adobe's APP14).
    init(jpeg bytes: ByteReader) {
        self.init()
        var adobe: UInt8?
        var components: UInt8 = 0
        for segment in JPEGSegments(bytes) {
            let body = segment.body
            switch segment.marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                components = body[5]
                isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(segment.marker)
            case 0xE0 where body.begins("JFIF\0"):
                resolution = Self.resolution(body.big16(at: 8), body.big16(at: 10), unit: body[7])
            case 0xE1 where body.begins("Exif\0\0"): read(exif: body)
            case 0xE1 where body.begins("http://ns.adobe.com/xap/1.0/\0"):
                hasXMP = true
                hasGainMap = hasGainMap || Self.gainMaps.contains { body.contains($0) }
            // ISO 21496-1.
            case 0xE2 where body.begins("urn:iso:std:iso:ts:21496:-1"): hasGainMap = true
            case 0xEE where body.begins("Adobe") && body.count >= 12: adobe = body[11]
            default: break
            }
        }
        colorModel =
            switch components {
            case 1: .grey
            case 3: .rgb
            case 4: adobe == 2 ? .ycck : .cmyk
            default: nil
            }
    }

    /// The properties of XMP by which Ultra HDR and Apple mark a gain map.
    private static let gainMaps = [Array("hdrgm:Version".utf8), Array("HDRGainMapVersion".utf8)]

    private static func resolution(
        _ across: Int?, _ down: Int?, unit: UInt8
    ) -> ImageInfo.Resolution? {
        guard let across, let down, across > 0, down > 0, unit == 1 || unit == 2 else { return nil }
        let inch = unit == 1 ? 1 : 2.54
        return ImageInfo.Resolution(
            horizontal: Double(across) * inch, vertical: Double(down) * inch)
    }
}
