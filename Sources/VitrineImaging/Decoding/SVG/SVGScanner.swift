/// The tags and texts of an XML document, one after the other.
///
/// No more of XML 1.0 than an SVG needs: entities are those that XML knows by itself, a DOCTYPE without
/// declarations, comments and processing instructions are passed over. It holds nothing but its place.
struct SVGScanner {
    struct Attribute: Equatable {
        var name: String
        /// With references resolved and white space as blanks (XML 1.0, 3.3.3).
        var value: String
    }

    enum Token: Equatable {
        case start(name: String, [Attribute], isEmpty: Bool)
        case end(name: String)
        case text(String)
    }

    /// More attributes than that has no element of any picture.
    static let mostAttributes = 256

    private let bytes: ByteReader
    private var offset = 0

    /// - Throws: ``SVGRefusal/encoding`` for text that is not UTF-8.
    init(_ bytes: ByteReader) throws(ImagingError) {
        guard bytes.isUTF8 else { throw .svgRefused(.encoding) }
        self.bytes = bytes
        if bytes.begins([0xEF, 0xBB, 0xBF]) { offset = 3 }
        if bytes.begins("<?xml", at: offset), Self.isBlank(bytes[offset + 5]) {
            try declaration()
        }
    }

    /// The next token; nil at the end of the file.
    mutating func next() throws(ImagingError) -> Token? {
        while let byte = bytes.byte(at: offset) {
            guard byte == UInt8(ascii: "<") else { return try text() }
            switch bytes[offset + 1] {
            case UInt8(ascii: "/"): return try endTag()
            case UInt8(ascii: "?"): try instruction()
            case UInt8(ascii: "!"):
                if bytes.begins("<!--", at: offset) {
                    try skip(past: "-->", from: offset + 4)
                } else if bytes.begins("<![CDATA[", at: offset) {
                    let start = offset + 9
                    try skip(past: "]]>", from: start)
                    return .text(bytes.text(start..<offset - 3))
                } else if bytes.begins("<!DOCTYPE", at: offset) {
                    try documentType()
                } else {
                    throw Self.malformed("a declaration stands where none can")
                }
            default: return try startTag()
            }
        }
        return nil
    }

    // MARK: - Declarations

    private mutating func declaration() throws(ImagingError) {
        let start = offset
        try skip(past: "?>", from: offset + 5)
        let text = bytes.text(start..<offset - 2).lowercased()
        guard let place = text.firstRange(of: "encoding") else { return }
        let value = text[place.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\t" }
        guard let quote = value.first, quote == "\"" || quote == "'" else {
            throw Self.malformed("its XML declaration is wrong")
        }
        let name = value.dropFirst().prefix { $0 != quote }
        // What is ASCII in these is the same in UTF-8.
        let isSubset = ["us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252"].contains(name)
        guard name == "utf-8" || name == "utf8" || (isSubset && bytes.isASCII) else {
            throw .svgRefused(.encoding)
        }
    }

    private mutating func instruction() throws(ImagingError) {
        if bytes.begins("<?xml-stylesheet", at: offset) {
            throw .svgRefused(.styleSheetInstruction)
        }
        try skip(past: "?>", from: offset + 2)
    }

    private mutating func documentType() throws(ImagingError) {
        offset += 9
        while let byte = bytes.byte(at: offset) {
            offset += 1
            switch byte {
            case UInt8(ascii: ">"): return
            case UInt8(ascii: "["): throw .svgRefused(.internalSubset)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                while let other = bytes.byte(at: offset), other != byte { offset += 1 }
                offset += 1
            default: break
            }
        }
        throw .truncated(format: .svg)
    }

    private mutating func skip(past end: String, from start: Int) throws(ImagingError) {
        let pattern = Array(end.utf8)
        var place = start
        while place < bytes.count {
            if bytes[place] == pattern[0], bytes.begins(pattern, at: place) {
                offset = place + pattern.count
                return
            }
            place += 1
        }
        throw .truncated(format: .svg)
    }

    // MARK: - Tags

    private mutating func endTag() throws(ImagingError) -> Token {
        offset += 2
        let name = try name()
        skipBlanks()
        try expect(">")
        return .end(name: name)
    }

    private mutating func startTag() throws(ImagingError) -> Token {
        offset += 1
        let tag = try name()
        var attributes: [Attribute] = []
        while true {
            let hadBlank = skipBlanks()
            guard let byte = bytes.byte(at: offset) else { throw .truncated(format: .svg) }
            if byte == UInt8(ascii: ">") {
                offset += 1
                return .start(name: tag, attributes, isEmpty: false)
            }
            if byte == UInt8(ascii: "/") {
                offset += 1
                try expect(">")
                return .start(name: tag, attributes, isEmpty: true)
            }
            guard hadBlank else { throw Self.malformed("a tag is not well formed") }
            let name = try name()
            guard !attributes.contains(where: { $0.name == name }) else {
                throw Self.malformed("an attribute stands twice")
            }
            skipBlanks()
            try expect("=")
            skipBlanks()
            attributes.append(Attribute(name: name, value: try value()))
            guard attributes.count <= Self.mostAttributes else {
                throw .svgRefused(.tooManyElements)
            }
        }
    }

    private mutating func name() throws(ImagingError) -> String {
        let start = offset
        while let byte = bytes.byte(at: offset), Self.isNameByte(byte) { offset += 1 }
        guard offset > start, offset - start <= 256 else {
            if offset == bytes.count { throw .truncated(format: .svg) }
            throw Self.malformed("a name is missing or has no end")
        }
        return bytes.text(start..<offset)
    }

    private mutating func value() throws(ImagingError) -> String {
        guard let quote = bytes.byte(at: offset) else { throw .truncated(format: .svg) }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw Self.malformed("an attribute has no quotes")
        }
        offset += 1
        let value = try characters(until: quote, isValue: true)
        offset += 1
        return value
    }

