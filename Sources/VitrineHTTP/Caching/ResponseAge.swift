/// How old a response is (RFC 9111, section 4.2.3).
struct ResponseAge: Sendable, Hashable {
    /// The age in seconds when the head arrived.
    let onArrival: Double
    /// When the head arrived, in seconds since 1970.
    let receivedAt: Double

    /// - Parameters:
    ///   - sentAt: when the request was sent, in seconds since 1970.
    ///   - receivedAt: when the head of the response arrived.
    init(_ headers: HTTP.Headers, sentAt: Double, receivedAt: Double) {
        let date = Self.date(headers, receivedAt: receivedAt)
        let apparent = max(0, receivedAt - date)
        onArrival = max(apparent, Self.stated(headers) + max(0, receivedAt - sentAt))
        self.receivedAt = receivedAt
    }

    /// The age in seconds at a moment. While the clock stands before the arrival it does not grow.
    func at(_ now: Double) -> Double { onArrival + max(0, now - receivedAt) }

    /// What `Age` says: the first member counts, and anything but a whole number is ignored (RFC
    /// 9111, section 5.1).
    private static func stated(_ headers: HTTP.Headers) -> Double {
        let first = headers.first("Age").flatMap { FieldList.members($0).first }
        return first.flatMap { DeltaSeconds.parse($0) }.map(Double.init) ?? 0
    }

    /// When the server made the response: its `Date`, else when it arrived (RFC 9110, section 6.6.1).
    static func date(_ headers: HTTP.Headers, receivedAt: Double) -> Double {
        headers.first("Date").flatMap { HTTPDate.parse($0, now: receivedAt) } ?? receivedAt
    }
}
