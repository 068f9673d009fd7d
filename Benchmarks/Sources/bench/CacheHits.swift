/// What a hit in the loader's caches costs.
struct CacheHits {
    let workplace: Workplace

    func table() throws -> Table {
        var table = Table("ImageLoader", "median", "by")
        let output = try Program(
            name: workplace.program("cache-hits"),
            arguments: [workplace.pictureURL, "\(workplace.folder)/cache"]
        ).run().output
        for line in output.split(separator: "\n") {
            let cells = line.split(separator: "\t").map(String.init)
            guard cells.count == 3, let nanoseconds = Double(cells[1]) else { continue }
            let time =
                nanoseconds < 10_000
                ? "\(nanoseconds.text()) ns" : "\((nanoseconds / 1000).text()) µs"
            table.add(cells[0], time, cells[2])
        }
        return table
    }
}
