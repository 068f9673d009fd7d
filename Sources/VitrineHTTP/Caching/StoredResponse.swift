public import FoundationEssentials
import VitrineBase

/// A response as a store keeps it.
public struct StoredResponse: Sendable {
    /// All but the body.
    public struct Head: Sendable, Hashable {
        /// What a stored response is, which decides what it may stand for.
        public enum Kind: String, Sendable, Hashable {
            /// A whole representation, or a redirect.
            case complete
            /// A range of bytes (206).
            case partial
            /// The answer that there is none (400 and above). It stands beside the last good one,
            /// never in its place.
            case error
        }

        /// The status code.
        public var status: Int
        /// The header fields that may be stored, in the server's order.
        public var headers: HTTP.Headers
        /// What the request had in the fields that `Vary` names (RFC 9111, section 4.1), normalised,
        /// secrets as digests. Absent fields have no line.
        public var selectedBy: [HTTP.Headers.Field]
        /// When the request was sent, in seconds since 1970.
        public var sentAt: Double
        /// When the head arrived, in seconds since 1970.
        public var receivedAt: Double
        /// Until when it is fresh, in seconds since 1970, whatever its header says: infinity for ever,
        /// nil where HTTP decides. See ``CacheExpiry``.
        public var expiresAt: Double?
        /// The URL that was asked, without fragment and user info, of a response that is stored under a
        /// name; nil where the key has it.
        public var url: String?

        /// A head with these parts, as they were stored.
        public init(
            status: Int, headers: HTTP.Headers, selectedBy: [HTTP.Headers.Field], sentAt: Double,
            receivedAt: Double, expiresAt: Double? = nil, url: String? = nil
        ) {
            self.status = status
            self.headers = headers
            self.selectedBy = selectedBy
            self.sentAt = sentAt
            self.receivedAt = receivedAt
            self.expiresAt = expiresAt
            self.url = url
        }
    }

    /// What is known of it beside its body.
    public var head: Head
    /// Exactly the bytes that belong to the head: of a partial response, its range.
    public var body: Data

    /// A response with these parts.
    public init(head: Head, body: Data) {
        self.head = head
        self.body = body
    }
}

extension StoredResponse.Head {
    /// The head of what a server has just answered.
    init(
        status: Int, headers: HTTP.Headers, request: HTTP.Request, sentAt: Double,
        receivedAt: Double
    ) {
        let fields = StoredFields.of(headers, receivedAt: receivedAt)
        self.init(
            status: status, headers: fields,
            selectedBy: Vary.selection(of: request, by: Vary.names(in: fields) ?? []),
            sentAt: sentAt, receivedAt: receivedAt)
    }

    /// Whether it is a part, an error, or complete.
    public var kind: Kind { status == 206 ? .partial : status >= 400 ? .error : .complete }

    /// What tells the responses of one key apart: two of the same variant take each other's place.
    ///
    /// Empty for a complete response without `Vary`; else letters, digits and hyphens that give away
    /// nothing of what the request held.
    public var variant: String {
        let names = Vary.names(in: headers) ?? []
        if names.isEmpty { return kind == .complete ? "" : kind.rawValue }
        let text =
            names.joined(separator: ",") + "\n"
            + selectedBy.map { "\($0.name): \($0.value)\n" }.joined()
        return "\(kind.rawValue)-\(SHA256.hex(text.utf8).prefix(32))"
    }

    /// Whether the request would select this response (RFC 9111, section 4.1).
    func isSelected(by request: HTTP.Request) -> Bool {
        guard let names = Vary.names(in: headers) else { return false }
        return names.isEmpty || Vary.selection(of: request, by: names) == selectedBy
    }

    var freshness: Freshness {
        Freshness(
            status: status, headers: headers, sentAt: sentAt, receivedAt: receivedAt,
            expiresAt: expiresAt)
    }

    var validators: Validators { Validators(headers, receivedAt: receivedAt) }

    /// The head with what a 304, or the answer to a `HEAD`, has brought.
    func merged(
        with new: HTTP.Headers, sentAt: Double, receivedAt: Double
    ) -> StoredResponse.Head {
        var copy = self
        copy.headers = StoredFields.merged(
            headers, with: new, receivedAt: receivedAt, isPartial: kind == .partial)
        copy.sentAt = sentAt
        copy.receivedAt = receivedAt
        return copy
    }
}

extension StoredResponse.Head: CustomStringConvertible, CustomReflectable {
    /// The status and of what kind it is; what selects it may be a secret.
    public var description: String { "\(status) \(kind.rawValue)" }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
