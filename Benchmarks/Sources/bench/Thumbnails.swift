/// JPEG photos of 12 megapixels to thumbnails of 400 × 300, written as PPM.
struct Thumbnails {
    let workplace: Workplace
    let pairs = 9

    private enum Measure {
        /// One picture, with the start of the process.
        case process
        /// Each of the further pictures in the same process.
        case picture
    }

    func table() throws -> Table {
        var table = Table(
            "12 MP JPEG to 400 × 300", "ratio", "min", "max", "Vitrine ms", "peer ms",
            "Vitrine CPU ms", "peer CPU ms")
        let vitrine = { (paths: [String]) in
            Program(
                name: workplace.program("thumbnail-vitrine"),
                arguments: [workplace.thumbnails("vitrine")] + paths)
        }
        let peers: [(String, ([String]) -> Program)] = [
            (
                "vipsthumbnail",
                { paths in
                    Program(
                        name: "vipsthumbnail",
                        arguments: [
                            "--size", "400x300", "-o",
                            "\(workplace.thumbnails("vipsthumbnail"))/%s.ppm",
                        ] + paths)
                }
            ), ("pillow", { script("pillow", $0) }), ("pyvips", { script("pyvips", $0) }),
        ]
        for (title, measure) in [
            ("one picture, whole process", Measure.process),
            ("each further picture", .picture),
        ] {
            for (name, peer) in peers {
                let result = try Comparison(
                    pairs: pairs, ours: { try cost(measure, vitrine) },
                    theirs: { try cost(measure, peer) })
                let ratios = result.ratios
                table.add(
                    "\(title), against \(name)", ratios.median.text(2),
                    (ratios.first ?? .nan).text(2), (ratios.last ?? .nan).text(2),
                    result.ours.map(\.wall).median.text(1),
                    result.theirs.map(\.wall).median.text(1),
                    result.ours.map(\.cpu).median.text(1),
                    result.theirs.map(\.cpu).median.text(1))
            }
        }
        return table
    }

    private func script(_ library: String, _ paths: [String]) -> Program {
        Program(
            name: workplace.python,
            arguments: [
                "\(workplace.scripts)/thumbnail_\(library).py", workplace.thumbnails(library),
            ] + paths)
    }

    /// Milliseconds a picture.
    private func cost(
        _ measure: Measure, _ program: ([String]) -> Program
    ) throws -> Comparison.Cost {
        let photos = workplace.photos
        let one = try program(Array(photos.prefix(1))).run()
        guard measure == .picture else {
            return Comparison.Cost(wall: one.wall * 1e3, cpu: one.cpu * 1e3)
        }
        let all = try program(photos).run()
        let scale = 1e3 / Double(photos.count - 1)
        return Comparison.Cost(
            wall: (all.wall - one.wall) * scale, cpu: (all.cpu - one.cpu) * scale)
    }

    /// How near each result is to a full decode that Pillow shrinks with Lanczos' filter.
    func qualityTable() throws -> Table {
        var table = Table("400 × 300 against full decode and Lanczos", "PSNR dB")
        let names = ["vitrine", "vipsthumbnail", "pillow", "pyvips"]
        let photo = workplace.photos[0]
        let results = names.map { "\(workplace.thumbnails($0))/photo-0.ppm" }
        let output = try Program(
            name: workplace.python,
            arguments: ["\(workplace.scripts)/psnr.py", photo] + results
        ).run().output
        for (name, line) in zip(names, output.split(separator: "\n")) {
            table.add(name, String(line))
        }
        return table
    }
}
