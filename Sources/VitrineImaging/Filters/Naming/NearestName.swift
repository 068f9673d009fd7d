/// The name that somebody probably meant.
enum NearestName {
    /// Of names and what they stand for, what the one stands for that differs least from `name`, by
    /// letters that are added, left out, replaced or exchanged with their neighbour (optimal string
    /// alignment), whatever their case; nil if none comes near.
    static func of(_ name: String, among known: [(name: String, target: String)]) -> String? {
        let wanted = Array(name.prefix(40).lowercased())
        guard !wanted.isEmpty else { return nil }
        let distances = known.map { distance(wanted, Array($0.name.lowercased())) }
        guard let least = distances.min(), least <= max(1, wanted.count / 3) else { return nil }
        return distances.firstIndex(of: least).map { known[$0].target }
    }

    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var next = [row + 1]
            for column in other.indices {
                let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1],
                    one[row - 1] == other[column]
                {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
    }
}
