/// Whether a file begins like an SVG: its first element is `svg`.
enum SVGSignature {
    private static let mostBytes = 65_536

    /// A byte order mark, the XML declaration, comments and a DOCTYPE may stand before the element.
    /// UTF-16 counts too, so that it is refused by name.
    static func isBeginning(of bytes: ByteReader) -> Bool {
        if bytes.begins([0xFF, 0xFE]) || bytes.begins([0xFE, 0xFF]) {
            return isBeginning(bytes, step: 2, from: bytes[0] == 0xFF ? 2 : 3)
        }
        return isBeginning(bytes, step: 1, from: bytes.begins([0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    private static func isBeginning(_ bytes: ByteReader, step: Int, from start: Int) -> Bool {
        var offset = start
        func byte(_ index: Int) -> UInt8 { bytes[offset + index * step] }
        func begins(_ text: String) -> Bool {
            text.utf8.enumerated().allSatisfy { byte($0.offset) == $0.element }
        }
        func skip(past text: String) -> Bool {
            while offset < min(bytes.count, mostBytes) {
                if begins(text) {
                    offset += text.utf8.count * step
                    return true
                }
                offset += step
            }
            return false
        }
        while offset < min(bytes.count, mostBytes) {
            if byte(0) == 0x20 || (9...13).contains(byte(0)) {
                offset += step
            } else if begins("<?") {
                guard skip(past: "?>") else { return false }
            } else if begins("<!--") {
                guard skip(past: "-->") else { return false }
            } else if begins("<!DOCTYPE") {
                // Of a subset the end of a declaration looks like the end of it; more of them follow.
                guard skip(past: ">") else { return false }
            } else if begins("<!") || begins("]") || begins(">") || begins("%") {
                offset += step
                guard skip(past: ">") else { return false }
            } else {
                return isElement(byte)
            }
        }
        return false
    }

    /// `<svg` or `<prefix:svg`.
    private static func isElement(_ byte: (Int) -> UInt8) -> Bool {
        guard byte(0) == UInt8(ascii: "<") else { return false }
        var name: [UInt8] = []
        var index = 1
        while index < 32 {
            let next = byte(index)
            if next <= 0x20 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { break }
            if next == UInt8(ascii: ":") { name = [] } else { name.append(next) }
            index += 1
        }
        return name == Array("svg".utf8)
    }
}
