/// The words of an XBM file, which is a piece of C: names and numbers, single marks; space and comments
/// are skipped.
struct XBMScanner {
    enum Word: Equatable {
        /// A name or a number.
        case text(Range<Int>)
        /// Anything else: `#`, `{`, `,`, …
        case mark(UInt8)
    }

    private let bytes: ByteReader
    private(set) var offset = 0

    init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    /// The next word; nil at the end.
    mutating func next() -> Word? {
        skipBlanks()
        guard let first = bytes.byte(at: offset) else { return nil }
        let start = offset
        while let byte = bytes.byte(at: offset), Self.isWordByte(byte) { offset += 1 }
        guard offset == start else { return .text(start..<offset) }
        offset += 1
        return .mark(first)
    }

    /// Whether `word` is this name.
    func matches(_ word: Word?, _ name: String) -> Bool {
        guard case .text(let range) = word, range.count == name.utf8.count else { return false }
        return bytes.begins(name, at: range.lowerBound)
    }

    /// Whether `word` ends with `ending`, after an underscore or alone.
    func ends(_ word: Word?, with ending: String) -> Bool {
        let count = ending.utf8.count
        guard case .text(let range) = word, range.count >= count,
            bytes.begins(ending, at: range.upperBound - count)
        else { return false }
        return range.count == count || bytes[range.upperBound - count - 1] == UInt8(ascii: "_")
    }

    /// The number that `word` is, as C writes it: 16, 0x10 or 020; nil if it is none or beyond 32 bits.
    func number(_ word: Word?) -> Int? {
        guard case .text(let range) = word else { return nil }
        var digits = range
        var radix = 10
        if bytes[range.lowerBound] == UInt8(ascii: "0"), range.count > 1 {
            let isHex = bytes[range.lowerBound + 1] | 0x20 == UInt8(ascii: "x")
            radix = isHex ? 16 : 8
            digits = (range.lowerBound + (isHex ? 2 : 1))..<range.upperBound
        }
        guard !digits.isEmpty else { return nil }
        var value = 0
        for index in digits {
            guard let digit = Self.digit(bytes[index]), digit < radix else { return nil }
            value = value * radix + digit
            guard value <= Int(UInt32.max) else { return nil }
        }
        return value
    }

    private mutating func skipBlanks() {
        let slash = UInt8(ascii: "/")
        let star = UInt8(ascii: "*")
        while let byte = bytes.byte(at: offset) {
            if byte == 0x20 || (9...13).contains(byte) {
                offset += 1
            } else if byte == slash, bytes[offset + 1] == star {
                offset += 2
                while offset < bytes.count, bytes[offset] != star || bytes[offset + 1] != slash {
                    offset += 1
                }
                offset = min(bytes.count, offset + 2)
            } else if byte == slash, bytes[offset + 1] == slash {
                while let other = bytes.byte(at: offset), other != 10, other != 13 { offset += 1 }
            } else {
                return
            }
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "-"), 0x80...0xFF:
            true
        default: false
        }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
