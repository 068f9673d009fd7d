/// What a stored response can be asked about by (RFC 9110, section 8.8).
struct Validators: Sendable, Hashable {
    /// The entity tag as it came; nil if there is none that can be sent back.
    let tag: String?
    /// `Last-Modified` as it came; nil if there is none that can be sent back.
    let lastModified: String?
    private let dateOfResponse: Double
    private let dateOfChange: Double?

    init(_ headers: HTTP.Headers, receivedAt: Double) {
        tag = Self.sendable(headers.first("ETag"))
        lastModified = Self.sendable(headers.first("Last-Modified"))
        dateOfResponse = ResponseAge.date(headers, receivedAt: receivedAt)
        dateOfChange = lastModified.flatMap { HTTPDate.parse($0, now: receivedAt) }
    }

    /// One that no server would take, or that would make the request invalid, must not keep the
    /// picture from being asked for.
    private static func sendable(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value.utf8.count <= 1024,
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return value
    }

    var isEmpty: Bool { tag == nil && lastModified == nil }

    /// What tells bytes apart, for `If-Range` and for joining parts: a strong tag; without any tag,
    /// a date that lies a minute or more before that of the response, since by then nothing can have
    /// changed twice within its second (RFC 9110, section 8.8.2.2).
    var strong: String? {
        if let tag { return EntityTag(tag).isWeak ? nil : tag }
        guard let lastModified, let dateOfChange, dateOfResponse - dateOfChange >= 60 else {
            return nil
        }
        return lastModified
    }

    /// The header fields that ask whether the response still holds (RFC 9111, section 4.3.1).
    var conditions: [(name: String, value: String)] {
        var result: [(String, String)] = []
        if let tag { result.append(("If-None-Match", tag)) }
        if let lastModified { result.append(("If-Modified-Since", lastModified)) }
        return result
    }

    /// The header fields by which callers ask conditionally themselves.
    static let conditionNames = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range",
    ]

    /// Whether a 304 or the answer to a `HEAD` is about another version than the stored one (RFC
    /// 9111, sections 4.3.4 and 4.3.5). Weak tags are compared as strong ones: a server may add the
    /// mark on its way.
    func contradict(_ headers: HTTP.Headers) -> Bool {
        if let tag, let new = EntityTag(headers) { return !EntityTag(tag).matchesWeakly(new) }
        if let lastModified, let new = headers.first("Last-Modified") {
            return new != lastModified
        }
        return false
    }
}
