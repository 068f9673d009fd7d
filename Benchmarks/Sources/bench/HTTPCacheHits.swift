/// Fresh hits through the whole HTTP cache, beside Python's hishel.
struct HTTPCacheHits {
    let workplace: Workplace
    let pairs = 9

    func table() throws -> Table {
        let ours = Program(
            name: "\(workplace.tools)/storage-speed",
            arguments: ["http", "\(workplace.folder)/http", "3000"])
        let theirs = Program(
            name: workplace.python,
            arguments: ["\(workplace.scripts)/cache_hishel.py", workplace.folder, "500"])
        var output = ""
        for turn in 0...pairs {
            let left = try Self.lines(ours.run())
            let right = try Self.lines(theirs.run())
            guard turn > 0 else { continue }
            for (mine, other) in zip(left, right) where mine[0] == other[0] {
                output += "\(mine[0])\t\(mine[1])\t\(other[1])\t\(mine[3])\t\(other[2])\n"
            }
        }
        let report = SpeedReport(output)
        var table = Table(
            "Fresh hit of 16 KB through the HTTP cache", "ratio", "min", "max", "expected",
            "Vitrine µs", "hishel µs", "Vitrine CPU µs", "hishel CPU µs")
        for (name, title) in [
            ("memory", "in memory, against SQLite in memory"),
            ("disk", "on disk, against SQLite in a file"),
        ] {
            let pairs = report[name]
            let ratios = pairs.ratios
            table.add(
                title, ratios.median.text(1), ratios.min.text(1), ratios.max.text(1), "≥ 20",
                pairs.microseconds(\.ours.wall).text(1), pairs.microseconds(\.theirs.wall).text(1),
                pairs.microseconds(\.ours.cpu).text(1), pairs.microseconds(\.theirs.cpu).text(1))
        }
        return table
    }

    private static func lines(_ run: Program.Run) -> [[String]] {
        run.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    }
}
