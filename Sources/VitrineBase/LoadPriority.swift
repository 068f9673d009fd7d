/// How soon a piece of work is wanted, compared with other work of the same kind.
///
/// Work of a higher priority is started first; running work is never interrupted.
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nobody waits for it: warming a cache.
    case veryLow
    /// Wanted soon, but not on screen.
    case low
    /// The default.
    case normal
    /// On screen now.
    case high
    /// The one thing that somebody looks at.
    case veryHigh

    public static func < (lhs: LoadPriority, rhs: LoadPriority) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}
