package import FoundationEssentials

extension URL {
    /// The URL for people: without user info and fragment, and with query values as `…`.
    ///
    /// `https://me:pw@host:8443/a?token=x&n=1#top` gives `https://host:8443/a?token=…&n=…`. A part of
    /// a query without `=` may be a token itself and is `…` as a whole, and so is the content of a
    /// URL without an authority, such as `data:`.
    package var redacted: String { redact(absoluteString) }
}

/// As ``URL/redacted``, of a text that need not be a valid URL; what stands where a port should, and is
/// none, may be a password that is cut off, and nothing is shown behind it.
package func redact(_ text: String) -> String {
    let whole = text.prefix { $0 != "#" }
    let head = whole.prefix { $0 != "?" }
    var result = ""
    if let authority = head.firstRange(of: "://") {
        result += head[..<authority.upperBound]
        let rest = head[authority.upperBound...]
        let hostAndUser = rest.prefix { $0 != "/" }
        let host =
            hostAndUser.lastIndex(of: "@").map { hostAndUser[hostAndUser.index(after: $0)...] }
            ?? hostAndUser
        let end = host.lastIndex(of: "]").map { host[$0...] } ?? host
        let port = end.drop { $0 != ":" }.dropFirst()
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return result + "…" }
        result += host
        result += rest[hostAndUser.endIndex...]
    } else if let colon = head.firstIndex(of: ":") {
        return head[...colon] + "…"
    } else {
        result += head
    }
    guard head.endIndex < whole.endIndex else { return result }
    let query = whole[whole.index(after: head.endIndex)...]
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
        guard let equals = item.firstIndex(of: "=") else { return item.isEmpty ? "" : "…" }
        return item[...equals] + "…"
    }
    return result + "?" + items.joined(separator: "&")
}
