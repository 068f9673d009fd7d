/// Many transfers of one small body over kept connections, each contender as a whole process.
struct Transfers {
    let workplace: Workplace
    let count = 5000
    let bytes = 30 << 10

    func table() throws -> Table {
        var table = Table(
            "30 KB bodies, so many at once", "ratio", "min", "max", "expected", "Vitrine req/s",
            "peer req/s", "Vitrine CPU µs", "peer CPU µs")
        for concurrency in [8, 32] {
            let curl = try curl(concurrency)
            let vitrine = client("transfer-vitrine", concurrency)
            let session = client("transfer-urlsession", concurrency)
            for (name, peer, pairs, expected) in [
                ("curl -Z", curl, 15, "0.8"), ("URLSession", session, 7, "5.0"),
            ] {
                let result = try Comparison(
                    pairs: pairs, ours: { try cost(vitrine) }, theirs: { try cost(peer) })
                let ratios = result.ratios
                table.add(
                    "\(concurrency) at once, against \(name)", ratios.median.text(2),
                    (ratios.first ?? .nan).text(2), (ratios.last ?? .nan).text(2),
                    "≥ \(expected)", (1e6 / result.ours.map(\.wall).median).text(),
                    (1e6 / result.theirs.map(\.wall).median).text(),
                    result.ours.map(\.cpu).median.text(), result.theirs.map(\.cpu).median.text())
            }
        }
        return table
    }

    private func client(_ name: String, _ concurrency: Int) -> Program {
        Program(
            name: workplace.program(name),
            arguments: [workplace.bodyURL, "\(count)", "\(concurrency)", "\(bytes)"])
    }

    /// curl reads its URLs from a file, and keeps as many connections as it may use at once.
    private func curl(_ concurrency: Int) throws -> Program {
        let line = "url = \"\(workplace.bodyURL)\"\noutput = \"/dev/null\"\n"
        let path = "\(workplace.folder)/urls.txt"
        try workplace.write(String(repeating: line, count: count), to: path)
        return Program(
            name: "curl",
            arguments: [
                "-q", "-s", "--no-progress-meter", "-f", "--fail-early", "--noproxy", "*", "-Z",
                "--parallel-max",
                "\(concurrency)", "-K", path,
            ])
    }

    /// Microseconds a transfer.
    private func cost(_ program: Program) throws -> Comparison.Cost {
        let run = try program.run()
        let scale = 1e6 / Double(count)
        return Comparison.Cost(wall: run.wall * scale, cpu: run.cpu * scale)
    }
}
