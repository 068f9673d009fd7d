/// Pictures of 12 megapixels to RGBA, beside Pillow and the format's own library called from C.
struct FullDecodes {
    let files: PhotoFiles
    let pairs = 9
    /// Pictures that one process decodes, after the first.
    private let more = 3

    func table() throws -> Table {
        var table = Table(
            "12 MP to RGBA", "ratio", "min", "max", "expected", "Vitrine ms", "peer ms",
            "Vitrine CPU ms", "peer CPU ms")
        let workplace = files.workplace
        for (title, kind, peer, expected) in [
            ("WebP", "webp", "Pillow", "1.2"), ("WebP", "webp", "libwebp from C", "0.9"),
            ("AVIF", "avif", "Pillow", "1.2"), ("AVIF", "avif", "libavif from C", "0.9"),
            ("PNG", "png", "Pillow", "0.9"), ("PNG with alpha", "alpha.png", "Pillow", "0.9"),
        ] {
            let path = files.path(kind)
            let ours = { (count: Int) in
                Program(
                    name: workplace.program("decode-vitrine"), arguments: [path, "\(count)"])
            }
            let theirs = { (count: Int) in
                peer == "Pillow"
                    ? Program(
                        name: workplace.python,
                        arguments: [
                            "\(workplace.scripts)/decode_pillow.py", path, "\(count)",
                        ])
                    : Program(
                        name: workplace.program("decode-c"), arguments: [path, "\(count)"])
            }
            let result = try Comparison(
                pairs: pairs, ours: { try cost(ours) }, theirs: { try cost(theirs) })
            let ratios = result.ratios
            table.add(
                "\(title), against \(peer)", ratios.median.text(2),
                (ratios.first ?? .nan).text(2), (ratios.last ?? .nan).text(2), "≥ \(expected)",
                result.ours.map(\.wall).median.text(1), result.theirs.map(\.wall).median.text(1),
                result.ours.map(\.cpu).median.text(1), result.theirs.map(\.cpu).median.text(1))
        }
        return table
    }

    /// Milliseconds a picture, without the start of the process and the first picture.
    private func cost(_ program: (Int) -> Program) throws -> Comparison.Cost {
        let one = try program(1).run()
        let all = try program(1 + more).run()
        let scale = 1e3 / Double(more)
        return Comparison.Cost(
            wall: (all.wall - one.wall) * scale, cpu: (all.cpu - one.cpu) * scale)
    }
}
