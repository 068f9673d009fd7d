import VitrineBase

extension HTTP {
    /// How long an exchange may take, by phase.
    public struct Timeouts: Sendable, Hashable {
        /// From the start until the connection is ready for the request: waiting for a free
        /// connection, name resolution, TCP and TLS.
        public var connect: Duration
        /// The longest time without a byte sent or received once connected; while the reader of the
        /// body has asked for a pause, the time does not run. A head, interim responses before it
        /// included, has ten times as long from its first line on; then its lines no longer count.
        public var idle: Duration
        /// From the start to the last byte of the body; nil is no bound.
        public var total: Duration?

        /// Ten seconds to connect, thirty without a byte, no bound on the whole.
        public init(
            connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration? = nil
        ) {
            self.connect = connect
            self.idle = idle
            self.total = total
        }
    }
}

extension Duration {
    /// In milliseconds, at least 1, at most what a `long` of curl's takes as a time.
    var clampedMilliseconds: Int {
        Int(Swift.min(Swift.max(clampedNanoseconds / 1_000_000, 1), UInt64(Int32.max)))
    }

    /// For people: `10 s`, `1.5 s`, `20 ms`.
    var readable: String {
        let milliseconds = clampedNanoseconds / 1_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let tenths = rest / 100
        return tenths == 0 ? "\(whole) s" : "\(whole).\(tenths) s"
    }
}
