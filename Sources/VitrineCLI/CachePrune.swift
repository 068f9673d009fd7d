import Vitrine
import VitrineStorage

/// `vitrine cache prune`: removes what is no longer worth its place.
enum CachePrune {
    static let action = CacheCommand.Action(
        syntax: CommandSyntax(
            name: "cache prune", synopsis: "[options]",
            summary: "Removes what has expired, and on request what is old or too much.",
            options: [
                .init(
                    name: "--older-than", value: "TIME",
                    help: "also what was last used longer ago: 90s, 15m, 12h, 30d or 2w"),
                .init(
                    name: "--to", value: "SIZE",
                    help: """
                        also the least recently used, until the cache takes no
                        more than SIZE: 500KB, 20MB or 1.5GB
                        """),
                .init(name: "--json", help: "as one JSON object"), .help,
            ],
            details: """
                The cache keeps its bound by itself. What is stale by its headers has not expired: it
                can be asked for anew cheaply, and stays.
                """)
    ) { arguments, terminal in
        let age = try arguments.value("--older-than").map { text throws(UsageError) in
            try Quantity.time(text, of: "--older-than")
        }
        let size = try arguments.value("--to").map { text throws(UsageError) in
            try Quantity.bytes(text, of: "--to")
        }
        let found = try await CacheCommand.store?.prune(unusedFor: age, to: size)
        let report = Report(removed: found?.removed ?? 0, bytes: found?.bytes ?? 0)
        terminal.say(arguments.has("--json") ? JSONText.of(report) : report.text)
        return .success
    }

    private struct Report: Encodable {
        let removed: Int
        let bytes: Int

        var text: String { "\(removed) removed, \(Readable.bytes(bytes)) freed" }
    }
}
