import FoundationEssentials

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

    private static func percentDecoded(_ text: Substring) -> Data? {
        var result = Data()
        result.reserveCapacity(text.utf8.count)
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit)
            else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
