import FoundationEssentials

/// The directives of `Cache-Control` header fields (RFC 9111, section 5.2), parsed leniently.
///
/// Names are compared without case; unknown directives are ignored; where a directive comes twice,
/// the first counts (RFC 9111, section 4.2.1 leaves that choice).
package struct CacheControl: Sendable, Hashable {
    private let directives: [String: String?]

    package init(_ headers: HTTP.Headers) {
        var found: [String: String?] = [:]
        for line in headers.values(for: "Cache-Control") {
            for (name, argument) in Self.parse(line) where found[name] == nil {
                found[name] = .some(argument)
            }
        }
        directives = found
    }

    package func has(_ name: String) -> Bool { directives[name] != nil }

    /// The directive's argument as seconds; nil if it is absent or not a number.
    ///
    /// Numbers above 2³¹ count as 2³¹ (RFC 9111, section 1.2.2).
    package func seconds(_ name: String) -> Int? {
        guard case .some(.some(let text)) = directives[name], !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return min(Int(text) ?? Int.max, 1 << 31)
    }

    /// Splits at commas outside quoted strings.
    private static func parse(_ line: String) -> [(String, String?)] {
        var result: [(String, String?)] = []
        var rest = line.utf8[...]
        while !rest.isEmpty {
            let name = take(&rest) { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
            var argument: String?
            if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                argument = takeArgument(&rest)
            }
            take(&rest) { $0 != UInt8(ascii: ",") }
            rest = rest.dropFirst()
            let trimmed = trim(name)
            if !trimmed.isEmpty { result.append((trimmed.lowercased(), argument)) }
        }
        return result
    }

    private static func takeArgument(_ rest: inout Substring.UTF8View) -> String {
        while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
        guard rest.first == UInt8(ascii: "\"") else {
            return trim(take(&rest) { $0 != UInt8(ascii: ",") })
        }
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    @discardableResult
    private static func take(
        _ rest: inout Substring.UTF8View, while condition: (UInt8) -> Bool
    ) -> Substring.UTF8View {
        let head = rest.prefix(while: condition)
        rest = rest[head.endIndex...]
        return head
    }

    private static func trim(_ text: Substring.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }
}
