import Glibc

/// 1,000 different JPEGs to 256 × 256 through the whole loader: from the network, from disk, and what
/// else there is in a user's day.
struct Loads {
    let workplace: Workplace
    let count = 1000
    let pairs = 5
    /// Transfers at once, of everyone.
    private let transfers = 8

    init(workplace: Workplace) throws {
        self.workplace = workplace
        for folder in ["www/pictures", "curled", "shrunk"] {
            mkdir("\(workplace.folder)/\(folder)", 0o755)
        }
        _ = try Program(
            name: workplace.python,
            arguments: [
                "\(workplace.scripts)/pictures.py", workplace.photos[0], pictures, "\(count)",
            ]
        ).run()
        try workplace.write(
            (0..<count).map { "\(url($0))\n" }.joined(), to: list)
        try workplace.write(
            (0..<count).map {
                "url = \"\(url($0))\"\noutput = \"\(workplace.folder)/curled/\($0).jpg\"\n"
            }.joined(), to: "\(workplace.folder)/curl.txt")
    }

    private var pictures: String { "\(workplace.folder)/www/pictures" }
    private var list: String { "\(workplace.folder)/pictures.txt" }
    private func url(_ number: Int) -> String { "\(workplace.server)/pictures/\(number).jpg" }

    // MARK: - Network and disk

    func table() throws -> Table {
        var table = Table(
            "\(count) JPEGs to 256 × 256", "ratio", "min", "max", "expected", "Vitrine /s",
            "peer /s", "Vitrine CPU ms", "peer CPU ms", "Vitrine peak MB")
        let aiohttp = python("loads_aiohttp", [list, "\(transfers)"])
        let pillow = python("loads_pillow", [pictures, "\(count)"])
        for mode in ["load", "processed"] {
            try empty(mode)
            _ = try ours(mode).run()
        }
        let rows: [(String, String, () throws -> Program, () throws -> Program.Run)] = [
            ("cold, against aiohttp and Pillow", "1.3", cold, aiohttp.run),
            ("cold, against curl -Z and vipsthumbnail", "1.3", cold, curlAndVips),
            (
                "warm from disk, against Pillow from files", "1.15", { ours("load") }, pillow.run
            ),
            ("the same, processed images on disk", "10", { ours("processed") }, pillow.run),
        ]
        for (title, expected, program, peer) in rows {
            var peak = 0
            let result = try Comparison(
                pairs: pairs,
                ours: {
                    let run = try program().run()
                    peak = max(peak, run.peakBytes)
                    return cost(run)
                }, theirs: { cost(try peer()) })
            let ratios = result.ratios
            table.add(
                title, ratios.median.text(2), (ratios.first ?? .nan).text(2),
                (ratios.last ?? .nan).text(2), "≥ \(expected)",
                (1e3 / result.ours.map(\.wall).median).text(),
                (1e3 / result.theirs.map(\.wall).median).text(),
                result.ours.map(\.cpu).median.text(2), result.theirs.map(\.cpu).median.text(2),
                (Double(peak) / 1e6).text())
        }
        return table
    }

    /// With a disk cache of its own for each mode, unless told otherwise.
    private func ours(_ mode: String, cache: String? = nil) -> Program {
        Program(
            name: workplace.program("loads-vitrine"),
            arguments: [mode, "\(workplace.folder)/\(cache ?? mode)", list])
    }

    private func cold() throws -> Program {
        try empty("cold")
        return ours("load", cache: "cold")
    }

    private func python(_ script: String, _ arguments: [String]) -> Program {
        Program(
            name: workplace.python, arguments: ["\(workplace.scripts)/\(script).py"] + arguments)
    }

    /// One after the other, as in a shell.
    private func curlAndVips() throws -> Program.Run {
        let curl = try Program(
            name: "curl",
            arguments: [
                "-q", "-s", "--no-progress-meter", "-f", "--fail-early", "--noproxy", "*", "-Z",
                "--parallel-max", "\(transfers)", "-K", "\(workplace.folder)/curl.txt",
            ]
        ).run()
        let vips = try Program(
            name: "vipsthumbnail",
            arguments: ["--size", "256x256", "-o", "\(workplace.folder)/shrunk/%s.ppm"]
                + (0..<count).map { "\(workplace.folder)/curled/\($0).jpg" }
        ).run()
        return Program.Run(
            wall: curl.wall + vips.wall, cpu: curl.cpu + vips.cpu,
            peakBytes: max(curl.peakBytes, vips.peakBytes), output: "")
    }

