/// The count of a run of `vitrine get`.
struct GetSummary {
    /// Different pictures that were named, as far as the lists have been read.
    var asked = 0
    /// Those that were named again.
    var doubles = 0
    /// Whether the lists have been read to their end.
    var isListWhole = false
    /// Those that never will be.
    var brokenLists = 0
    private(set) var arrived = 0
    /// Of those that arrived.
    private(set) var incomplete = 0
    private(set) var failed = 0
    /// Of the files written.
    private(set) var writtenBytes = 0
    private var origins: [String: Int] = [:]

    mutating func addArrival(from origin: String, writtenBytes: Int, isComplete: Bool) {
        arrived += 1
        if !isComplete { incomplete += 1 }
        self.writtenBytes += writtenBytes
        origins[origin, default: 0] += 1
    }

    mutating func addFailure() { failed += 1 }

    /// How many are done with.
    var done: Int { arrived + failed }

    /// Whether everything arrived, and nothing of it is missing.
    var isWhole: Bool { arrived == asked && incomplete == 0 && isListWhole }

    /// The last line.
    func text(after time: Duration) -> String {
        let from = origins.sorted { $0.key < $1.key }
            .map { "\($0.value) \($0.key == "file" && $0.value > 1 ? "files" : $0.key)" }
            .joined(separator: ", ")
        var parts = ["\(arrived) of \(total) arrived" + (from.isEmpty ? "" : " (\(from))")]
        if failed > 0 { parts.append("\(failed) failed") }
        if incomplete > 0 { parts.append("\(incomplete) incomplete") }
        if doubles > 0 {
            parts.append("\(doubles) \(doubles == 1 ? "double" : "doubles") left out")
        }
        if brokenLists > 0 {
            parts.append(
                brokenLists == 1
                    ? "1 list not read to its end" : "\(brokenLists) lists not read to their end")
        }
        parts.append("\(Readable.bytes(writtenBytes)) written in \(Readable.time(time))")
        return parts.joined(separator: ", ")
    }

    /// `12`, or `12+` where it is not known how many there are.
    var total: String { isListWhole ? "\(asked)" : "\(asked)+" }
}
