/// Header fields that the user wants sent.
///
/// Values are not repeated in messages, since they may be secrets.
struct HeaderOptions: Equatable {
    private(set) var values: [String: String] = [:]
    private(set) var secrets: Set<String> = []

    /// Adds `Name: value`.
    mutating func add(
        _ text: String, of option: String, isSecret: Bool
    ) throws(UsageError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard parts.count == 2, Self.isToken(name) else {
            throw UsageError("\(option) takes a field such as 'Accept-Language: de'.")
        }
        let lowercased = name.lowercased()
        guard !Self.ownFields.contains(lowercased), !lowercased.hasPrefix("if-") else {
            throw UsageError("\(option) cannot set \(name), which belongs to vitrine itself.")
        }
        guard !values.keys.contains(where: { $0.lowercased() == lowercased }) else {
            throw UsageError("The header field \(name) can be given only once.")
        }
        let value = String(Self.trimmed(parts[1]))
        guard
            value.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F })
        else { throw UsageError("The header field \(name) has a control character in it.") }
        values[name] = value
        if isSecret { secrets.insert(name) }
    }

    /// Those that say where a message ends or of what it is a part; with them the answer would be no
    /// picture.
    private static let ownFields: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "range", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// As RFC 9110, section 5.6.2, has it.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
