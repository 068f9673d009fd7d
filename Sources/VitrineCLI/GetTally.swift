/// How far a run of `vitrine get` is: a pure value, to which the time since the start is handed in.
struct GetTally {
    var summary = GetSummary()
    private var pace = Pace()
    /// What is under way, by numbers that are used once.
    private var underWay: [Int: Transfer] = [:]
    private var nextNumber = 0
    /// Of the pictures that have arrived, as they came.
    private var arrivedBytes = 0

    private struct Transfer {
        var received = 0
        /// Of those, what the server has sent.
        var sent = 0
        var total: Int?

        /// From 0 to 1; 0 while nobody knows how much it will be.
        var fraction: Double {
            guard let total, total > 0 else { return 0 }
            return min(1, Double(received) / Double(total))
        }
    }

    /// A picture is begun; returns its number.
    mutating func begin() -> Int {
        nextNumber += 1
        underWay[nextNumber] = Transfer()
        return nextNumber
    }

    /// So much of it has arrived, `resumed` of which was kept of an earlier run.
    mutating func advance(
        _ number: Int, received: Int, resumed: Int = 0, total: Int?, at time: Duration
    ) {
        guard var transfer = underWay[number] else { return }
        let sent = max(0, received - resumed)
        // Less than before is another attempt.
        pace.bytes += sent < transfer.sent ? sent : sent - transfer.sent
        (transfer.received, transfer.sent, transfer.total) = (received, sent, total)
        underWay[number] = transfer
        mark(time)
    }

    /// It has arrived and was written; `bytes` is how many it had as it came.
    ///
    /// - Parameter resumed: how many of them the server has not sent; nil if it has sent none.
    mutating func arrive(_ number: Int, bytes: Int, resumed: Int?, at time: Duration) {
        // The last news of a transfer are not heard where its end comes at once.
        if let resumed {
            advance(number, received: bytes, resumed: resumed, total: bytes, at: time)
        }
        underWay[number] = nil
        arrivedBytes += bytes
        mark(time)
    }

    /// It has failed, and what had come of it counts for nothing.
    mutating func fail(_ number: Int, at time: Duration) {
        underWay[number] = nil
        summary.addFailure()
        mark(time)
    }

    private mutating func mark(_ time: Duration) {
        pace.done = done
        pace.mark(at: time)
    }

    private var done: Double {
        Double(summary.done) + underWay.values.reduce(0) { $0 + $1.fraction }
    }

    /// What a terminal shows.
    func status(at time: Duration) -> StatusLine {
        let bytes = underWay.values.reduce(arrivedBytes) { $0 + $1.received }
        var parts = [part("\(summary.done) of \(summary.total)", 0)]
        if summary.failed > 0 { parts.append(part("\(summary.failed) failed", 1)) }
        parts.append(part(Readable.bytes(bytes), 4))
        if let rate = pace.bytesPerSecond(at: time), rate >= 1 {
            parts.append(part("\(Readable.bytes(Int(min(rate, 1e15))))/s", 3))
        }
        if summary.isListWhole, let rest = pace.remaining(of: summary.asked, at: time) {
            parts.append(part("\(Readable.span(rest)) left", 2))
        }
        return StatusLine(parts)
    }

    private func part(_ text: String, _ dispensability: Int) -> StatusLine.Part {
        StatusLine.Part(text: text, dispensability: dispensability)
    }
}
