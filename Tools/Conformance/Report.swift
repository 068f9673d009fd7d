import FoundationEssentials
import VitrineImaging

/// The reports of all corpora as one page of Markdown.
enum Report {
    static func text(_ reports: [CorpusReport]) -> String {
        var lines = [
            "# How the image decoders conform", "",
            "Made by `make conformance` on \(Today.text), with \(Libraries.text).", "",
            "A deviation is a file that did not give what is expected of it; each has its reason "
                + "below, or is marked as unexplained.",
        ]
        for report in reports {
            lines += ["", "## \(report.name)", "", report.promise, ""]
            lines += ["| files | count | as expected | deviations |", "|---|---:|---:|---:|"]
            for row in report.rows {
                lines.append(
                    "| \(row.group) | \(row.count) | \(row.asExpected) | "
                        + "\(row.count - row.asExpected) |")
            }
            guard !report.deviations.isEmpty else { continue }
            lines += ["", "| deviation | what was seen | why |", "|---|---|---|"]
            for finding in report.deviations {
                let reason = report.reason(finding) ?? "**unexplained**"
                lines.append("| `\(finding.file)` | \(finding.seen) | \(reason) |")
            }
        }
        let refusals = reports.flatMap { report in
            report.findings.filter { $0.isAsExpected && $0.seen.hasPrefix("refused") }
                .map { "| `\(report.name)/\($0.file)` | \($0.seen.dropFirst(9)) |" }
        }
        lines += ["", "## Refused as expected", "", "| file | why |", "|---|---|"] + refusals
        return lines.joined(separator: "\n") + "\n"
    }
}
