extension ImageRequest {
    /// How often a source is asked again when it could not be had, and after which time.
    ///
    /// Asked again is only after what may pass, such as a lost connection or a 503; the table is in the
    /// module's documentation. The n-th wait is ``firstDelay`` doubled n - 1 times, at most
    /// ``longestDelay``, of which between a half and the whole is waited, by chance, so that many
    /// clients do not come back together. Where the server says `Retry-After`, it is waited for at
    /// least as long, and if that is more than ``longestDelay``, not asked again at all. A load that
    /// waits holds no place among the active downloads, and is cancelled like any other.
    ///
    /// Callers who share a load share its retries: the most attempts that one of them wants.
    public struct Retry: Sendable, Hashable {
        /// How often the source is asked at most, the first time included; below 1 counts as 1.
        public var attempts: Int
        /// Before the second attempt.
        public var firstDelay: Duration
        /// Before any attempt, and the longest `Retry-After` that is waited for.
        public var longestDelay: Duration
        /// Between the start of the first attempt and that of the last.
        public var longestTime: Duration

        /// By default three attempts, after half a second and a second, at most 30 s between two, and
        /// none that begins two minutes after the first.
        public init(
            attempts: Int = 3, firstDelay: Duration = .milliseconds(500),
            longestDelay: Duration = .seconds(30), longestTime: Duration = .seconds(120)
        ) {
            self.attempts = attempts
            self.firstDelay = firstDelay
            self.longestDelay = longestDelay
            self.longestTime = longestTime
        }

        /// Each source is asked once.
        public static let none = Retry(attempts: 1)
    }
}
