/// Comma-separated lists in header fields (RFC 9110, section 5.6.1).
enum FieldList {
    /// The members of one value: split at commas outside quoted strings, without the white space
    /// around them and without empty members. A quotation mark that is never closed reaches to the
    /// end.
    static func members(_ value: String) -> [String] {
        var members: [String] = []
        var isQuoted = false
        var isEscaped = false
        var start = value.utf8.startIndex
        func close(at end: String.Index) {
            let member = trimmed(value.utf8[start..<end])
            if !member.isEmpty { members.append(member) }
        }
        for index in value.utf8.indices {
            let byte = value.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                close(at: index)
                start = value.utf8.index(after: index)
            }
        }
        close(at: value.utf8.endIndex)
        return members
    }

    /// The text without spaces and tabs at its ends.
    static func trimmed(_ text: Substring.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }
}

extension HTTP.Headers {
    /// The members of all lines of a list field.
    func members(of name: String) -> [String] { values(for: name).flatMap(FieldList.members) }

    /// The first line of a name: what counts where a field that may come once comes twice.
    func first(_ name: String) -> String? { values(for: name).first }
}