    private func empty(_ cache: String) throws {
        _ = try Program(name: "rm", arguments: ["-rf", "\(workplace.folder)/\(cache)"]).run()
    }

    /// Milliseconds a picture.
    private func cost(_ run: Program.Run) -> Comparison.Cost {
        let scale = 1e3 / Double(count)
        return Comparison.Cost(wall: run.wall * scale, cpu: run.cpu * scale)
    }

    // MARK: - Memory

    func memoryTable() throws -> Table {
        var table = Table(
            "\(count) pictures from memory, against a locked dictionary", "ratio", "min", "max",
            "expected", "Vitrine ns", "peer ns")
        let output = try ours("memory", cache: "processed").run().output
        var rows: [String: [(ours: Double, theirs: Double)]] = [:]
        for line in output.split(separator: "\n") {
            let cells = line.split(separator: "\t").map(String.init)
            guard cells.count == 3, let mine = Double(cells[1]), let other = Double(cells[2])
            else { continue }
            rows[cells[0], default: []].append((mine, other))
        }
        for (name, pairs) in rows.sorted(by: { $0.key < $1.key }) {
            let ratios = pairs.map { $0.theirs / $0.ours }.sorted()
            table.add(
                name, ratios.median.text(2), (ratios.first ?? .nan).text(2),
                (ratios.last ?? .nan).text(2), "≥ 0.33", pairs.map(\.ours).median.text(),
                pairs.map(\.theirs).median.text())
        }
        return table
    }

    // MARK: - The rest

    /// What the first picture takes, beside what curl takes for its bytes.
    func firstTable() throws -> Table {
        var table = Table(
            "First picture, whole process, cold", "ratio", "min", "max", "expected", "Vitrine ms",
            "peer ms", "Vitrine CPU ms", "peer CPU ms")
        let one = "\(workplace.folder)/one.txt"
        try workplace.write("\(url(0))\n", to: one)
        let curl = Program(
            name: "curl",
            arguments: ["-q", "-s", "-f", "--noproxy", "*", "-o", "/dev/null", url(0)])
        let result = try Comparison(
            pairs: 31,
            ours: {
                try empty("first")
                let run = try Program(
                    name: workplace.program("loads-vitrine"),
                    arguments: ["load", "\(workplace.folder)/first", one]
                ).run()
                return Comparison.Cost(wall: run.wall * 1e3, cpu: run.cpu * 1e3)
            },
            theirs: {
                let run = try curl.run()
                return Comparison.Cost(wall: run.wall * 1e3, cpu: run.cpu * 1e3)
            })
        let ratios = result.ratios
        table.add(
            "256 × 256, against curl for the bytes", ratios.median.text(2),
            (ratios.first ?? .nan).text(2), (ratios.last ?? .nan).text(2), "≥ 0.25",
            result.ours.map(\.wall).median.text(1), result.theirs.map(\.wall).median.text(1),
            result.ours.map(\.cpu).median.text(1), result.theirs.map(\.cpu).median.text(1))
        return table
    }

    /// What many of something cost, without a peer.
    func manyTable() throws -> Table {
        var table = Table("Many", "value", "expected")
        for callers in [1000, 10_000] {
            let output = try Program(
                name: workplace.program("loads-vitrine"), arguments: ["callers", "\(callers)"]
            ).run().output
            for line in output.split(separator: "\n") {
                let cells = line.split(separator: "\t").map(String.init)
                guard cells.count == 2, let time = Double(cells[1]) else { continue }
                table.add(
                    "\(Double(callers).text()) callers of one URL, \(cells[0])",
                    "\((time / 1000).text(1)) µs each", "")
            }
        }
        let urls = 10_000
        let lines = (0..<urls).map { "\(url($0 % count))?\($0)\n" }.joined()
        let list = "\(workplace.folder)/urls-10000.txt"
        try workplace.write(lines, to: list)
        let run = try Program(
            name: "env",
            arguments: [
                "XDG_CACHE_HOME=\(workplace.folder)/program", "\(workplace.tools)/vitrine", "get",
                "--from", list, "--fit", "256x256", "--format", "jpeg", "-o",
                "\(workplace.folder)/got",
            ]
        ).run()
        table.add(
            "vitrine get of \(Double(urls).text()) URLs, peak memory",
            "\((Double(run.peakBytes) / 1e6).text()) MB", "< 150")
        table.add("the same, pictures a second", (Double(urls) / run.wall).text(), "")
        return table
    }
}
