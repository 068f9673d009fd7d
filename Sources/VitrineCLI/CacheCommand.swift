import Vitrine
import VitrineStorage

/// `vitrine cache`: looks at the program's disk cache, or empties it.
enum CacheCommand {
    private static let syntax = CommandSyntax(
        name: "cache", synopsis: "stats|clear|path [options]",
        summary: """
            Looks at the disk cache that the other commands use, or empties it.

              stats  how many pictures it holds, and how full it is
              clear  removes everything
              path   prints where it is
            """,
        options: [
            .init(name: "--json", help: "stats as one JSON object"),
            .help,
        ],
        details: """
            The cache lies below $XDG_CACHE_HOME, or ~/.cache where that is not set.
            """)

    private struct Stats: Encodable {
        let path: String
        let entries: Int
        let bytes: Int
        let bytesOnDisk: Int
        let capacity: Int
    }

    static func run(_ words: [String], _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        let arguments = try Arguments(words, syntax)
        if arguments.has("--help") {
            terminal.say(syntax.help)
            return .success
        }
        guard arguments.operands.count == 1, let action = arguments.operands.first else {
            throw UsageError("Say one of stats, clear and path; see vitrine cache --help.")
        }
        guard ["stats", "clear", "path"].contains(action) else {
            throw UsageError("There is no vitrine cache \(action); see vitrine cache --help.")
        }
        let loader = ImageLoader(.program)
        do throws(DiskStoreError) {
            switch action {
            case "path":
                terminal.say(ImageLoader.Configuration.program.diskDirectory ?? "")
            case "clear":
                try await loader.removeAllFromCaches()
            default:
                guard let found = try await loader.diskStatistics() else { return .success }
                let stats = Stats(
                    path: found.directory, entries: found.entries, bytes: found.countedBytes,
                    bytesOnDisk: found.bytesOnDisk, capacity: found.maximumBytes)
                terminal.say(arguments.has("--json") ? JSONText.of(stats) : text(stats))
            }
            return .success
        } catch {
            terminal.complain("vitrine: \(error)")
            return .failure
        }
    }

    private static func text(_ stats: Stats) -> String {
        """
        path      \(stats.path)
        pictures  \(stats.entries)
        size      \(Readable.bytes(stats.bytes)) of \(Readable.bytes(stats.capacity))
        on disk   \(Readable.bytes(stats.bytesOnDisk))
        """
    }
}
