import VitrineBase
import VitrineImaging

/// Which frame of an animation shows when: a pure value.
struct Playback: Sendable {
    /// When each frame ends, in nanoseconds since the start of a round.
    private let ends: [UInt64]
    /// How often the frames are played; nil is for ever.
    private let loopCount: Int?

    struct Position: Hashable {
        var frame: Int
        /// The last frame of the last round has been reached, and stays.
        var isOver: Bool
    }

    init(durations: [Duration], loopCount: Int?) {
        var end: UInt64 = 0
        ends = durations.map { duration in
            let (sum, overflow) = end.addingReportingOverflow(duration.clampedNanoseconds)
            end = overflow ? .max : sum
            return end
        }
        self.loopCount = loopCount
    }

    /// What shows so many nanoseconds after the start.
    func position(after elapsed: UInt64) -> Position {
        guard let round = ends.last, round > 0, ends.count > 1 else {
            return Position(frame: 0, isOver: true)
        }
        let rounds = elapsed / round
        if let loopCount, rounds >= UInt64(max(loopCount, 1)) {
            return Position(frame: ends.count - 1, isOver: true)
        }
        let time = elapsed % round
        // The first frame that ends later.
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > time { high = middle } else { low = middle + 1 }
        }
        let isLast = low == ends.count - 1
        let isLastRound = loopCount.map { rounds + 1 >= UInt64(max($0, 1)) } ?? false
        return Position(frame: low, isOver: isLast && isLastRound)
    }

    /// The frame that follows.
    func frame(after index: Int) -> Int {
        index + 1 < ends.count ? index + 1 : 0
    }
}
