import Testing

@testable import VitrineCLI

/// What a run says of itself while it goes on, as tables: an event, the time, and the line then.
@Suite struct GetTallyTests {
    private enum Event {
        case begin
        /// Number, bytes, of those resumed, of how many.
        case advance(Int, Int, Int, Int?)
        /// Number, bytes, and whether the server has sent them.
        case arrive(Int, Int, Bool)
        case fail(Int)
        /// The list names so many by now, and that is its end or not.
        case list(Int, Bool)
    }

    /// After each event, at so many seconds.
    private static func lines(_ events: [(Double, Event)]) -> [String] {
        var tally = GetTally()
        return events.map { seconds, event in
            let time = Duration.seconds(seconds)
            switch event {
            case .begin: _ = tally.begin()
            case .advance(let number, let received, let resumed, let total):
                tally.advance(number, received: received, resumed: resumed, total: total, at: time)
            case .arrive(let number, let bytes, let isFromNetwork):
                tally.summary.addArrival(from: "x", writtenBytes: bytes, isComplete: true)
                tally.arrive(
                    number, bytes: bytes, resumed: isFromNetwork ? 0 : nil, at: time)
            case .fail(let number): tally.fail(number, at: time)
            case .list(let count, let isWhole):
                tally.summary.asked = count
                tally.summary.isListWhole = isWhole
            }
            return tally.status(at: time).text(columns: 100)
        }
    }

    @Test("P1: bytes count as they come, not when a picture is there") func bytes() {
        #expect(
            Self.lines([
                (0, .list(1, true)), (0, .begin), (0.5, .advance(1, 500_000, 0, 4_000_000)),
                (2, .advance(1, 1_000_000, 0, 4_000_000)),
                (4, .advance(1, 2_000_000, 0, 4_000_000)), (8, .arrive(1, 4_000_000, true)),
            ]) == [
                "0 of 1, 0 bytes", "0 of 1, 0 bytes", "0 of 1, 500.0 KB",
                "0 of 1, 1.0 MB, 500.0 KB/s, 6 s left", "0 of 1, 2.0 MB, 500.0 KB/s, 4 s left",
                "1 of 1, 4.0 MB, 500.0 KB/s",
            ])
    }

    @Test("P1: what has come of a failed picture counts for nothing, but the rate was the rate")
    func failed() {
        #expect(
            Self.lines([
                (0, .list(2, true)), (0, .begin), (0, .begin),
                (2, .advance(1, 1_000_000, 0, 2_000_000)), (4, .fail(1)),
                (4, .advance(2, 100, 0, nil)),
            ]).suffix(3) == [
                "0 of 2, 1.0 MB, 500.0 KB/s, 6 s left",
                "1 of 2, 1 failed, 0 bytes, 250.0 KB/s, 4 s left",
                "1 of 2, 1 failed, 100 bytes, 250.0 KB/s, 4 s left",
            ])
    }

    @Test("P1: no time is promised before the list has been read to its end") func openList() {
        #expect(
            Self.lines([
                (0, .list(5, false)), (0, .begin), (2, .arrive(1, 1000, true)),
                (2, .list(6, false)), (2, .list(6, true)),
            ]).suffix(3) == [
                "1 of 5+, 1.0 KB, 500 bytes/s", "1 of 6+, 1.0 KB, 500 bytes/s",
                "1 of 6, 1.0 KB, 500 bytes/s, 10 s left",
            ])
    }

    @Test("P1: what was there before is no rate, nor is what comes from disk") func notFetched() {
        #expect(
            Self.lines([
                (0, .list(2, true)), (0, .begin), (0, .begin),
                (2, .advance(1, 1_000_200, 1_000_000, 2_000_000)),
                (2, .arrive(2, 5_000_000, false)),
            ]).suffix(2) == [
                "0 of 2, 1.0 MB, 100 bytes/s, 6 s left", "1 of 2, 6.0 MB, 100 bytes/s, 1 s left",
            ])
    }

    @Test("P1: another attempt is counted anew; more than was said is no more than all")
    func attempts() {
        #expect(
            Self.lines([
                (0, .list(1, true)), (0, .begin), (1, .advance(1, 1000, 0, 2000)),
                (2, .advance(1, 500, 0, 2000)), (3, .advance(1, 5000, 0, 2000)),
                (3, .advance(1, 6000, 0, 0)), (3, .advance(7, 6000, 0, 0)),
            ]).suffix(5) == [
                "0 of 1, 1.0 KB, 1.0 KB/s, 1 s left", "0 of 1, 500 bytes, 750 bytes/s, 6 s left",
                "0 of 1, 5.0 KB, 2.0 KB/s", "0 of 1, 6.0 KB, 2.3 KB/s", "0 of 1, 6.0 KB, 2.3 KB/s",
            ])
    }

    @Test(
        "P1: the last line",
        arguments: [
            ([], 0, 0, 0, true, "0 of 0 arrived, 0 bytes written in 2.0 s"),
            (
                ["network", "disk", "network"], 0, 0, 3, true,
                "3 of 3 arrived (1 disk, 2 network), 30 bytes written in 2.0 s"
            ),
            (
                ["file", "file", "resumed"], 2, 1, 6, false,
                "3 of 6+ arrived (2 files, 1 resumed), 2 failed, 1 double left out, "
                    + "30 bytes written in 2.0 s"
            ),
        ] as [([String], Int, Int, Int, Bool, String)])
    func lastLine(
        origins: [String], failed: Int, doubles: Int, asked: Int, isListWhole: Bool, text: String
    ) {
        var summary = GetSummary()
        for origin in origins {
            summary.addArrival(from: origin, writtenBytes: 10, isComplete: true)
        }
        for _ in 0..<failed { summary.addFailure() }
        (summary.doubles, summary.asked, summary.isListWhole) = (doubles, asked, isListWhole)
        #expect(summary.text(after: .seconds(2)) == text)
        #expect(summary.isWhole == (failed == 0 && isListWhole))
    }

    @Test("P1: what is incomplete is said, and is no success") func incomplete() {
        var summary = GetSummary()
        summary.addArrival(from: "network", writtenBytes: 1, isComplete: false)
        (summary.asked, summary.isListWhole) = (1, true)
        #expect(
            summary.text(after: .zero)
                == "1 of 1 arrived (1 network), 1 incomplete, 1 byte written in 0.0 ms")
        #expect(!summary.isWhole)
    }

    @Test(
        "P1: a narrow terminal loses first what matters least",
        arguments: [
            (80, "12 of 400, 3 failed, 120.4 MB, 10.2 MB/s, 12 min left"),
            (53, "12 of 400, 3 failed, 120.4 MB, 10.2 MB/s, 12 min left"),
            (52, "12 of 400, 3 failed, 10.2 MB/s, 12 min left"),
            (40, "12 of 400, 3 failed, 12 min left"), (30, "12 of 400, 3 failed"),
            (10, "12 of 400"), (5, "12 of"), (0, ""), (-1, ""),
        ])
    func narrow(columns: Int, text: String) {
        let parts = [
            ("12 of 400", 0), ("3 failed", 1), ("120.4 MB", 4), ("10.2 MB/s", 3),
            ("12 min left", 2),
        ]
        let line = StatusLine(parts.map { .init(text: $0.0, dispensability: $0.1) })
        #expect(line.text(columns: columns) == text)
        #expect(StatusLine([]).text(columns: columns).isEmpty)
    }
}

