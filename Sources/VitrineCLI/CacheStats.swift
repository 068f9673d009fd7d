import Vitrine
import VitrineStorage

/// `vitrine cache stats`: how full the disk cache is.
enum CacheStats {
    static let action = CacheCommand.Action(
        syntax: CommandSyntax(
            name: "cache stats", synopsis: "[options]",
            summary: "Says how many responses the cache holds, and how full it is.",
            options: [.init(name: "--json", help: "as one JSON object"), .help],
            details: """
                An entry is a response: a picture, one of its variants, or a redirect. The size is
                what counts against the bound: bodies, headers, URLs and the index's own records. On
                disk is the length of all files in the folder.
                """)
    ) { arguments, terminal in
        let found = try await CacheCommand.store?.statistics()
        let stats = Stats(
            path: CacheCommand.directory, entries: found?.entries ?? 0,
            bytes: found?.countedBytes ?? 0, bytesOnDisk: found?.bytesOnDisk ?? 0,
            capacity: CacheCommand.capacity)
        terminal.say(arguments.has("--json") ? JSONText.of(stats) : stats.text)
        return .success
    }

    private struct Stats: Encodable {
        let path: String
        let entries: Int
        let bytes: Int
        let bytesOnDisk: Int
        let capacity: Int

        var text: String {
            """
            path     \(path)
            entries  \(entries)
            size     \(Readable.bytes(bytes)) of \(Readable.bytes(capacity))
            on disk  \(onDisk)
            """
        }

        private var onDisk: String {
            if bytesOnDisk == 0 { return "nothing; the first download makes the cache" }
            let size = Readable.bytes(bytesOnDisk)
            return entries == 0 ? "\(size), the index of an empty cache" : "\(size), with the index"
        }
    }
}
