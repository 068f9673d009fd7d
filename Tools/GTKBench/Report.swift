import Glibc

/// The table that is printed, row by row, and whether each figure is as wanted.
struct Report {
    /// What is wanted of a figure.
    enum Wanted {
        case atLeast(Double)
        case below(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let least): value >= least
            case .below(let limit): value < limit
            }
        }

        var description: String {
            switch self {
            case .atLeast(let least): "≥ \(text(least, 0))"
            case .below(let limit): "< \(text(limit, limit == limit.rounded() ? 0 : 1))"
            }
        }
    }

    private(set) var isGood = true

    func begin() {
        say("| figure | measured | wanted | |")
        say("|---|--:|--:|---|")
    }

    mutating func add(_ name: String, _ value: Double, _ decimals: Int, _ wanted: Wanted? = nil) {
        var verdict = ""
        if let wanted {
            // What was not measured is not as wanted either.
            let isMet = value.isFinite && wanted.isMet(by: value)
            verdict = isMet ? "yes" : "**no**"
            if !isMet { isGood = false }
        }
        say("| \(name) | \(text(value, decimals)) | \(wanted?.description ?? "") | \(verdict) |")
    }
}

func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// A number with so many decimals.
func text(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    var factor = 1
    for _ in 0..<decimals { factor *= 10 }
    let scaled = Int((value * Double(factor)).rounded())
    let (whole, part) = abs(scaled).quotientAndRemainder(dividingBy: factor)
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let digits = "\(part)"
    return "\(sign)\(whole)." + String(repeating: "0", count: decimals - digits.count) + digits
}

extension [Double] {
    /// The value below which this share of them lies; no number if there are none.
    func quantile(_ share: Double) -> Double {
        guard !isEmpty else { return .nan }
        return sorted()[Swift.min(Int(Double(count) * share), count - 1)]
    }
}