    private mutating func text() throws(ImagingError) -> Token {
        .text(try characters(until: UInt8(ascii: "<"), isValue: false))
    }

    /// What stands before the byte `end`, with references resolved; `offset` is then at that byte.
    private mutating func characters(
        until end: UInt8, isValue: Bool
    ) throws(ImagingError) -> String {
        var result: [UInt8] = []
        while let byte = bytes.byte(at: offset), byte != end {
            if byte == UInt8(ascii: "&") {
                result.append(contentsOf: try reference())
                continue
            }
            if byte < 0x20 {
                guard Self.isBlank(byte) else { throw Self.malformed("it has control characters") }
                result.append(isValue ? 0x20 : byte)
            } else {
                guard byte != UInt8(ascii: "<") else {
                    throw Self.malformed("a value contains a tag")
                }
                result.append(byte)
            }
            offset += 1
        }
        if isValue, offset >= bytes.count { throw .truncated(format: .svg) }
        return String(decoding: result, as: UTF8.self)
    }

    /// A character by its number, or one of the five entities of XML (4.6).
    private mutating func reference() throws(ImagingError) -> String.UTF8View {
        let start = offset + 1
        var end = start
        while let byte = bytes.byte(at: end), byte != UInt8(ascii: ";"), end - start < 12 {
            end += 1
        }
        guard bytes[end] == UInt8(ascii: ";") else {
            if end >= bytes.count { throw .truncated(format: .svg) }
            throw Self.malformed("a reference has no end")
        }
        let name = bytes.text(start..<end)
        offset = end + 1
        guard name.hasPrefix("#") else {
            switch name {
            case "amp": return "&".utf8
            case "lt": return "<".utf8
            case "gt": return ">".utf8
            case "quot": return "\"".utf8
            case "apos": return "'".utf8
            default: throw .svgRefused(.entity)
            }
        }
        let digits = name.dropFirst()
        let number =
            digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, let scalar = Unicode.Scalar(number),
            number >= 0x20 || number == 9 || number == 10 || number == 13,
            number != 0xFFFE, number != 0xFFFF
        else { throw Self.malformed("a reference means no character") }
        return String(Character(scalar)).utf8
    }

    // MARK: - Bytes

    private mutating func expect(_ mark: Unicode.Scalar) throws(ImagingError) {
        guard let byte = bytes.byte(at: offset) else { throw .truncated(format: .svg) }
        guard byte == UInt8(ascii: mark) else { throw Self.malformed("a tag is not well formed") }
        offset += 1
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = offset
        while let byte = bytes.byte(at: offset), Self.isBlank(byte) { offset += 1 }
        return offset > start
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 9 || byte == 10 || byte == 13
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xFF:
            true
        default: false
        }
    }

    static func malformed(_ reason: String) -> ImagingError {
        .corrupt(format: .svg, reason: reason)
    }
}

extension ByteReader {
    /// The text in `range`; what is not UTF-8 in it is replaced.
    fileprivate func text(_ range: Range<Int>) -> String {
        guard let part = part(at: range.lowerBound, count: range.count) else { return "" }
        var text = ""
        part.withBytes { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    fileprivate var isUTF8: Bool {
        var isValid = false
        withBytes { isValid = String(validating: $0, as: UTF8.self) != nil }
        return isValid
    }

    fileprivate var isASCII: Bool {
        var isValid = false
        withBytes { isValid = $0.allSatisfy { $0 < 0x80 } }
        return isValid
    }
}
