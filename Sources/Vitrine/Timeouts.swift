extension ImageRequest {
    /// How long a load and the phases of its transfer may take.
    ///
    /// Time in the loader's own queue counts for ``deadline`` only.
    public struct Timeouts: Sendable, Hashable {
        /// Until the connection stands: name resolution, TCP and TLS.
        public var connect: Duration
        /// Between two signs of life of the server; the head has ten times as long in all.
        public var idle: Duration
        /// For the whole transfer; nil for no limit. Each attempt has it anew.
        public var total: Duration?
        /// From the start of the load to its end, with all that lies between: queue, attempts and their
        /// waits, decoding, filters. It ends this caller only, with
        /// ``ImageError/Reason/deadlinePassed(_:)``; others that share the load go on. Nil for none.
        public var deadline: Duration?
        /// The bytes a second that a body must bring on average, over each minute; 0 for no such rule.
        /// Without it, a server that sends a byte every now and then would hold a download for ever.
        public var lowestSpeed: Int

        /// By default 10 s to connect, 30 s of silence, 100 bytes a second, and no limit on the whole.
        public init(
            connect: Duration = .seconds(10), idle: Duration = .seconds(30),
            total: Duration? = nil, deadline: Duration? = nil, lowestSpeed: Int = 100
        ) {
            self.connect = connect
            self.idle = idle
            self.total = total
            self.deadline = deadline
            self.lowestSpeed = lowestSpeed
        }
    }
}
