/// What a server asks for in a `WWW-Authenticate` header (RFC 9110 §11.3, §11.6.1).
struct Challenge: Hashable {
    /// The scheme in lower case.
    let scheme: String
    /// The parameters, their names in lower case; of two with one name the first counts.
    let parameters: [String: String]

    /// All challenges in the lines of a header, in their order. What cannot be read ends its line.
    static func all(in lines: [String]) -> [Challenge] {
        lines.flatMap { line in
            var reader = Reader(rest: Array(line.utf8)[...])
            return reader.challenges()
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func challenges() -> [Challenge] {
            var found: [Challenge] = []
            skip(separators)
            while let scheme = token() {
                var parameters: [String: String] = [:]
                skip(spaces)
                skipCredentialsToken()
                while let (name, value) = parameter() {
                    if parameters[name] == nil { parameters[name] = value }
                    skip(separators)
                }
                found.append(Challenge(scheme: scheme.lowercased(), parameters: parameters))
                skip(separators)
            }
            return found
        }

        /// `name = token` or `name = "quoted"`; nil, and nothing read, if that is not what follows: then
        /// it is the next scheme.
        private mutating func parameter() -> (name: String, value: String)? {
            let start = rest
            guard let name = token() else { return nil }
            skip(spaces)
            guard rest.first == UInt8(ascii: "=") else {
                rest = start
                return nil
            }
            rest.removeFirst()
            skip(spaces)
            guard let value = rest.first == UInt8(ascii: "\"") ? quoted() : token() else {
                rest = []
                return nil
            }
            return (name.lowercased(), value)
        }

        /// What `Negotiate` and others have in place of parameters: `token68`, which is not looked at.
        private mutating func skipCredentialsToken() {
            let end = rest.firstIndex { separators.contains($0) } ?? rest.endIndex
            let text = rest[..<end]
            let body = text.prefix { $0 != UInt8(ascii: "=") }
            let padding = text[body.endIndex...]
            let isToken68 = padding.allSatisfy { $0 == UInt8(ascii: "=") }
            guard !text.isEmpty, isToken68, !padding.isEmpty || body.contains(where: isOnlyIn68)
            else { return }
            // `realm= "x"`, with a space that should not be there, is a parameter.
            var after = rest[end...]
            after = after.drop { spaces.contains($0) }
            guard after.isEmpty || after.first == UInt8(ascii: ",") else { return }
            rest = after
            skip(separators)
        }

        private func isOnlyIn68(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "+")
        }

        private mutating func token() -> String? {
            let text = rest.prefix {
                $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
            }
            guard !text.isEmpty else { return nil }
            rest = rest[text.endIndex...]
            return String(decoding: text, as: UTF8.self)
        }

        /// A quoted string (RFC 9110 §5.6.4); nil if it does not end.
        private mutating func quoted() -> String? {
            rest.removeFirst()
            var text: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst() else { return nil }
                    text.append(escaped)
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func skip(_ bytes: Set<UInt8>) { rest = rest.drop { bytes.contains($0) } }
    }
}

private let spaces: Set<UInt8> = [0x20, 0x09]
private let separators: Set<UInt8> = [0x20, 0x09, UInt8(ascii: ",")]
