import Glibc

/// Filters of a picture of 1 megapixel in memory, timed inside each program.
struct Filters {
    let workplace: Workplace
    let pairs = 7
    let turns = 7

    /// What changes nothing, or is the other picture itself, in both programs.
    private static let skipped = ["background, opaque", "overlay, opaque", "premultiply, opaque"]
    /// Pillow's rows that have another name for ours.
    private static let variant = " by parts"

    func table() throws -> Table {
        let script = "\(workplace.scripts)/filters_pillow.py"
        let (pictures, results) = ("\(workplace.folder)/filters", "\(workplace.folder)/filtered")
        for folder in [pictures, results] { mkdir(folder, 0o755) }
        _ = try Program(
            name: workplace.python, arguments: [script, "prepare", workplace.photos[0], pictures]
        ).run()
        let count = "\(turns)"
        let ours = Program(
            name: workplace.program("filters-vitrine"), arguments: [pictures, count])
        let theirs = Program(name: workplace.python, arguments: [script, pictures, count])

        // A turn that does not count leaves the results, and compares them.
        _ = try Program(name: ours.name, arguments: [pictures, "1", results]).run()
        let compared = try Self.lines(
            Program(name: theirs.name, arguments: [script, pictures, "1", results]).run())
        var left: [[String: Double]] = []
        var right: [[String: Double]] = []
        for _ in 0..<pairs {
            left.append(try Self.times(ours.run()))
            right.append(try Self.times(theirs.run()))
        }

        var table = Table(
            "1 MP, against Pillow", "ratio", "min", "max", "Vitrine ms", "Pillow ms", "PSNR dB")
        for cells in compared where !Self.skipped.contains(cells[0]) {
            let name = cells[0]
            let mine = left.compactMap { $0[name.replacing(Self.variant, with: "")] }
            let other = right.compactMap { $0[name] }
            let ratios = zip(mine, other).map { $1 / $0 }
            table.add(
                name, ratios.median.text(2), (ratios.min() ?? .nan).text(2),
                (ratios.max() ?? .nan).text(2), mine.median.text(2), other.median.text(2),
                cells.count > 2 ? cells[2] : "")
        }
        return table
    }

    private static func times(_ run: Program.Run) -> [String: Double] {
        var times: [String: Double] = [:]
        for cells in lines(run) { times[cells[0]] = Double(cells[1]) }
        return times
    }

    /// A row's name and its values.
    private static func lines(_ run: Program.Run) -> [[String]] {
        run.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            .filter { $0.count > 1 }
    }
}
