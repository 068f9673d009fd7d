/// Until when a response may be reused without asking (RFC 9111, section 4.2).
///
/// Only what the server says explicitly counts: `max-age`, else `Expires`. Everything is a pure
/// function of the header and of the moments at which the exchange began and ended.
package enum Freshness {
    /// Seconds since 1970 until which the response is fresh; nil if it is stale on arrival.
    ///
    /// - Parameters:
    ///   - sentAt: when the request was sent, in seconds since 1970.
    ///   - receivedAt: when the head of the response arrived.
    package static func freshUntil(
        headers: HTTP.Headers, sentAt: Double, receivedAt: Double
    ) -> Double? {
        let control = CacheControl(headers)
        guard !control.has("no-store"), !control.has("no-cache") else { return nil }
        guard let lifetime = lifetime(headers, control, receivedAt: receivedAt) else { return nil }
        let until = receivedAt + lifetime - age(headers, sentAt: sentAt, receivedAt: receivedAt)
        return until > receivedAt ? until : nil
    }

    private static func lifetime(
        _ headers: HTTP.Headers, _ control: CacheControl, receivedAt: Double
    ) -> Double? {
        if control.has("max-age") { return control.seconds("max-age").map(Double.init) }
        guard let text = headers.values(for: "Expires").first,
            let expires = HTTPDate.parse(text, now: receivedAt)
        else { return nil }
        return expires - (date(headers, now: receivedAt) ?? receivedAt)
    }

    /// The age at arrival (RFC 9111, section 4.2.3).
    private static func age(_ headers: HTTP.Headers, sentAt: Double, receivedAt: Double) -> Double {
        let apparent = max(0, receivedAt - (date(headers, now: receivedAt) ?? receivedAt))
        let stated = headers.values(for: "Age").first.map(seconds) ?? 0
        return max(apparent, stated + max(0, receivedAt - sentAt))
    }

    /// Whole seconds; what is no number is 0, and what is too large is 2³¹ (RFC 9111, section 1.2.2).
    private static func seconds(_ text: String) -> Double {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return Double(min(Int(text) ?? .max, 1 << 31))
    }

    private static func date(_ headers: HTTP.Headers, now: Double) -> Double? {
        headers.values(for: "Date").first.flatMap { HTTPDate.parse($0, now: now) }
    }
}
