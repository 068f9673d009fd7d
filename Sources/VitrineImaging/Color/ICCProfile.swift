/// What an ICC profile says beyond what a colour engine reads (ICC.1:2022).
enum ICCProfile {
    /// The code points of its `cicp` tag (9.2.17); else, of a profile that libjxl made for a JPEG XL, those
    /// that its name tells, for it writes no tag.
    static func colorCodePoints(of profile: ByteReader) -> ColorCodePoints? {
        if let tag = tag("cicp", of: profile), tag.begins("cicp"), tag.has(12, at: 0) {
            return ColorCodePoints(primaries: Int(tag[8]), transfer: Int(tag[9]))
        }
        guard let tag = tag("desc", of: profile), tag.begins("mluc"),
            let length = tag.big32(at: 20), let start = tag.big32(at: 24),
            let text = tag.part(at: start, count: min(length, 128))
        else { return nil }
        // For example "RGB_D65_202_Rel_PeQ": white, primaries, intent and curve, in UTF-16.
        let name = (0..<text.count / 2).map { text[2 * $0 + 1] }
        let parts = String(decoding: name, as: UTF8.self).split(separator: "_")
        guard parts.count == 5, parts[0] == "RGB", parts[1] == "D65" else { return nil }
        let primaries = ["SRG": 1, "202": 9, "DCI": 12]
        let transfers = ["PeQ": 16, "HLG": 18]
        guard let primaries = primaries[String(parts[2])],
            let transfer = transfers[String(parts[4])]
        else { return nil }
        return ColorCodePoints(primaries: primaries, transfer: transfer)
    }

    /// The data of a tag (7.3).
    private static func tag(_ name: String, of profile: ByteReader) -> ByteReader? {
        guard let count = profile.big32(at: 128) else { return nil }
        for index in 0..<min(count, 256) {
            let entry = 132 + 12 * index
            guard profile.begins(name, at: entry) else { continue }
            guard let offset = profile.big32(at: entry + 4), let size = profile.big32(at: entry + 8)
            else { return nil }
            return profile.part(at: offset, count: size)
        }
        return nil
    }
}
