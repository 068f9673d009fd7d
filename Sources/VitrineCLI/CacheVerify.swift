import Vitrine
import VitrineStorage

/// `vitrine cache verify`: reads everything, and removes what is broken.
enum CacheVerify {
    static let action = CacheCommand.Action(
        syntax: CommandSyntax(
            name: "cache verify", synopsis: "[options]",
            summary: "Compares all entries with their checksums, and removes broken ones.",
            options: [
                .init(name: "--json", help: "as one JSON object"), .fullURLs, .help,
            ],
            details: """
                What is broken is removed whenever it is found, so this is never needed; it tells
                whether a disk is to be trusted. The exit status is 1 if anything was broken.
                """)
    ) { arguments, terminal in
        let found = try await CacheCommand.store?.verify()
        let removed = (found?.removed ?? []).map {
            CacheCommand.shown(StoredResource(key: $0), fullURLs: arguments.has("--full-urls"))
        }
        let checked = found?.checked ?? 0
        if arguments.has("--json") {
            terminal.say(JSONText.of(Report(checked: checked, removed: removed)))
        } else {
            for url in removed { terminal.say("broken, removed: \(Terminal.field(url))") }
            terminal.say("\(checked) checked, \(removed.count) broken")
        }
        return removed.isEmpty ? .success : .failure
    }

    private struct Report: Encodable {
        let checked: Int
        let removed: [String]
    }
}
