/// Many JPEG photos of 12 megapixels to thumbnails of 400 × 300, two at a time in one process.
struct ThumbnailBatch {
    let workplace: Workplace
    let count = 500
    let workers = 2
    let pairs = 3

    func table() throws -> Table {
        var table = Table(
            "\(count) of them, \(workers) at a time", "ratio", "min", "max", "Vitrine /s",
            "peer /s",
            "Vitrine CPU ms", "peer CPU ms", "Vitrine peak MB", "peer peak MB")
        var peaks: [[Double]] = [[], []]
        let result = try Comparison(
            pairs: pairs,
            ours: {
                try cost(
                    Program(
                        name: workplace.program("batch-vitrine"),
                        arguments: arguments("vitrine")), &peaks[0])
            },
            theirs: {
                try cost(
                    Program(
                        name: workplace.python,
                        arguments: ["\(workplace.scripts)/batch_pillow.py"] + arguments("pillow")),
                    &peaks[1])
            })
        let ratios = result.ratios
        table.add(
            "against pillow, \(workers) threads", ratios.median.text(2),
            (ratios.first ?? .nan).text(2), (ratios.last ?? .nan).text(2),
            (1e3 / result.ours.map(\.wall).median).text(1),
            (1e3 / result.theirs.map(\.wall).median).text(1),
            result.ours.map(\.cpu).median.text(1), result.theirs.map(\.cpu).median.text(1),
            (peaks[0].max() ?? .nan).text(), (peaks[1].max() ?? .nan).text())
        return table
    }

    private func arguments(_ contender: String) -> [String] {
        [workplace.thumbnails(contender), "\(count)", "\(workers)"] + workplace.photos
    }

    /// Milliseconds a picture; notes the peak of memory in megabytes.
    private func cost(_ program: Program, _ peaks: inout [Double]) throws -> Comparison.Cost {
        let run = try program.run()
        peaks.append(Double(run.peakBytes) / 1e6)
        let scale = 1e3 / Double(count)
        return Comparison.Cost(wall: run.wall * scale, cpu: run.cpu * scale)
    }
}
