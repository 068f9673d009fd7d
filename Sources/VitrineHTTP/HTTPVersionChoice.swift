/// Which version of HTTP a transport speaks.
public enum HTTPVersionChoice: Sendable, Hashable, CaseIterable {
    /// HTTP/2 where the server offers it over TLS (RFC 7301), else HTTP/1.1.
    case negotiated
    /// HTTP/1.1 only.
    case http11
    /// HTTP/2 only, without asking over plain connections (RFC 9113 §3.3); a server that does not
    /// speak it is an error.
    case http2
}
