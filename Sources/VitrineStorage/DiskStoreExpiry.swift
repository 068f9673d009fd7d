public import FoundationEssentials

extension DiskStore {
    /// Until when an entry may be read.
    public enum Expiry: Sendable, Hashable {
        /// For as long as there is room.
        case never
        /// For so long after it was stored. A negative time counts as passed, one of hundreds of
        /// thousands of years as for ever.
        case after(Duration)
        /// Until this moment. What is no number counts as passed.
        case at(Date)
    }

    /// What a store does when an entry needs more room than there is.
    public enum Eviction: Sendable, Hashable {
        /// What has expired goes, then what was not used for longest.
        case leastRecentlyUsed
        /// What has expired goes, and nothing else: an entry for which that is not enough is refused
        /// with ``DiskStoreError/noRoom(bytes:available:limit:)``.
        case never
    }
}

extension DiskStore.Expiry {
    /// The moment in microseconds since 1970, for an entry that is stored at `now`; nil for never.
    func moment(storedAt now: Int64) -> Int64? {
        switch self {
        case .never: return nil
        case .after(let duration):
            let (seconds, attoseconds) = duration.components
            let lifetime = microseconds(Double(seconds) + Double(attoseconds) / 1e18)
            // Both stay within ±4e18, so that their sum cannot overflow.
            return min(max(now, -4_000_000_000_000_000_000), 4_000_000_000_000_000_000) + lifetime
        case .at(let date):
            let seconds = date.timeIntervalSince1970
            if seconds == .infinity { return nil }
            return seconds.isFinite ? microseconds(seconds) : .min
        }
    }
}

/// Whether something that expires at a moment, or never, has done so.
func hasExpired(_ moment: Int64?, at now: Int64) -> Bool {
    moment.map { $0 <= now } ?? false
}
