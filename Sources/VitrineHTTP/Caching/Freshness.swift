/// Whether a response may be reused without asking (RFC 9111, section 4.2).
///
/// Everything is a pure function of status, header and the moments at which the exchange began and
/// ended; a moment of use comes in from outside. All times are seconds.
struct Freshness: Sendable, Hashable {
    /// What the server says of caching it.
    let control: CacheControl
    /// How long it is fresh, counted from when the server made it.
    let lifetime: Double
    /// How old it is.
    let age: ResponseAge
    /// Whether nothing may be reused before the server was asked, by the word of the server.
    let mustAsk: Bool
    /// Until when it is fresh whatever the server says; nil leaves it to the server.
    let expiresAt: Double?

    /// - Parameters:
    ///   - sentAt: when the request was sent, in seconds since 1970.
    ///   - receivedAt: when the head of the response arrived.
    ///   - expiresAt: when it is stale, in place of what the header says.
    init(
        status: Int, headers: HTTP.Headers, sentAt: Double, receivedAt: Double,
        expiresAt: Double? = nil
    ) {
        control = CacheControl(headers)
        age = ResponseAge(headers, sentAt: sentAt, receivedAt: receivedAt)
        mustAsk = control.forbidsReuseUnasked
        self.expiresAt = expiresAt
        lifetime =
            expiresAt.map { [age] in $0 - receivedAt + age.onArrival }
            ?? Self.explicitLifetime(headers, control, receivedAt: receivedAt)
            ?? HeuristicFreshness.lifetime(
                status: status, headers, control, receivedAt: receivedAt) ?? 0
    }

    func isFresh(at now: Double) -> Bool { !mustAsk(at: now) && lifetime > age.at(now) }

    /// Whether nothing may be reused before the server was asked: an expiry that has not passed takes
    /// that word from the server.
    func mustAsk(at now: Double) -> Bool { mustAsk && !(expiresAt.map { now < $0 } ?? false) }

    /// For how many seconds it has been stale; negative while it is fresh.
    func staleness(at now: Double) -> Double { age.at(now) - lifetime }

    /// Seconds since 1970 until which it is fresh; nil if it is stale on arrival.
    var freshUntil: Double? {
        guard isFresh(at: age.receivedAt) else { return nil }
        return expiresAt ?? age.receivedAt + lifetime - age.onArrival
    }

    /// What the server says: `max-age`, else `Expires`. A value that is none counts as passed; both
    /// are nil if it says nothing. `s-maxage` is for shared caches.
    static func explicitLifetime(
        _ headers: HTTP.Headers, _ control: CacheControl, receivedAt: Double
    ) -> Double? {
        if control.has("max-age") { return control.seconds("max-age").map(Double.init) ?? 0 }
        guard let text = headers.first("Expires") else { return nil }
        guard let expires = HTTPDate.parse(text, now: receivedAt) else { return 0 }
        return max(0, expires - ResponseAge.date(headers, receivedAt: receivedAt))
    }
}
