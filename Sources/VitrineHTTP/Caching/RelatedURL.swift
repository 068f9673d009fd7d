import FoundationEssentials

/// URLs that a response names, and those that it makes outdated (RFC 9111, section 4.4).
enum RelatedURL {
    /// A reference as in `Location`, resolved; nil if it is no URL.
    static func resolve(_ reference: String, against base: URL) -> URL? {
        URL(string: reference, relativeTo: base)?.absoluteURL
    }

    /// What the answer to an unsafe request makes outdated: the URL asked, and where they are of
    /// the same origin, those in `Location` and `Content-Location`. Nothing if it was an error.
    static func invalidated(
        by status: Int, _ headers: HTTP.Headers, to request: HTTP.Request
    ) -> [URL] {
        guard !request.method.isSafe, (200..<400).contains(status) else { return [] }
        var result = [request.url]
        for name in ["Location", "Content-Location"] {
            guard let text = headers.first(name), let url = resolve(text, against: request.url),
                let target = try? Origin(url), let own = try? Origin(request.url), target == own,
                !result.contains(where: { $0.withoutFragment == url.withoutFragment })
            else { continue }
            result.append(url)
        }
        return result
    }
}

extension URL {
    /// What is asked of a server.
    var withoutFragment: Substring { absoluteString.prefix { $0 != "#" } }
}
