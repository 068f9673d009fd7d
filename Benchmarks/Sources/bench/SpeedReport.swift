/// What `storage-speed` prints: pairs of turns, under the name of what was done.
struct SpeedReport {
    /// Nanoseconds a call, in one pair of turns.
    struct Pair {
        let ours: Comparison.Cost
        let theirs: Comparison.Cost

        /// How many times as fast as the peer ours was.
        var ratio: Double { theirs.wall / ours.wall }
    }

    private var pairs: [String: [Pair]] = [:]

    init(_ output: String) {
        for line in output.split(separator: "\n") {
            let cells = line.split(separator: "\t")
            let numbers = cells.dropFirst().compactMap { Double($0) }
            guard let name = cells.first, numbers.count == 4 else { continue }
            let pair = Pair(
                ours: Comparison.Cost(wall: numbers[0], cpu: numbers[2]),
                theirs: Comparison.Cost(wall: numbers[1], cpu: numbers[3]))
            pairs[String(name), default: []].append(pair)
        }
    }

    subscript(name: String) -> [Pair] { pairs[name] ?? [] }
}

extension [SpeedReport.Pair] {
    /// Median, smallest and largest ratio.
    var ratios: (median: Double, min: Double, max: Double) {
        let all = map(\.ratio).sorted()
        return (all.median, all.first ?? .nan, all.last ?? .nan)
    }

    /// The median of one of the numbers, in microseconds.
    func microseconds(_ number: (SpeedReport.Pair) -> Double) -> Double {
        map(number).median / 1000
    }
}
