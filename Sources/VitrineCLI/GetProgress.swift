import FoundationEssentials
import VitrineBase

/// How far a run of `vitrine get` is, for the status line and for the last one.
final class GetProgress: Sendable {
    private struct State {
        var summary: GetReport.Summary
        var pace = Pace()
    }

    private let state: Lock<State>
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    init(asked: Int) {
        state = Lock(State(summary: .init(asked: asked)))
        start = clock.now
    }

    /// Since the run began.
    var elapsed: Duration { clock.now - start }

    var summary: GetReport.Summary { state.withLock { $0.summary } }

    /// A picture has arrived, for which `received` bytes came over the network.
    func add(_ picture: GetReport.Arrived, received: Int) {
        change { state in
            state.summary.add(picture)
            state.pace.bytes += received
        }
    }

    func addFailure() { change { $0.summary.failed += 1 } }

    private func change(_ body: (inout State) -> Void) {
        let now = elapsed
        state.withLock { state in
            body(&state)
            state.pace.done = state.summary.arrived + state.summary.failed
            state.pace.mark(at: now)
        }
    }

    /// What a terminal shows while it goes on.
    var status: String {
        let now = elapsed
        return state.withLock { state in
            var text = state.summary.status
            if let rate = state.pace.bytesPerSecond(at: now), rate >= 1 {
                text += ", \(Readable.bytes(Int(rate)))/s"
            }
            if let rest = state.pace.remaining(of: state.summary.asked, at: now) {
                text += ", \(Readable.span(rest)) left"
            }
            return text
        }
    }
}

/// How quickly a run goes on, by its last ten seconds: a pure value.
struct Pace {
    /// How many pictures are done with.
    var done = 0
    /// How many bytes have come.
    var bytes = 0
    /// How it was at moments that are a quarter of a second apart or more, since the start.
    private var marks: [Mark] = [Mark(time: 0, done: 0, bytes: 0)]

    private struct Mark {
        let time: Double
        let done: Int
        let bytes: Int
    }

    private static let window = 10.0
    private static let step = 0.25

    /// Notes how it is at this time since the start.
    mutating func mark(at time: Duration) {
        let time = Readable.seconds(time)
        guard let last = marks.last, time - last.time >= Self.step else { return }
        marks.append(Mark(time: time, done: done, bytes: bytes))
        // The last one before the window stays, since the window begins with it.
        while marks.count > 1, marks[1].time <= time - Self.window { marks.removeFirst() }
    }

    /// Nil in the first second, of which nothing could be told.
    func bytesPerSecond(at time: Duration) -> Double? {
        guard let (base, seconds) = base(at: time) else { return nil }
        return Double(bytes - base.bytes) / seconds
    }

    /// The seconds that the rest of `total` takes if it goes on like this; nil in the first second,
    /// before anything is done, and when all is.
    func remaining(of total: Int, at time: Duration) -> Int? {
        guard let (base, seconds) = base(at: time), done > 0, done < total else { return nil }
        // Where the last seconds brought nothing, the whole run has to do.
        let perPicture =
            done > base.done
            ? seconds / Double(done - base.done) : Readable.seconds(time) / Double(done)
        return Int(min(perPicture * Double(total - done), 1e12).rounded(.up))
    }

    private func base(at time: Duration) -> (Mark, seconds: Double)? {
        let now = Readable.seconds(time)
        guard now >= 1 else { return nil }
        let base = marks.last { $0.time <= now - Self.window } ?? marks[0]
        return (base, max(now - base.time, Self.step))
    }
}
