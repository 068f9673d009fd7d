package import FoundationEssentials

/// Scheme, host and port (RFC 9110 §4.3.1): who gets what is sent to a URL.
package struct Origin: Hashable {
    let scheme: String
    /// In lower case and ASCII.
    let host: String
    let port: Int

    /// The origin of an `http` or `https` URL that can be fetched.
    package init(_ url: URL) throws(TransportError) {
        let text = url.absoluteString
        let scheme = url.scheme?.lowercased() ?? ""
        guard !scheme.isEmpty else { throw .invalidURL(text) }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        // curl would take `http:///x` for the host "x", so it must not get to see it.
        guard let host = url.host(percentEncoded: true), !host.isEmpty,
            text.dropFirst(scheme.count).hasPrefix("://"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw .invalidURL(text) }
        guard let name = InternationalHost.ascii(host) else { throw .invalidURL(text) }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65535).contains(port) else { throw .invalidURL(text) }
        self.scheme = scheme
        self.host = name.lowercased()
        self.port = port
    }
}
