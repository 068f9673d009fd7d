/// Whether a stale response may answer where the server does not (RFC 9111, section 4.2.4; RFC 5861,
/// section 4).
enum StaleAnswer {
    /// How the server failed.
    enum Failure: Sendable, Hashable {
        /// It could not be reached, or the connection broke.
        case disconnected
        /// It answered with an error of its own, or with what is no HTTP.
        case faulty
    }

    /// The statuses that count as a failure.
    private static let statuses: Set<Int> = [500, 502, 503, 504]

    static func failure(status: Int) -> Failure? {
        statuses.contains(status) ? .faulty : nil
    }

    /// Nil for what is not the server's doing: a request that cannot be sent, a limit, a wish of the
    /// caller, and a TLS failure, which must be seen.
    static func failure(_ error: TransportError) -> Failure? {
        switch error {
        case .dns, .connect, .timeout, .tooSlow, .truncated, .connectionLost, .cacheMiss:
            .disconnected
        case .badResponse, .headerTooLarge: .faulty
        default: nil
        }
    }

    /// `stale-if-error`, of response or request, says how long it may be stale, after any failure;
    /// without it, it may answer only where there is no connection.
    static func isAllowed(
        _ head: StoredResponse.Head, for request: HTTP.Headers, after failure: Failure,
        now: Double
    ) -> Bool {
        let freshness = head.freshness
        let asked = CacheControl(request)
        guard head.kind == .complete, !isForbidden(freshness), !asked.has("no-cache"),
            !asked.has("max-age"), !asked.has("min-fresh")
        else { return false }
        let windows = [freshness.control, asked].compactMap { $0.seconds("stale-if-error") }
        guard let window = windows.max() else { return failure == .disconnected }
        return freshness.staleness(at: now) <= Double(window)
    }

    /// Whether the server forbids it whatever happens; then the answer is a 504 (RFC 9111, section
    /// 5.2.2.2).
    static func isForbidden(_ freshness: Freshness) -> Bool {
        freshness.control.has("must-revalidate") || freshness.mustAsk
    }
}
