/// What one load may take from the caches, and what it may leave in them.
///
/// The rule is the same at every layer, in memory and on disk.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
    /// HTTP decides (RFC 9111): what is fresh is used, what is stale is revalidated.
    case standard
    /// Asks the server each time, conditionally where a validator is stored; a fresh `immutable`
    /// response counts as answered (RFC 8246).
    case revalidate
    /// Reads no cache; what arrives replaces what was stored.
    case reload
    /// Uses what is stored at any age; the network only if nothing is.
    case cacheElseLoad
    /// Uses what is stored at any age; never the network.
    case cacheOnly
    /// Neither reads nor writes a cache.
    case bypass

    /// Whether a stored response may answer without asking the server; `isFresh` says whether its
    /// freshness lifetime has not passed.
    package func mayReuse(isFresh: Bool) -> Bool {
        switch self {
        case .standard: isFresh
        case .cacheElseLoad, .cacheOnly: true
        case .revalidate, .reload, .bypass: false
        }
    }

    /// Whether stored entries are looked at: to reuse them, or to revalidate them.
    package var readsCache: Bool { self != .reload && self != .bypass }

    /// Whether what arrives may be stored.
    package var writesCache: Bool { self != .bypass }
}
