extension StoredResponse.Head {
    /// For how many seconds from `now` on (seconds since 1970) it may be reused without asking, maybe
    /// for ever; 0 or less if it has been stale for so long, nil if the server must be asked each time.
    package func remainingFreshness(at now: Double) -> Double? {
        let freshness = freshness
        return freshness.mustAsk(at: now) ? nil : -freshness.staleness(at: now)
    }
}
