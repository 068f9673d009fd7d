public import FoundationEssentials
import VitrineBase

/// Where an ``HTTPCache`` keeps responses.
///
/// A store may forget anything at any time, and its own troubles (a full disk, a broken file) are
/// its own: to the cache they are misses, never errors.
public protocol ResponseStore: Sendable {
    /// What is stored under the key, with its whole body; nil if nothing is.
    func response(for key: ResponseKey) async -> StoredResponse?

    /// Stores a response whose body is complete, in place of what is there.
    func store(_ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey) async

    /// Replaces the head of what is stored, after a 304 (RFC 9111, section 4.3.4).
    func update(_ head: StoredResponse.Head, for key: ResponseKey) async

    /// Forgets what is stored under the key.
    func remove(_ key: ResponseKey) async
}

/// The name of a stored response: the method, the URL with its query, and the credential partition.
public struct ResponseKey: Sendable, Hashable {
    /// The key as one line of text: `GET https://host/path`, and where there is a partition, a
    /// digest of it. Neither a credential nor a partition's name can be read from it.
    public let text: String

    /// - Parameters:
    ///   - request: what is asked for; its fragment does not count.
    ///   - partition: whose response it is; nil takes the request's `Authorization`, else the user
    ///     info of its URL.
    public init(_ request: HTTP.Request, partition: String? = nil) {
        let (resource, userInfo) = Self.parts(of: request.url)
        let owner = partition ?? request.headers["Authorization"] ?? userInfo
        let digest = owner.map { " " + SHA256.hex($0.utf8) } ?? ""
        text = "\(request.method.rawValue) \(resource)\(digest)"
    }

    /// The URL without its fragment and user info, and that user info.
    private static func parts(of url: URL) -> (resource: String, userInfo: String?) {
        let whole = url.absoluteString.prefix { $0 != "#" }
        guard let scheme = whole.firstRange(of: "://") else { return (String(whole), nil) }
        let rest = whole[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return (String(whole), nil) }
        let resource = whole[..<scheme.upperBound] + rest[rest.index(after: at)...]
        return (String(resource), String(authority[..<at]))
    }
}

/// A response as a store keeps it.
public struct StoredResponse: Sendable {
    /// All but the body.
    public struct Head: Sendable, Hashable, Codable {
        /// One header line.
        public struct Field: Sendable, Hashable, Codable {
            public let name: String
            public let value: String
        }

        /// The status code.
        public var status: Int
        /// The header lines, in the server's order.
        public var headers: [Field]
        /// What the request had in the headers that `Vary` names (RFC 9111, section 4.1); absent
        /// headers have the empty value.
        public var selectedBy: [Field]
        /// When the request was sent, in seconds since 1970.
        public var sentAt: Double
        /// When the head arrived, in seconds since 1970.
        public var receivedAt: Double
    }

    public var head: Head
    public var body: Data

    public init(head: Head, body: Data) {
        self.head = head
        self.body = body
    }
}

extension StoredResponse.Head {
    init(
        status: Int, headers: HTTP.Headers, request: HTTP.Request, sentAt: Double,
        receivedAt: Double
    ) {
        self.init(
            status: status, headers: headers.map { Field(name: $0.name, value: $0.value) },
            selectedBy: Self.varyNames(headers).map {
                Field(name: $0, value: request.headers[$0] ?? "")
            },
            sentAt: sentAt, receivedAt: receivedAt)
    }

    /// The header lines as the transport gives them.
    var httpHeaders: HTTP.Headers {
        var result = HTTP.Headers()
        for field in headers { result.add(field.name, field.value) }
        return result
    }

    /// Whether the request would select this response (RFC 9111, section 4.1).
    func isSelected(by request: HTTP.Request) -> Bool {
        selectedBy.allSatisfy { $0.value == request.headers[$0.name] ?? "" }
    }

    /// The header with what a 304 brought (RFC 9111, section 3.2): its lines replace those of the
    /// same name, but for the ones that describe the body.
    func merged(
        with notModified: HTTP.Headers, sentAt: Double, receivedAt: Double
    ) -> StoredResponse.Head {
        let kept: Set<String> = [
            "content-length", "content-encoding", "content-range", "content-type",
            "transfer-encoding", "connection", "keep-alive",
        ]
        var merged = httpHeaders
        let names = Set(notModified.map { $0.name.lowercased() }).subtracting(kept)
        for name in names {
            merged.remove(name)
            for value in notModified.values(for: name) { merged.add(name, value) }
        }
        var copy = self
        copy.headers = merged.map { Field(name: $0.name, value: $0.value) }
        copy.sentAt = sentAt
        copy.receivedAt = receivedAt
        return copy
    }

    static func varyNames(_ headers: HTTP.Headers) -> [String] {
        headers.values(for: "Vary").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    }
}
