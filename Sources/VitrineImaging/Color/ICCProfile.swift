/// What an ICC profile says beyond what a colour engine reads (ICC.1:2022).
struct ICCProfile {
    private static let mostTags = 1024
    private static let mostCharacters = 200

    /// What the profile calls itself; nil if it has no name, or none that can be read.
    let name: String?
    /// The code points of its `cicp` tag (9.2.17); else, of a profile that libjxl made for a JPEG XL, those
    /// that its name tells, for it writes no tag.
    let colorCodePoints: ColorCodePoints?

    /// Reads the tags; of what is no profile there is nothing to say.
    init(_ profile: ByteReader) {
        let name = Self.tag("desc", of: profile).flatMap { Self.name($0) }
        self.name = name
        if let tag = Self.tag("cicp", of: profile), tag.begins("cicp"), tag.has(12, at: 0) {
            colorCodePoints = ColorCodePoints(primaries: Int(tag[8]), transfer: Int(tag[9]))
        } else {
            colorCodePoints = name.flatMap { Self.codePoints(named: $0) }
        }
    }

    /// The data of a tag (7.3).
    private static func tag(_ name: String, of profile: ByteReader) -> ByteReader? {
        guard let count = profile.big32(at: 128), count <= mostTags else { return nil }
        let signature = name.utf8.reduce(0) { $0 << 8 | Int($1) }
        for entry in stride(from: 132, to: 132 + 12 * count, by: 12) {
            guard let found = profile.big32(at: entry) else { return nil }
            guard found == signature else { continue }
            guard let offset = profile.big32(at: entry + 4), let size = profile.big32(at: entry + 8)
            else { return nil }
            return profile.part(at: offset, count: size)
        }
        return nil
    }

    /// The text of a `desc` tag (9.2.41; ICC.1:2001, 6.5.17), fit to be shown.
    private static func name(_ tag: ByteReader) -> String? {
        let name = tag.begins("mluc") ? localized(tag) : tag.begins("desc") ? ascii(tag) : nil
        let text = (name ?? "").filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }.trimmed
        return text.isEmpty ? nil : String(text.prefix(mostCharacters))
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

    /// For example "RGB_D65_202_Rel_PeQ": white, primaries, intent and curve.
    private static func codePoints(named name: String) -> ColorCodePoints? {
        let parts = name.split(separator: "_")
        guard parts.count == 5, parts[0] == "RGB", parts[1] == "D65" else { return nil }
        let primaries = ["SRG": 1, "202": 9, "DCI": 12]
        let transfers = ["PeQ": 16, "HLG": 18]
        guard let primaries = primaries[String(parts[2])],
            let transfer = transfers[String(parts[4])]
        else { return nil }
        return ColorCodePoints(primaries: primaries, transfer: transfer)
    }
}
