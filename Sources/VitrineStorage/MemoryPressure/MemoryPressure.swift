/// How a program learns that memory is short, and what its caches do then.
///
/// ```swift
/// let subscription = MemoryPressure.Monitor.shared.subscribe { level in cache.respond(to: level) }
/// ```
public enum MemoryPressure {
    /// How short memory is.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Work is slowed down by it: give back what can be made again.
        case warning
        /// Work stands still, or processes are about to be killed: give back everything.
        case critical

        public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}
