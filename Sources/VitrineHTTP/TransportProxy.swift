/// Which proxy stands between a transport and the servers.
///
/// Through an HTTP proxy, `https` goes by `CONNECT`, so that the proxy sees no header of the request.
/// A proxy is asked with `Basic` where its URL has credentials. They appear in no description.
public enum TransportProxy: Sendable, Hashable {
    /// None, whatever the environment says.
    case none
    /// As the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say. `HTTP_PROXY` in
    /// capitals is not looked at: in CGI programs it is under the control of whoever asks.
    case environment
    /// The one at this URL for everything, for example `http://user:password@proxy.example:3128`. The
    /// scheme is `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`; the last one and
    /// `socks4a` leave it to the proxy to look names up. Special characters in user or password are
    /// percent-encoded. `no_proxy` is not looked at.
    case url(String)

    private static let schemes: Set<String> = [
        "http", "https", "socks4", "socks4a", "socks5", "socks5h",
    ]

    /// Whether it can be tried at all; curl's own words would quote the URL with its password.
    func check(addressRule: AddressRule) throws(TransportError) {
        guard case .url(let text) = self else { return }
        guard addressRule.allowsEverything else {
            throw .proxy(
                reason: "not every address is allowed, and through a proxy none could be checked")
        }
        guard let mark = text.firstRange(of: "://") else {
            throw .proxy(reason: "its URL has no scheme")
        }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard Self.schemes.contains(scheme) else {
            throw .proxy(reason: "there is no kind of proxy of the name \(scheme)")
        }
        let authority = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !host.isEmpty, !host.hasPrefix(":"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .proxy(reason: "its URL names no host") }
    }

    /// What curl is told: nil leaves it to the environment, an empty text is none.
    func curlProxy(addressRule: AddressRule) -> String? {
        guard addressRule.allowsEverything else { return "" }
        return switch self {
        case .none: ""
        case .environment: nil
        case .url(let url): url
        }
    }
}

extension TransportProxy: CustomStringConvertible, CustomReflectable {
    /// The proxy, without user and password.
    public var description: String {
        switch self {
        case .none: "none"
        case .environment: "environment"
        case .url(let text): text.contains("://") ? redact(text) : "…"
        }
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
