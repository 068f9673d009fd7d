/// The values of HTTP: requests, responses and what they are made of.
///
/// They live in here so that they clash with nobody's `Request` or `Response`.
public enum HTTP {}

extension HTTP {
    /// What is asked of the server (RFC 9110 §9); case-sensitive.
    public struct Method: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The method as it is sent.
        public let rawValue: String

        /// A method by its name as it is sent, for example `PATCH`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The methods of RFC 9110 §9.3, and `PATCH` (RFC 5789).
        public static let get = Method(rawValue: "GET")
        public static let head = Method(rawValue: "HEAD")
        public static let post = Method(rawValue: "POST")
        public static let put = Method(rawValue: "PUT")
        public static let patch = Method(rawValue: "PATCH")
        public static let delete = Method(rawValue: "DELETE")
        public static let options = Method(rawValue: "OPTIONS")

        public var description: String { rawValue }

        /// Whether it asks for nothing but information (RFC 9110 §9.2.1).
        public var isSafe: Bool {
            [.get, .head, .options, Method(rawValue: "TRACE")].contains(self)
        }

        /// Whether asking twice does no more than asking once (RFC 9110 §9.2.2).
        public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
    }

    /// The protocol version in which a response came.
    public enum Version: String, Sendable, Hashable, CustomStringConvertible {
        case http10 = "HTTP/1.0"
        case http11 = "HTTP/1.1"
        case http2 = "HTTP/2"
        case http3 = "HTTP/3"

        public var description: String { rawValue }
    }
}
