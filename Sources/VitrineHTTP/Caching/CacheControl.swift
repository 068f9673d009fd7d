/// The directives of `Cache-Control` header fields (RFC 9111, section 5.2).
///
/// Names are compared without case, unknown directives are ignored. Arguments may be tokens or quoted
/// strings. Where a directive comes twice, the first counts (section 4.2.1); of `no-cache` and
/// `private`, which may name fields, the form that forbids more. What breaks the grammar, such as
/// `max-age = 5`, is there but has no value, so that a lifetime is not guessed.
struct CacheControl: Sendable, Hashable {
    private var directives: [String: String?] = [:]

    init(_ headers: HTTP.Headers) {
        for member in headers.members(of: "Cache-Control") { add(member) }
    }

    private mutating func add(_ member: String) {
        let bytes = member.utf8
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        let key = FieldList.trimmed(name).lowercased()
        guard !key.isEmpty else { return }
        guard name.endIndex != bytes.endIndex else {
            // Without an argument `no-cache` means every field, whatever else is said of it.
            if directives[key] == nil || key == "no-cache" { directives[key] = .some(nil) }
            return
        }
        let argument = Self.argument(bytes[name.endIndex...].dropFirst())
        let isSpaced = bytes[..<name.endIndex].last.map { $0 == 0x20 || $0 == 0x09 } ?? false
        switch directives[key] {
        case nil: directives[key] = .some(isSpaced ? "" : argument)
        case .some(.some(let fields)) where key == "no-cache":
            directives[key] = .some("\(fields), \(argument)")
        default: break
        }
    }

    /// The argument without its quotation marks; a space before it stays and spoils it.
    private static func argument(_ text: Substring.UTF8View) -> String {
        guard text.first == UInt8(ascii: "\"") else {
            return String(decoding: text, as: UTF8.self)
        }
        var value: [UInt8] = []
        var rest = text.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        // After the closing mark nothing may follow.
        return rest.isEmpty ? String(decoding: value, as: UTF8.self) : ""
    }

    /// Whether the directive is there, with or without an argument.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// Whether the directive is there without an argument.
    func hasBare(_ name: String) -> Bool {
        guard case .some(.none) = directives[name] else { return false }
        return true
    }

    /// The directive's argument as seconds, at most 2³¹; nil if it is absent or not a number.
    func seconds(_ name: String) -> Int? {
        guard case .some(.some(let text)) = directives[name] else { return nil }
        return DeltaSeconds.parse(text)
    }

    /// Whether nothing of the response may be reused before the server was asked. `no-cache` with
    /// an argument that names no field counts as the one without (RFC 9111, section 5.2.2.4).
    var forbidsReuseUnasked: Bool { has("no-cache") && noCacheFields.isEmpty }

    /// The fields, in lower case, that may not be reused before the server was asked.
    var noCacheFields: Set<String> {
        guard case .some(.some(let fields)) = directives["no-cache"] else { return [] }
        return Set(FieldList.members(fields).map { $0.lowercased() })
    }
}
