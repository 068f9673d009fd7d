package import FoundationEssentials

/// Whether a text begins with `scheme:` as RFC 3986, section 3.1, has it, of two letters at least; what does
/// not is the path of a file.
package func hasScheme(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count >= 2, scheme.count < text.utf8.count, let first = scheme.first,
        isLetter(first)
    else { return false }
    return scheme.allSatisfy {
        isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
}

private func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}

/// The URL that a text means, if it is one: what a URL cannot hold is escaped, and escapes that are there
/// stay what they are. `URL` by itself escapes the `%` of all where it must escape anything.
package func url(of text: String) -> URL? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return URL(string: text) }
    let head = text.utf8.prefix { $0 != UInt8(ascii: ":") }.count + 1
    var bytes = Array(text.utf8)
    var start = head
    if bytes.dropFirst(head).starts(with: "//".utf8) {
        // Hosts have rules of their own.
        start = bytes.dropFirst(head + 2).firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    }
    var escaped: [UInt8] = []
    var isFragment = false
    for index in bytes.indices.dropFirst(start) {
        let byte = bytes[index]
        let stays =
            switch byte {
            case UInt8(ascii: "%"): bytes[(index + 1)...].prefix(2).count(where: isHexDigit) == 2
            case UInt8(ascii: "#"): !isFragment
            default: isLetter(byte) || "0123456789-._~!$&'()*+,;=:@/?".utf8.contains(byte)
            }
        if byte == UInt8(ascii: "#") { isFragment = true }
        if stays {
            escaped.append(byte)
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            escaped += Array((digits.count < 2 ? "%0" : "%").utf8) + Array(digits.utf8)
        }
    }
    bytes.replaceSubrange(start..., with: escaped)
    return URL(string: String(decoding: bytes, as: UTF8.self))
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
}
