import VitrineBase

/// Which of the responses of one URL a request selects (RFC 9111, section 4.1).
enum Vary {
    /// More names than any sensible server gives; a response with more is not stored.
    private static let nameLimit = 32

    /// The names in lower case, sorted, each once; nil where no request ever matches: for `*`, and
    /// for more names than can be looked at.
    static func names(in headers: HTTP.Headers) -> [String]? {
        let names = Set(headers.members(of: "Vary").map { $0.lowercased() })
        return names.contains("*") || names.count > nameLimit ? nil : names.sorted()
    }

    /// What the request has in the fields that `Vary` names, normalised; an absent field has no
    /// line, which is not the same as an empty one. Secrets are kept as digests.
    static func selection(
        of request: HTTP.Request, by names: [String]
    ) -> [HTTP.Headers.Field] {
        names.compactMap { name in
            let lines = request.headers.values(for: name)
            guard !lines.isEmpty else { return nil }
            if request.isSecret(name) {
                let digest = SHA256.hex(lines.joined(separator: ", ").utf8)
                return HTTP.Headers.Field(name: name, value: digest)
            }
            return HTTP.Headers.Field(name: name, value: normalised(lines, of: name))
        }
    }

    /// The lines of one field so that equal meaning gives equal text: one line, one space after each
    /// comma, and where a field's values have no case, in lower case.
    static func normalised(_ lines: [String], of name: String) -> String {
        let value = lines.flatMap(FieldList.members).joined(separator: ", ")
        return caseless.contains(name) ? value.lowercased() : value
    }

    private static let caseless: Set<String> = [
        "accept-charset", "accept-encoding", "accept-language",
    ]
}
