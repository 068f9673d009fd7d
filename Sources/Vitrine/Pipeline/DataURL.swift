import FoundationEssentials
import VitrineHTTP

/// The bytes of a `data:` URL (RFC 2397).
enum DataURL {
    /// Decodes `data:[<media type>][;base64],<data>`; nil if it is malformed.
    ///
    /// The media type is not looked at: the bytes decide what they are.
    static func decode(_ url: URL) -> Data? {
        let text = url.absoluteString
        guard text.prefix(5).lowercased() == "data:", let comma = text.firstIndex(of: ",") else {
            return nil
        }
        let header = text[text.index(text.startIndex, offsetBy: 5)..<comma]
        guard let bytes = percentDecoded(text[text.index(after: comma)...].prefix { $0 != "#" })
        else { return nil }
        let isBase64 =
            header.split(separator: ";").last.map { $0.lowercased() == "base64" } ?? false
        guard isBase64 else { return bytes }
        let compact = bytes.filter { $0 > 0x20 }
        // Trailing "=" may be left out.
        let padding = Data(repeating: UInt8(ascii: "="), count: (4 - compact.count % 4) % 4)
        return Data(base64Encoded: compact + padding)
    }
}
