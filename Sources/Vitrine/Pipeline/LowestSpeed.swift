import VitrineBase
import VitrineHTTP

/// Whether a body comes fast enough: looked at whenever some of it has come, over one span of time
/// after the other. A pure value.
struct LowestSpeed: Sendable {
    /// How long a body may be slow.
    static let span = Duration.seconds(60)

    private let bytesPerSecond: Int
    private var spanStart: UInt64
    private var countAtStart = 0

    /// Begins to watch at that uptime, in nanoseconds; a speed of 0 or less watches nothing.
    init(bytesPerSecond: Int, at now: UInt64) {
        self.bytesPerSecond = bytesPerSecond
        spanStart = now
    }

    /// So much has come in all.
    ///
    /// - Throws: `TransportError.tooSlow` at the end of a span in which too little came.
    mutating func check(_ count: Int, at now: UInt64) throws(TransportError) {
        let span = Self.span.clampedNanoseconds
        guard bytesPerSecond > 0, now >= spanStart, now - spanStart >= span else { return }
        let seconds = Double(now - spanStart) / 1e9
        guard Double(count - countAtStart) >= Double(bytesPerSecond) * seconds else {
            throw .tooSlow(bytesPerSecond: bytesPerSecond, over: Self.span)
        }
        spanStart = now
        countAtStart = count
    }
}
