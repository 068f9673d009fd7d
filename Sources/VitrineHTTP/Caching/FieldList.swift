/// Comma-separated lists in header fields (RFC 9110, section 5.6.1).
enum FieldList {
    /// The members of one value: split at commas outside quoted strings, without the white space
    /// around them and without empty members. A quotation mark that is never closed reaches to the
    /// end.
    static func members(_ value: String) -> [String] {
        let bytes = Array(value.utf8)
        var members: [String] = []
        var isQuoted = false
        var isEscaped = false
        var start = 0
        func close(at end: Int) {
            let member = trimmed(bytes[start..<end])
            if !member.isEmpty { members.append(String(decoding: member, as: UTF8.self)) }
        }
        for (index, byte) in bytes.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                close(at: index)
                start = index + 1
            }
        }
        close(at: bytes.count)
        return members
    }

    /// The text without spaces and tabs at its ends.
    static func trimmed(_ text: Substring.UTF8View) -> String {
        String(decoding: trimmed(Array(text)[...]), as: UTF8.self)
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}

extension HTTP.Headers {
    /// The members of all lines of a list field.
    func members(of name: String) -> [String] { values(for: name).flatMap(FieldList.members) }
}
