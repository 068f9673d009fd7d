/// The memory cache and the disk store, beside what they stand on.
struct Storage {
    let workplace: Workplace

    private func report(_ arguments: String...) throws -> SpeedReport {
        SpeedReport(
            try Program(name: "\(workplace.tools)/storage-speed", arguments: arguments).run().output
        )
    }

    /// What has a peer, and what has none.
    func tables() throws -> (compared: Table, alone: Table) {
        let memory = try report("memory")
        let disk = try report("disk", "\(workplace.folder)/disk")
        var compared = Table(
            "Caches", "ratio", "min", "max", "expected", "Vitrine µs", "peer µs",
            "Vitrine CPU µs", "peer CPU µs")
        for (name, peer, pairs, expected) in [
            ("memory hit", "a dictionary under a mutex", memory["memory hit"], "≥ 0.33"),
            ("memory insert at 100,000", "at 1,000", memory["memory insert"], "≥ 0.67"),
            ("disk hit of 16 KB", "a file", disk["disk hit of 16 KB"], "≥ 0.33"),
            ("disk hit of 256 KB", "a file", disk["disk hit of 256 KB"], "≥ 0.33"),
            (
                "disk store of 16 KB", "write and rename", disk["disk store of 16 KB"], "≥ 0.67"
            ),
            ("the same and its housekeeping", "the same", disk["disk store, tidied"], "–"),
            (
                "16 disk stores in one transaction", "write and rename",
                disk["16 stores of 16 KB at once"], "≥ 0.67"
            ),
            (
                "disk stores of 16 tasks", "write and rename by 16 tasks",
                disk["16 KB stored by 16 tasks"], "≥ 0.67"
            ),
        ] {
            let ratios = pairs.ratios
            compared.add(
                "\(name), against \(peer)", ratios.median.text(2), ratios.min.text(2),
                ratios.max.text(2), expected, pairs.microseconds(\.ours.wall).text(2),
                pairs.microseconds(\.theirs.wall).text(2), pairs.microseconds(\.ours.cpu).text(2),
                pairs.microseconds(\.theirs.cpu).text(2))
        }
        var alone = Table("Caches, alone", "median", "expected")
        let allocations = memory["allocations of 100000 memory hits"].first?.ours.wall ?? .nan
        alone.add("allocations in 100,000 memory hits", allocations.text(), "0")
        alone.add(
            "disk miss at 100,000 entries",
            "\(disk["disk miss"].microseconds(\.ours.wall).text(1)) µs",
            "≤ 20 µs")
        alone.add(
            "opening a disk store of 100,000 entries",
            "\((disk["opening"].microseconds(\.ours.wall) / 1000).text(2)) ms", "≤ 50 ms")
        let hops = disk["asynchronous hit"].microseconds { $0.ours.wall - $0.theirs.wall }
        alone.add("what `async` adds to a disk hit", "\(hops.text(1)) µs", "–")
        return (compared, alone)
    }

    /// Bodies in the index beside the same ones in files.
    func inlineTable() throws -> Table {
        let report = try report("inline", "\(workplace.folder)/inline")
        var table = Table(
            "In the index, against in a file", "store", "hit", "index store µs", "file store µs",
            "index hit µs", "file hit µs")
        for kilobytes in [4, 8, 16, 32, 64, 128, 256] {
            let stores = report["store of \(kilobytes) KB"]
            let hits = report["hit of \(kilobytes) KB"]
            table.add(
                "\(kilobytes) KB", stores.ratios.median.text(2), hits.ratios.median.text(2),
                stores.microseconds(\.ours.wall).text(1),
                stores.microseconds(\.theirs.wall).text(1),
                hits.microseconds(\.ours.wall).text(1), hits.microseconds(\.theirs.wall).text(1))
        }
        return table
    }
}
