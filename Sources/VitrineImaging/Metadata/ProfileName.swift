/// What an ICC profile calls itself: its tag `desc` (ICC.1:2022, 9.2.41; ICC.1:2001, 6.5.17).
enum ProfileName {
    private static let mostCharacters = 200

    /// Nil if the profile has no name, or none that can be read.
    static func of(_ profile: ByteReader) -> String? {
        guard let count = profile.big32(at: 128), count <= 1024 else { return nil }
        for index in 0..<count where profile.begins("desc", at: 132 + index * 12) {
            guard let offset = profile.big32(at: 136 + index * 12),
                let length = profile.big32(at: 140 + index * 12),
                let tag = profile.part(at: offset, count: length)
            else { return nil }
            let name = tag.begins("mluc") ? localized(tag) : tag.begins("desc") ? ascii(tag) : nil
            let text = (name ?? "").filter { character in
                character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            }.trimmed
            return text.isEmpty ? nil : String(text.prefix(mostCharacters))
        }
        return nil
    }

    /// `textDescriptionType` of version 2: ASCII with a zero at its end.
    private static func ascii(_ tag: ByteReader) -> String? {
        guard let count = tag.big32(at: 8), let text = tag.part(at: 12, count: count) else {
            return nil
        }
        var bytes: [UInt8] = []
        while let byte = text.byte(at: bytes.count), byte != 0 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `multiLocalizedUnicodeType` of version 4: in English, else in the first language.
    private static func localized(_ tag: ByteReader) -> String? {
        guard let count = tag.big32(at: 8), count > 0, count <= 256 else { return nil }
        let english = (0..<count).first { tag.begins("en", at: 16 + $0 * 12) } ?? 0
        guard let length = tag.big32(at: 20 + english * 12),
            let offset = tag.big32(at: 24 + english * 12),
            let text = tag.part(at: offset, count: length)
        else { return nil }
        let units = (0..<min(text.count / 2, 2 * mostCharacters)).map {
            UInt16(text.big16(at: $0 * 2) ?? 0)
        }
        return String(decoding: units, as: UTF16.self)
    }
}
