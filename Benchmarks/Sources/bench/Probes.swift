/// How long it takes to tell what a file is.
struct Probes {
    let files: PhotoFiles

    func table() throws -> Table {
        var table = Table("ImageInfo(probing:)", "bytes", "median µs", "expected")
        let kinds = ["jpg", "png", "webp", "gif", "avif", "bmp", "ico"]
        let output = try Program(
            name: files.workplace.program("probe-vitrine"), arguments: kinds.map(files.path)
        ).run().output
        for (kind, line) in zip(kinds, output.split(separator: "\n")) {
            let cells = line.split(separator: "\t").map(String.init)
            guard cells.count == 2, let bytes = Double(cells[0]), let time = Double(cells[1])
            else { continue }
            table.add(kind, bytes.text(), (time / 1000).text(1), "≤ 100")
        }
        return table
    }
}
