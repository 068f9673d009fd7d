/// A table in Markdown whose columns are aligned as text, too.
struct Table: CustomStringConvertible {
    let header: [String]
    var rows: [[String]] = []

    init(_ header: String...) { self.header = header }

    mutating func add(_ cells: String...) { rows.append(cells) }

    var description: String {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                // Text to the left, numbers to the right.
                return column == 0 ? cells[column] + space : space + cells[column]
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = widths.enumerated().map { column, width in
            column == 0
                ? String(repeating: "-", count: width)
                : String(repeating: "-", count: width - 1) + ":"
        }
        return ([line(header), line(rule)] + rows.map(line)).joined(separator: "\n")
    }
}

extension Double {
    /// With so many decimals, and with commas between thousands.
    func text(_ decimals: Int = 0) -> String {
        var factor = 1
        for _ in 0..<decimals { factor *= 10 }
        guard let scaled = Int(exactly: (self * Double(factor)).rounded()) else { return "–" }
        let (whole, part) = scaled.quotientAndRemainder(dividingBy: factor)
        var digits = String(whole)
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        guard decimals > 0 else { return digits }
        let decimalDigits = String(part)
        let zeros = String(repeating: "0", count: decimals - decimalDigits.count)
        return digits + "." + zeros + decimalDigits
    }
}
