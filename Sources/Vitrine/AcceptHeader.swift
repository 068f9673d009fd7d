import VitrineImaging

/// What a request says about the pictures that it takes (RFC 9110, section 12.5.1).
enum AcceptHeader {
    /// The types of all formats that this process decodes, in a fixed order: first those that make
    /// small files, then the usual ones, then those that servers rarely have; and last anything,
    /// since what a server calls its pictures is often wrong.
    ///
    /// A strict rule lists its own further types in place of anything. The text is equal in every
    /// call, so that it never tells two requests apart, nor a stored response of `Vary: Accept`.
    static func value(for rule: ContentTypeRule, allowsSVG: Bool) -> String {
        var parts: [String] = []
        for (quality, formats) in preferences {
            for format in formats where format != .svg || allowsSVG {
                guard RasterFormat.decodable.contains(format) else { continue }
                parts += types(of: format).map { $0 + quality }
            }
        }
        guard rule.isStrict else { return (parts + ["*/*;q=0.1"]).joined(separator: ", ") }
        let more = rule.acceptedTypes.subtracting(ContentTypeRule.standardTypes).sorted()
        parts += more.map { $0 + ";q=0.5" }
        parts.append("application/octet-stream;q=0.1")
        return parts.joined(separator: ", ")
    }

    private static let preferences: [(quality: String, formats: [RasterFormat])] = [
        ("", [.avif, .webp, .jpegXL]), (";q=0.9", [.png, .jpeg, .gif, .svg]),
        (";q=0.8", [.heic, .jpeg2000]), (";q=0.7", [.tiff, .bmp, .ico, .xbm]),
    ]

    /// The names under which servers know a format.
    private static func types(of format: RasterFormat) -> [String] {
        switch format {
        case .png: ["image/apng", "image/png"]
        case .heic: ["image/heic", "image/heif"]
        case .ico: ["image/vnd.microsoft.icon", "image/x-icon"]
        default: Array(format.mimeTypes.prefix(1))
        }
    }
}
