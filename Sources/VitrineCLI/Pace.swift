/// How quickly a run goes on, by its last ten seconds: a pure value.
struct Pace {
    /// How many pictures are done with; of those under way, the parts that have arrived.
    var done = 0.0
    /// How many bytes have come over the network.
    var bytes = 0
    /// How it was at moments that are a quarter of a second apart or more, since the start.
    private var marks: [Mark] = [Mark(time: 0, done: 0, bytes: 0)]

    private struct Mark {
        let time: Double
        let done: Double
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
        guard let (base, seconds) = base(at: time), done > 0, done < Double(total) else {
            return nil
        }
        // Where the last seconds brought nothing, the whole run has to do.
        let perPicture =
            done > base.done
            ? seconds / (done - base.done) : Readable.seconds(time) / done
        return Int(min(perPicture * (Double(total) - done), 1e12).rounded(.up))
    }

    private func base(at time: Duration) -> (Mark, seconds: Double)? {
        let now = Readable.seconds(time)
        guard now >= 1 else { return nil }
        let base = marks.last { $0.time <= now - Self.window } ?? marks[0]
        return (base, max(now - base.time, Self.step))
    }
}
