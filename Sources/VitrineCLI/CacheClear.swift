import Vitrine
import VitrineStorage

/// `vitrine cache clear`: empties the cache.
enum CacheClear {
    static let action = CacheCommand.Action(
        syntax: CommandSyntax(
            name: "cache clear", synopsis: "[options]",
            summary: "Removes everything from the disk cache, and says how much that was.",
            options: [.init(name: "--json", help: "as one JSON object"), .help])
    ) { arguments, terminal in
        var report = Report(removed: 0, bytes: 0)
        if let store = CacheCommand.store {
            // What cannot be looked at may be removable all the same.
            if let found = try? await store.statistics() {
                report = Report(removed: found.entries, bytes: found.countedBytes)
            }
            try await ImageLoader(.program).removeAllFromCaches()
        }
        terminal.say(arguments.has("--json") ? JSONText.of(report) : report.text)
        return .success
    }

    private struct Report: Encodable {
        let removed: Int
        let bytes: Int

        var text: String { "\(removed) removed, \(Readable.bytes(bytes)) freed" }
    }
}
