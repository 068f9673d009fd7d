public import FoundationEssentials

extension HTTP {
    /// The head of a response, and its body as it arrives.
    public struct Response: Sendable, CustomStringConvertible, CustomReflectable {
        /// Where a response came from.
        public enum Source: Sendable, Hashable {
            /// The server sent all of it.
            case network
            /// A cache had it, and no server was asked.
            case cache
            /// A cache had it, and the server said that it still holds (304).
            case revalidated
        }

        /// A redirect that was followed on the way to this response.
        public struct Hop: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
            /// The URL that was asked.
            public let url: URL
            /// The status that sent the request elsewhere.
            public let status: Int
            /// Until when this redirect is fresh; nil if it is not, or if no cache has judged it.
            public let freshUntil: Date?

            /// A hop with these facts.
            public init(url: URL, status: Int, freshUntil: Date? = nil) {
                self.url = url
                self.status = status
                self.freshUntil = freshUntil
            }

            /// Status and URL, without what may be secret.
            public var description: String { "\(status) \(url.redacted)" }

            /// Nothing below the description.
            public var customMirror: Mirror { Mirror(self, children: []) }
        }

        /// The URL that was asked; after redirects the last one.
        public var url: URL
        /// The final status code (RFC 9110 §15), never 1xx.
        public var status: Int
        /// The protocol version.
        public var version: Version
        /// The header fields, without trailers.
        public var headers: Headers
        /// The content; single reader.
        public var body: Body
        /// Where it came from.
        public var source: Source
        /// Until when it is fresh, a moment in the past if it has become stale; set by a cache only,
        /// nil if it was stale on arrival, or is not known.
        public var freshUntil: Date?
        /// When the head arrived from the server, as far as a cache has noted it: long ago, if it was
        /// stored.
        public var receivedAt: Date?
        /// Under what a cache has it, or will have it once the ticket is used.
        package var place: Place?
        /// Stores the body in a cache, if one wants it.
        public var ticket: StoreTicket?
        /// Drops what a cache had of it, whole or in part, should that turn out to be damaged; nil if
        /// all of it came from the server.
        package var discard: (@Sendable () async -> Void)?
        /// With how many bytes that a cache held of an earlier transfer the body begins or ends; the
        /// server has sent the others.
        package var heldBytes = 0
        /// Why a cache answered by itself although it had to ask the server: what became of that;
        /// nil for every other response.
        public var cause: TransportError?
        /// How long each phase took.
        public var timings: Timings
        /// The redirects that led here, first one first.
        public var redirects: [Hop]

        /// A response with these parts.
        public init(
            url: URL, status: Int, version: Version = .http11, headers: Headers = [:],
            body: Body = .bytes(Data()), source: Source = .network, freshUntil: Date? = nil,
            ticket: StoreTicket? = nil, timings: Timings = Timings(), redirects: [Hop] = [],
            cause: TransportError? = nil
        ) {
            self.url = url
            self.status = status
            self.version = version
            self.headers = headers
            self.body = body
            self.source = source
            self.freshUntil = freshUntil
            self.ticket = ticket
            self.timings = timings
            self.redirects = redirects
            self.cause = cause
        }

        /// A response's place in a store.
        package struct Place: Sendable, Hashable {
            package let key: ResponseKey
            package let variant: String
            /// The URL from which it came, without fragment and user info, if it lies under a name.
            package var url: String?

            package init(key: ResponseKey, variant: String, url: String? = nil) {
                self.key = key
                self.variant = variant
                self.url = url
            }
        }

        /// Status and URL without what may be secret.
        public var description: String { "\(version) \(status) \(url.redacted)" }

        /// Nothing below the description.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// How long the phases of an exchange took; nil where a phase did not happen.
    public struct Timings: Sendable, Hashable {
        /// Finding the server's address.
        public var nameLookup: Duration?
        /// The TCP connection, without name resolution.
        public var connect: Duration?
        /// The TLS handshake.
        public var tls: Duration?
        /// From the start of the exchange until the head was complete; includes all of the above.
        public var firstByte: Duration?
        /// Whether a connection was used that was already open.
        public var reusedConnection: Bool

        /// Timings with these values.
        public init(
            nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
            firstByte: Duration? = nil, reusedConnection: Bool = false
        ) {
            self.nameLookup = nameLookup
            self.connect = connect
            self.tls = tls
            self.firstByte = firstByte
            self.reusedConnection = reusedConnection
        }
    }
}
