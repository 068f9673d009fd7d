/// How often something may begin: a bucket that fills with tokens at an even pace, from which each
/// beginning takes one. A pure value.
package struct TokenBucket: Sendable {
    /// The time in which one token comes, in nanoseconds.
    private let interval: UInt64
    private let capacity: UInt64
    /// The tokens that are there, counted in the time in which they come.
    private var content: UInt64
    private var lastFilled: UInt64?

    /// A full bucket of `burst` tokens, into which `perSecond` come each second.
    ///
    /// Fewer than one in a thousand seconds count as that, more than a billion a second as a billion,
    /// and what is no number as the former; a burst is at least 1 and at most a million.
    package init(perSecond: Double, burst: Int) {
        let rate = perSecond.isFinite || perSecond > 0 ? min(max(perSecond, 0.001), 1e9) : 0.001
        interval = UInt64(1e9 / rate)
        capacity = UInt64(min(max(1, burst), 1_000_000)) * interval
        content = capacity
    }

    /// Takes a token; false if there is none at that time, in nanoseconds of a clock that only moves
    /// on.
    package mutating func take(at now: UInt64) -> Bool {
        fill(now)
        guard content >= interval else { return false }
        content -= interval
        return true
    }

    /// When the next token is there, if nobody takes one before.
    package mutating func nextToken(after now: UInt64) -> UInt64 {
        fill(now)
        return content >= interval ? now : now &+ (interval - content)
    }

    private mutating func fill(_ now: UInt64) {
        let past = lastFilled.map { now > $0 ? now - $0 : 0 } ?? 0
        lastFilled = max(now, lastFilled ?? 0)
        content = past >= capacity - content ? capacity : content + past
    }
}
