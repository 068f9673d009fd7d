/// Two contenders that took turns, and how they compare.
struct Comparison {
    /// What one turn of one contender cost, in one unit.
    struct Cost {
        let wall: Double
        let cpu: Double
    }

    let ours: [Cost]
    let theirs: [Cost]

    /// Lets both run once unmeasured, then by turns.
    init(pairs: Int, ours: () throws -> Cost, theirs: () throws -> Cost) rethrows {
        _ = try ours()
        _ = try theirs()
        var left: [Cost] = []
        var right: [Cost] = []
        for _ in 0..<pairs {
            left.append(try ours())
            right.append(try theirs())
        }
        self.ours = left
        self.theirs = right
    }

    /// How many times as fast as the other one ours was, in each pair; ascending.
    var ratios: [Double] { zip(ours, theirs).map { $1.wall / $0.wall }.sorted() }
}

extension [Double] {
    /// The middle one; of an even number the mean of the two in the middle.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = self.sorted()
        let middle = count / 2
        return count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
