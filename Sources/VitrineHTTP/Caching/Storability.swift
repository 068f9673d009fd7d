/// Whether a response may be stored by a private cache (RFC 9111, section 3).
enum Storability {
    /// Statuses whose meaning is known here, as `must-understand` asks (section 5.2.2.3).
    private static let understood: Set<Int> = [
        200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 404, 405, 410, 414, 500, 501, 502,
        503, 504,
    ]

    /// Statuses that answer one request and no other, whatever they say of themselves.
    private static let neverStored: Set<Int> = [304, 401, 407, 412, 416, 417]

    /// Whether the answer to a `GET` may be stored.
    ///
    /// Beyond what the RFC asks, a response other than 2xx is stored only while it can be reused:
    /// it must not stand in the way of the picture that was there before. `Vary: *` never matches a
    /// request, so it is not stored; a 206 must say which single range it is.
    static func mayStore(
        status: Int, headers: HTTP.Headers, request: HTTP.Headers, sentAt: Double,
        receivedAt: Double, expiresAt: Double? = nil
    ) -> Bool {
        let control = CacheControl(headers)
        guard (200..<600).contains(status), !neverStored.contains(status),
            !CacheControl(request).has("no-store"), allows(control, status),
            Vary.names(in: headers) != nil
        else { return false }
        if status == 206 {
            guard ContentRange(headers) != nil else { return false }
        }
        let freshness = Freshness(
            status: status, headers: headers, sentAt: sentAt, receivedAt: receivedAt,
            expiresAt: expiresAt)
        if (200..<300).contains(status), HeuristicFreshness.statuses.contains(status) {
            return true
        }
        let isExplicit =
            expiresAt != nil
            || Freshness.explicitLifetime(headers, control, receivedAt: receivedAt) != nil
        let mayBeStored =
            isExplicit || control.has("public") || control.has("private")
            || HeuristicFreshness.statuses.contains(status)
        return mayBeStored
            && ((200..<300).contains(status) || freshness.isFresh(at: receivedAt))
    }

    /// Whether the answer to a `POST` may be stored for a `GET` of the same URL (RFC 9110, section
    /// 9.3.3): it says how long it is fresh and that it is what that `GET` would bring.
    static func mayStorePost(
        status: Int, headers: HTTP.Headers, request: HTTP.Request, sentAt: Double,
        receivedAt: Double
    ) -> Bool {
        guard (200..<300).contains(status), status != 206,
            Freshness.explicitLifetime(headers, CacheControl(headers), receivedAt: receivedAt)
                != nil,
            let location = headers.first("Content-Location"),
            RelatedURL.resolve(location, against: request.url)?.withoutFragment
                == request.url.withoutFragment
        else { return false }
        return mayStore(
            status: status, headers: headers, request: request.headers, sentAt: sentAt,
            receivedAt: receivedAt)
    }

    /// Whether a store that heeds no directive keeps the answer: a success, if it is whole or says which
    /// part it is, and a redirect.
    static func isWorthKeeping(_ response: HTTP.Response) -> Bool {
        switch response.status {
        case 206: ContentRange(response.headers) != nil
        case 200..<300: true
        case 301, 302, 303, 307, 308: response.headers.contains("Location")
        default: false
        }
    }

    private static func allows(_ control: CacheControl, _ status: Int) -> Bool {
        if control.has("must-understand") { return understood.contains(status) }
        return !control.has("no-store")
    }
}
