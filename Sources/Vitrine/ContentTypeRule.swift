/// What the `Content-Type` of a response means for whether it is taken for an image.
///
/// Many servers send pictures under a wrong type, or under none. So by default the bytes decide, and
/// the header is not looked at. Where a wrong header is a sign of trouble, it can be made to count:
///
/// ```swift
/// configuration.contentTypes = .headerMustMatch.accepting("image/x-raw", "binary/octet-stream")
/// ```
public struct ContentTypeRule: Sendable, Hashable {
    /// Whether a response of another type, or of none, is refused.
    public var isStrict: Bool
    /// The types that a strict rule accepts, in lower case and without parameters. `image/svg+xml`
    /// need not be among them: it is accepted where SVG is decoded.
    public private(set) var acceptedTypes: Set<String>

    /// A rule over ``standardTypes``.
    public init(isStrict: Bool) {
        self.isStrict = isStrict
        acceptedTypes = Self.standardTypes
    }

    /// The header says nothing; the bytes are looked at.
    public static let bytesDecide = ContentTypeRule(isStrict: false)

    /// The header must name one of the accepted types, and the bytes must be an image.
    public static let headerMustMatch = ContentTypeRule(isStrict: true)

    /// The rule with more types, for example `image/x-raw`, in any letter case.
    public func accepting(_ types: String...) -> ContentTypeRule {
        var rule = self
        rule.acceptedTypes.formUnion(types.compactMap { Self.mediaType($0) })
        return rule
    }

    /// What is accepted from the start: the types of the formats that can be decoded, and
    /// `application/octet-stream`, which says nothing.
    public static let standardTypes: Set<String> = [
        "application/octet-stream", "image/apng", "image/avif", "image/avif-sequence", "image/bmp",
        "image/gif", "image/heic", "image/heic-sequence", "image/heif", "image/heif-sequence",
        "image/ico", "image/jp2", "image/jpeg", "image/jpg", "image/jxl", "image/png", "image/tiff",
        "image/vnd.microsoft.icon", "image/webp", "image/x-bmp", "image/x-icon", "image/x-ms-bmp",
        "image/x-win-bitmap", "image/x-xbitmap",
    ]

    /// Whether a response with this `Content-Type` may be taken for an image.
    ///
    /// - Parameters:
    ///   - contentType: the header as it came, nil if there was none.
    ///   - allowsSVG: whether SVG is decoded; see `DecodeLimits`.
    public func accepts(_ contentType: String?, allowsSVG: Bool = false) -> Bool {
        guard isStrict else { return true }
        guard let type = contentType.flatMap({ Self.mediaType($0) }) else { return false }
        return acceptedTypes.contains(type) || allowsSVG && type == "image/svg+xml"
    }

    /// The type without its parameters (RFC 9110, section 8.3.1); nil if there is none.
    private static func mediaType(_ header: String) -> String? {
        let type = header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return type.isEmpty ? nil : type
    }
}
