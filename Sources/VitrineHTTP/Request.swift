public import FoundationEssentials

extension HTTP {
    /// One request to one server, as it is to be sent.
    public struct Request: Sendable, CustomStringConvertible, CustomReflectable {
        /// An `http` or `https` URL; its fragment is not sent.
        public var url: URL
        /// What is asked.
        public var method: Method
        /// The header fields to send beside `Host` and those of the transport.
        public var headers: Headers
        /// The content to send, if any; its length is added, its `Content-Type` is not.
        public var body: Data?
        /// Names of header fields that are secret, beside `Authorization`, `Cookie` and
        /// `Proxy-Authorization`; in any case.
        public var secretHeaders: Set<String>
        /// How long the exchange may take.
        public var timeouts: Timeouts
        /// The longest response body that is accepted, in bytes; a longer one is an error, found
        /// from `Content-Length` before the body or by counting.
        public var maximumBodyBytes: Int
        /// Whether HTTP/2 may be used over TLS.
        ///
        /// Set it to false for a long body that is read slowly: curl buffers 8 to 16 MB for a
        /// stream that is paused.
        public var allowsHTTP2: Bool
        /// The user as whom a transport below the cache will ask. It is a part of whose response it is.
        package var user: String?
        /// By what the certificate is known that a transport below the cache will show. It is a part of
        /// whose response it is, too.
        package var certificate: String?

        /// A request with these parts; the defaults are a plain `GET`.
        public init(
            _ url: URL, method: Method = .get, headers: Headers = [:], body: Data? = nil,
            secretHeaders: Set<String> = [], timeouts: Timeouts = Timeouts(),
            maximumBodyBytes: Int = 256 << 20, allowsHTTP2: Bool = true
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.secretHeaders = secretHeaders
            self.timeouts = timeouts
            self.maximumBodyBytes = maximumBodyBytes
            self.allowsHTTP2 = allowsHTTP2
        }

        /// Whether a header of that name must not reach another origin, a log or a file name.
        public func isSecret(_ headerName: String) -> Bool {
            let name = headerName.lowercased()
            return HTTP.secretHeaderNames.contains(name)
                || secretHeaders.contains { $0.lowercased() == name }
        }

        /// Method and URL without what may be secret.
        public var description: String { "\(method) \(url.redacted)" }

        /// Nothing below the description.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
