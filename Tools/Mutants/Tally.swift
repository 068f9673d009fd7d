import FoundationEssentials
import Glibc

/// What became of all mutants, by format.
struct Tally {
    private struct Count {
        var mutants = 0
        var pictures = 0
        var slowest = Duration.zero
        var slowestName = ""
    }

    private var counts: [String: Count] = [:]
    private(set) var hangs = 0
    private(set) var faults = 0

    mutating func add(_ mutant: Fixtures.Mutant, _ outcome: Mutants.Outcome) {
        let kind = String(mutant.name.split(separator: ".").last ?? "")
        var count = counts[kind] ?? Count()
        count.mutants += 1
        if outcome.isPicture { count.pictures += 1 }
        if outcome.duration > count.slowest {
            count.slowest = outcome.duration
            count.slowestName = mutant.name
        }
        counts[kind] = count
        if outcome.duration > .seconds(5) { hangs += 1 }
        if outcome.isFault { faults += 1 }
    }

    func text(seed: UInt64) -> String {
        var lines = [
            "| format | mutants | pictures | errors | slowest |", "|---|---:|---:|---:|---|",
        ]
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            let milliseconds = Int(count.slowest / .milliseconds(1))
            lines.append(
                "| \(kind) | \(count.mutants) | \(count.pictures) | "
                    + "\(count.mutants - count.pictures) | \(milliseconds) ms, "
                    + "of `\(count.slowestName)` |")
        }
        let all = counts.values.reduce(0) { $0 + $1.mutants }
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        lines.append(
            "\nSeed \(seed): \(all) mutants, \(hangs) over 5 s, \(faults) wrong, at most "
                + "\(usage.ru_maxrss / 1024) MB of memory.")
        return lines.joined(separator: "\n")
    }
}
