/// Whether a JPEG carries a gain map beside its picture.
enum JPEGGainMap {
    /// Looks at the segments before the picture: ISO 21496-1 marks it in APP2; Ultra HDR and Apple in
    /// XMP.
    static func isPresent(in bytes: UnsafeRawBufferPointer) -> Bool {
        let file = ByteReader(bytes)
        var offset = 2
        while file[offset] == 0xFF, let length = file.big16(at: offset + 2), length >= 2 {
            let marker = file[offset + 1]
            if marker == 0xDA || marker == 0xD9 { return false }
            let segment = file.part(at: offset + 4, count: length - 2)
            if marker == 0xE2, segment?.begins("urn:iso:std:iso:ts:21496:-1") == true {
                return true
            }
            if marker == 0xE1, let segment, segment.begins("http://ns.adobe.com/xap/1.0/\0"),
                marks.contains(where: { segment.contains($0) })
            {
                return true
            }
            offset += 2 + length
        }
        return false
    }

    private static let marks = [Array("hdrgm:Version".utf8), Array("HDRGainMapVersion".utf8)]
}

extension ByteReader {
    /// Whether `pattern`, which is not empty, stands somewhere.
    func contains(_ pattern: [UInt8]) -> Bool {
        for offset in 0..<max(0, count - pattern.count + 1) where self[offset] == pattern[0] {
            if begins(pattern, at: offset) { return true }
        }
        return false
    }
}
