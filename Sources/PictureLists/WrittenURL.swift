package import FoundationEssentials

extension URL {
    /// The URL that a text means, if it is one: what a URL cannot hold is escaped, and escapes that are there
    /// stay what they are. `URL` by itself escapes the `%` of all where it must escape anything.
    package init?(written text: String) {
        guard text.utf8.contains(UInt8(ascii: "%")) else {
            self.init(string: text)
            return
        }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }.count
        let head = min(scheme + 1, text.utf8.count)
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
                case UInt8(ascii: "%"):
                    bytes[(index + 1)...].prefix(2).count(where: isHexDigit) == 2
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
        self.init(string: String(decoding: bytes, as: UTF8.self))
    }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
}