/// Rate and remaining time.
@Suite struct PaceTests {
    @Test("P1: rate and remaining time go by the last ten seconds") func window() {
        var pace = Pace()
        #expect(pace.remaining(of: 100, at: .milliseconds(900)) == nil)
        #expect(pace.bytesPerSecond(at: .milliseconds(900)) == nil)
        for second in 1...20 {
            pace.done += 1
            pace.bytes += 1000
            pace.mark(at: .seconds(second))
        }
        #expect(pace.bytesPerSecond(at: .seconds(20)) == 1000)
        #expect(pace.remaining(of: 100, at: .seconds(20)) == 80)
        for second in 21...30 {
            pace.done += 4
            pace.bytes += 8000
            pace.mark(at: .seconds(second))
        }
        #expect(pace.bytesPerSecond(at: .seconds(30)) == 8000)
        #expect(pace.remaining(of: 100, at: .seconds(30)) == 10)
        // Nothing more comes: the rate sinks, and the whole run says how long it takes.
        #expect(pace.bytesPerSecond(at: .seconds(50)) == 0)
        #expect(pace.remaining(of: 100, at: .seconds(60)) == 40)
        pace.done = 100
        #expect(pace.remaining(of: 100, at: .seconds(61)) == nil)
    }

    @Test("P1: nothing is promised before the first picture") func nothingYet() {
        var pace = Pace()
        pace.mark(at: .seconds(5))
        #expect(pace.remaining(of: 10, at: .seconds(5)) == nil)
        pace.done = 1
        #expect(pace.remaining(of: .max, at: .seconds(1)) == 1_000_000_000_000)
    }

    @Test("P1: marks at one moment count as one") func manyAtOnce() {
        var pace = Pace()
        for _ in 0..<10_000 {
            pace.done += 1
            pace.mark(at: .seconds(2))
        }
        #expect(pace.remaining(of: 20_000, at: .seconds(2)) == 2)
    }
}
