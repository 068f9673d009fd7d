/// What a stored response is good for, for one request at one moment (RFC 9111, sections 4.2.4 and
/// 5.2.1; RFC 5861; RFC 8246).
enum Reuse: Int, Sendable, Hashable, Comparable {
    /// The server has to be asked first.
    case ask
    /// It answers, and the server is asked meanwhile (`stale-while-revalidate`).
    case answerAndRefresh
    /// It answers.
    case answer

    static func < (lhs: Reuse, rhs: Reuse) -> Bool { lhs.rawValue < rhs.rawValue }

    static func of(
        _ head: StoredResponse.Head, _ freshness: Freshness, for request: HTTP.Headers,
        policy: CachePolicy, now: Double
    ) -> Reuse {
        let isFresh = freshness.isFresh(at: now)
        switch policy {
        case .standard:
            return standard(freshness, CacheControl(request), now)
        case .revalidate:
            return isFresh && freshness.control.has("immutable") ? .answer : .ask
        case .cacheElseLoad, .cacheOnly:
            // An error is no picture of any age.
            return isFresh || head.kind != .error ? .answer : .ask
        case .reload, .bypass:
            return .ask
        }
    }

    private static func standard(
        _ freshness: Freshness, _ asked: CacheControl, _ now: Double
    ) -> Reuse {
        let control = freshness.control
        guard !freshness.mustAsk(at: now), !asked.has("no-cache") else { return .ask }
        let age = freshness.age.at(now)
        if asked.has("max-age"), age > Double(asked.seconds("max-age") ?? 0) { return .ask }
        let left = freshness.lifetime - age
        if asked.has("min-fresh"), left < Double(asked.seconds("min-fresh") ?? .max) { return .ask }
        if left > 0 { return .answer }
        guard !control.has("must-revalidate") else { return .ask }
        if asked.hasBare("max-stale") { return .answer }
        if let limit = asked.seconds("max-stale"), -left <= Double(limit) { return .answer }
        if asked.has("max-age") { return .ask }
        if let window = control.seconds("stale-while-revalidate"), -left <= Double(window) {
            return .answerAndRefresh
        }
        return .ask
    }
}
