/// How long a response counts as fresh whose server does not say (RFC 9111, section 4.2.2).
enum HeuristicFreshness {
    /// The statuses that may be reused without the server's word (RFC 9110, section 15.1).
    static let statuses: Set<Int> = [
        200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
    ]

    /// The part of the time since the last change for which a response is fresh.
    static let fraction = 0.1
    /// The most seconds: a picture that was replaced under its URL is seen within a day.
    static let limit = 86_400.0

    /// Seconds of freshness, from `Last-Modified`; nil where there is none to be had.
    static func lifetime(
        status: Int, _ headers: HTTP.Headers, _ control: CacheControl, receivedAt: Double
    ) -> Double? {
        guard statuses.contains(status) || control.has("public"),
            let changed = headers.first("Last-Modified")
                .flatMap({ HTTPDate.parse($0, now: receivedAt) })
        else { return nil }
        let date = ResponseAge.date(headers, receivedAt: receivedAt)
        return min(max(0, date - changed) * fraction, limit)
    }
}
