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

        /// Hand over the content (RFC 9110 §9.3.1).
        public static let get = Method(rawValue: "GET")
        /// Hand over the header fields alone (RFC 9110 §9.3.2).
        public static let head = Method(rawValue: "HEAD")
        /// Process what is sent (RFC 9110 §9.3.3).
        public static let post = Method(rawValue: "POST")
        /// Put what is sent in the place of what is there (RFC 9110 §9.3.4).
        public static let put = Method(rawValue: "PUT")
        /// Change a part of what is there (RFC 5789).
        public static let patch = Method(rawValue: "PATCH")
        /// Remove what is there (RFC 9110 §9.3.5).
        public static let delete = Method(rawValue: "DELETE")
        /// Say what can be asked (RFC 9110 §9.3.7).
        public static let options = Method(rawValue: "OPTIONS")

        /// The method as it is sent.
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
        /// RFC 1945.
        case http10 = "HTTP/1.0"
        /// RFC 9112.
        case http11 = "HTTP/1.1"
        /// RFC 9113.
        case http2 = "HTTP/2"
        /// RFC 9114.
        case http3 = "HTTP/3"

        /// For example "HTTP/2".
        public var description: String { rawValue }
    }
}
