/// An entity tag (RFC 9110, section 8.8.3).
///
/// One without quotation marks, as some servers send, is taken as it stands.
struct EntityTag: Sendable, Hashable {
    /// What follows the mark of weakness.
    let opaque: Substring
    let isWeak: Bool

    init(_ text: String) {
        isWeak = text.hasPrefix("W/")
        opaque = isWeak ? text.dropFirst(2) : text[...]
    }

    init?(_ headers: HTTP.Headers) {
        guard let text = headers.first("ETag"), !text.isEmpty else { return nil }
        self.init(text)
    }

    /// Byte by byte the same (RFC 9110, section 8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Of the same meaning.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}
