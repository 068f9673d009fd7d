/// Which header fields of a response are stored (RFC 9111, section 3.1).
enum StoredFields {
    /// Fields that belong to one connection or one proxy.
    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// Fields that a cache goes by, which `Connection` therefore cannot take away.
    private static let essential: Set<String> = [
        "age", "cache-control", "content-encoding", "content-length", "content-range", "date",
        "etag", "expires", "last-modified", "vary",
    ]

    /// The fields without those that are about the connection, and with a `Date`: what came without
    /// a valid one is dated by its arrival (RFC 9110, section 6.6.1).
    static func of(_ headers: HTTP.Headers, receivedAt: Double) -> HTTP.Headers {
        let listed = Set(headers.members(of: "Connection").map { $0.lowercased() })
        let dropped = hopByHop.union(listed.subtracting(essential))
        var result = headers.filtered { !dropped.contains($0.name.lowercased()) }
        let date = result.first("Date")
        if date.flatMap({ HTTPDate.parse($0, now: receivedAt) }) == nil {
            result["Date"] = HTTPDate.format(receivedAt)
        }
        return result
    }

    /// What a 304, a `HEAD` or a later part brings replaces the fields of the same names (RFC 9111,
    /// section 3.2), but for those that describe the stored bytes, to which the range belongs where
    /// they are a part.
    ///
    /// `Age` tells of one exchange only, so that an old one does not outlive it.
    static func merged(
        _ stored: HTTP.Headers, with new: HTTP.Headers, receivedAt: Double, isPartial: Bool
    ) -> HTTP.Headers {
        // `Vary` belongs to the request that brought the bytes.
        var kept: Set<String> = ["content-encoding", "content-length", "vary"]
        if isPartial { kept.insert("content-range") }
        let fields = of(new, receivedAt: receivedAt).filtered {
            !kept.contains($0.name.lowercased())
        }
        let replaced = Set(fields.map { $0.name.lowercased() }).union(["age"])
        var result = stored.filtered { !replaced.contains($0.name.lowercased()) }
        for field in fields { result.add(field.name, field.value) }
        return result
    }
}

extension HTTP.Headers {
    /// The fields that satisfy a condition, in their order; takes time in proportion to their number.
    func filtered(_ isIncluded: (Field) -> Bool) -> HTTP.Headers {
        HTTP.Headers(filter(isIncluded))
    }
}
