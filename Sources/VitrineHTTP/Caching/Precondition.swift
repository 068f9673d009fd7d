/// A caller's own conditions, answered from a stored response (RFC 9111, section 4.3.2).
enum Precondition {
    /// Whether the caller has already what is stored, so that a 304 is the answer.
    ///
    /// `If-None-Match` goes before `If-Modified-Since` (RFC 9110, section 13.2.2).
    static func isMet(
        by request: HTTP.Headers, stored: HTTP.Headers, receivedAt: Double
    ) -> Bool {
        let tags = request.members(of: "If-None-Match")
        if !tags.isEmpty {
            guard let own = EntityTag(stored) else { return tags == ["*"] }
            return tags.contains { $0 == "*" || EntityTag($0).matchesWeakly(own) }
        }
        guard let text = request.first("If-Modified-Since"),
            let since = HTTPDate.parse(text, now: receivedAt)
        else { return false }
        // Without a date of change, that of the response stands for it.
        let changed =
            stored.first("Last-Modified").flatMap { HTTPDate.parse($0, now: receivedAt) }
            ?? ResponseAge.date(stored, receivedAt: receivedAt)
        return changed <= since
    }

    /// Whether `If-Range` allows to send a part of what is stored: there is none, or it names this
    /// version exactly (RFC 9110, section 13.1.5).
    static func allowsRange(
        _ request: HTTP.Headers, of stored: HTTP.Headers, receivedAt: Double
    ) -> Bool {
        guard let condition = request.first("If-Range") else { return true }
        return Validators(stored, receivedAt: receivedAt).strong == condition
    }

    /// Whether the caller asks something that only the server may answer.
    static func isForServer(_ request: HTTP.Headers) -> Bool {
        request.contains("If-Match") || request.contains("If-Unmodified-Since")
    }

    /// The fields of a 304 (RFC 9110, section 15.4.5): those that a cache goes by.
    static func notModifiedFields(_ stored: HTTP.Headers) -> HTTP.Headers {
        let kept: Set<String> = [
            "age", "cache-control", "content-location", "date", "etag", "expires",
            "last-modified", "vary",
        ]
        return stored.filtered { kept.contains($0.name.lowercased()) }
    }
}
