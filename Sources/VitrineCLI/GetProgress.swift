import FoundationEssentials
import Vitrine
import VitrineBase

/// How far a run of `vitrine get` is, for the status line and for the last one: a ``GetTally`` with a
/// clock.
final class GetProgress: Sendable {
    private let state = Lock(GetTally())
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let feed: SourceFeed
    private let isOver = Lock(false)

    init(of feed: SourceFeed) {
        self.feed = feed
        start = clock.now
    }

    /// Since the run began.
    var elapsed: Duration { clock.now - start }

    /// True for the first who asks: who then says the last line.
    var mayEnd: Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }

    var summary: GetSummary { current.summary }

    /// What a terminal shows while it goes on.
    var status: StatusLine { current.status(at: elapsed) }

    private var current: GetTally {
        let count = feed.count
        var tally = state.withLock { $0 }
        tally.summary.asked = count.asked
        tally.summary.doubles = count.doubles
        tally.summary.isListWhole = count.isWhole
        tally.summary.brokenLists = count.brokenLists
        return tally
    }

    /// A picture is begun; returns its number.
    func begin() -> Int { state.withLock { $0.begin() } }

    func advance(_ number: Int, _ progress: ImageTask.Progress) {
        let now = elapsed
        state.withLock {
            $0.advance(
                number, received: progress.received, resumed: progress.resumed,
                total: progress.total, at: now)
        }
    }

    /// It has arrived, and was written.
    func arrive(_ number: Int, _ picture: GetReport.Arrived, receivedBytes: Int) {
        let now = elapsed
        state.withLock { tally in
            tally.summary.addArrival(
                from: picture.resumedBytes == nil ? picture.source : "resumed",
                writtenBytes: picture.bytes, isComplete: picture.complete)
            tally.arrive(
                number, bytes: receivedBytes,
                resumed: picture.isFromNetwork ? picture.resumedBytes ?? 0 : nil, at: now)
        }
    }

    func fail(_ number: Int) {
        let now = elapsed
        state.withLock { $0.fail(number, at: now) }
    }
}
