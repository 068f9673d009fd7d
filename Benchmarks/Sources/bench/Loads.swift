import Glibc

/// 1,000 different JPEGs to 256 × 256 through the whole loader: from the network, from disk, and what
/// else there is in a user's day.
struct Loads {
    let workplace: Workplace
    let count = 1000
    let rounds = 5
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

    /// Who takes a turn in each round. Those who are compared stand side by side.
    private enum Contender: CaseIterable {
        case aiohttp, cold, shell, warm, pillow, processed
    }

    /// Who is compared with whom, and what is expected of it.
    private static let comparisons: [(String, ours: Contender, peer: Contender, Double)] = [
        ("cold, against aiohttp and Pillow", .cold, .aiohttp, 1.3),
        ("cold, against curl -Z and vipsthumbnail", .cold, .shell, 1.3),
        ("warm from disk, against Pillow from files", .warm, .pillow, 1.15),
        ("the same, processed images on disk", .processed, .pillow, 10),
    ]

    /// Everybody's turns, in rounds: forwards, backwards, forwards, so that nobody is always the first
    /// of a pair.
    func table() throws -> Table {
        // These turns do not count, and leave the disk caches for those that do.
        for contender in [Contender.warm, .processed] { _ = try run(contender) }
        var runs: [Contender: [Program.Run]] = [:]
        for round in 0..<rounds {
            let order = Contender.allCases
            for contender in round.isMultiple(of: 2) ? order : order.reversed() {
                runs[contender, default: []].append(try run(contender))
            }
        }
        var table = Table(
            "\(count) JPEGs to 256 × 256", "ratio", "min", "max", "expected", "Vitrine /s",
            "peer /s", "Vitrine CPU ms", "peer CPU ms", "Vitrine peak MB", "peer peak MB")
        for (title, one, other, expected) in Self.comparisons {
            let (ours, theirs) = (runs[one] ?? [], runs[other] ?? [])
            let ratios = zip(ours, theirs).map { $1.wall / $0.wall }.sorted()
            func rate(_ runs: [Program.Run]) -> String {
                (Double(count) / runs.map(\.wall).median).text()
            }
            func cost(_ runs: [Program.Run]) -> String {
                (runs.map(\.cpu).median * 1e3 / Double(count)).text(2)
            }
            func peak(_ runs: [Program.Run]) -> String {
                (Double(runs.map(\.peakBytes).max() ?? 0) / 1e6).text()
            }
            table.add(
                title, ratios.median.text(2), (ratios.first ?? .nan).text(2),
                (ratios.last ?? .nan).text(2), "≥ \(expected.text(expected < 10 ? 2 : 0))",
                rate(ours), rate(theirs), cost(ours), cost(theirs), peak(ours), peak(theirs))
        }
        return table
    }

    private func run(_ contender: Contender) throws -> Program.Run {
        switch contender {
        case .cold:
            try empty("cold")
            return try ours("load", cache: "cold").run()
        case .warm: return try ours("load", cache: "load").run()
        case .processed: return try ours("processed", cache: "processed").run()
        case .aiohttp: return try python("loads_aiohttp", [list, "\(transfers)"]).run()
        case .pillow: return try python("loads_pillow", [pictures, "\(count)"]).run()
        case .shell: return try curlAndVips()
        }
    }

    private func ours(_ mode: String, cache: String, list: String? = nil) -> Program {
        Program(
            name: workplace.program("loads-vitrine"),
            arguments: [mode, "\(workplace.folder)/\(cache)", list ?? self.list])
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

    /// What the first picture of a process takes, beside what curl takes for its bytes; each time another
    /// picture. The disk cache is made by that process, or was made before.
    func firstTable() throws -> Table {
        var table = Table(
            "First picture, whole process", "ratio", "min", "max", "expected", "Vitrine ms",
            "peer ms", "Vitrine CPU ms", "peer CPU ms")
        func cost(_ run: Program.Run) -> Comparison.Cost {
            Comparison.Cost(wall: run.wall * 1e3, cpu: run.cpu * 1e3)
        }
        for isNew in [true, false] {
            let one = "\(workplace.folder)/one.txt"
            var number = 0
            try empty("first")
            let result = try Comparison(
                pairs: 31,
                ours: {
                    if isNew { try empty("first") }
                    try workplace.write("\(url(number))\n", to: one)
                    return cost(try ours("load", cache: "first", list: one).run())
                },
                theirs: {
                    defer { number += 1 }
                    let words = [
                        "-q", "-s", "-f", "--noproxy", "*", "-o", "/dev/null", url(number),
                    ]
                    return cost(try Program(name: "curl", arguments: words).run())
                })
            let ratios = result.ratios
            table.add(
                "against curl for the bytes, \(isNew ? "the first ever" : "a disk cache is there")",
                ratios.median.text(2), (ratios.first ?? .nan).text(2),
                (ratios.last ?? .nan).text(2), "≥ 0.25", result.ours.map(\.wall).median.text(1),
                result.theirs.map(\.wall).median.text(1),
                result.ours.map(\.cpu).median.text(1), result.theirs.map(\.cpu).median.text(1))
        }
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
        let files = "\(workplace.folder)/files-10000.txt"
        try workplace.write(
            (0..<urls).map { "file://\(pictures)/\($0 % count).jpg\n" }.joined(), to: files)
        var runs: [(String, Program.Run)] = []
        for (name, mode, list) in [
            ("images(for:)", "many", list), ("images(for:), files", "many", files),
            ("RemoteImage, one by one", "remote", list),
            ("ImagePrefetcher, to disk", "prefetched", list),
        ] {
            try empty("many")
            runs.append((name, try ours(mode, cache: "many", list: list).run()))
        }
        let got = try Program(
            name: "env",
            arguments: [
                "XDG_CACHE_HOME=\(workplace.folder)/program", "\(workplace.tools)/vitrine", "get",
                "--quiet", "--from", list, "--fit", "256x256", "--format", "jpeg", "-o",
                "\(workplace.folder)/got",
            ]
        ).run()
        runs.append(("vitrine get", got))
        for (name, run) in runs {
            table.add(
                "\(name) of \(Double(urls).text()) URLs, peak memory",
                "\((Double(run.peakBytes) / 1e6).text()) MB", "< 150")
            table.add("the same, pictures a second", (Double(urls) / run.wall).text(), "")
        }
        return table
    }
}
