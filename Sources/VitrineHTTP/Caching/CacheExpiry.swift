public import FoundationEssentials

/// How long a response counts as fresh, whatever its header fields say.
///
/// Until then it answers without a question to the server, `no-cache` and `max-age` notwithstanding;
/// afterwards it is stale, is asked about by its validators, and HTTP decides. What says `no-store` is
/// not stored for all that.
public enum CacheExpiry: Sendable, Hashable {
    /// For ever, until it is removed or evicted.
    case never
    /// So long after it was received; a negative time counts as none.
    case after(Duration)
    /// Until a moment; one that has passed means that it is never fresh.
    case at(Date)

    /// When that is for a response that was received at `receivedAt`; both in seconds since 1970, and
    /// infinity for never.
    package func moment(receivedAt: Double) -> Double {
        switch self {
        case .never: return .infinity
        case .after(let time):
            let (seconds, attoseconds) = time.components
            return receivedAt + max(0, Double(seconds) + Double(attoseconds) / 1e18)
        case .at(let date):
            let moment = date.timeIntervalSince1970
            return moment.isNaN ? receivedAt : moment
        }
    }
}

extension Date {
    /// The moment in seconds since 1970, or the last one that a calendar can show.
    package init(expiring moment: Double) {
        self = min(Date(timeIntervalSince1970: moment), .distantFuture)
    }
}
