import Vitrine
import VitrineStorage

/// `vitrine cache remove`: removes single pictures.
enum CacheRemove {
    static let action = CacheCommand.Action(
        syntax: CommandSyntax(
            name: "cache remove", synopsis: "URL… [options]",
            summary: "Removes what is stored for URLs, in all variants.",
            options: [.json, .fullURLs, .help],
            details: """
                A URL is given whole, with its query; vitrine cache list --full-urls shows it so. A
                line says how many entries it had. What a redirect leads to has a URL of its own.
                """),
        operands: "URL"
    ) { arguments, terminal in
        for text in arguments.operands {
            let url = try PictureSource(text).url
            if text.contains("=…") {
                terminal.complain(
                    "\(text) is shortened; vitrine cache list --full-urls shows whole URLs.")
            }
            let removed = try await CacheCommand.store?.removeResponses(for: url) ?? 0
            let shown = arguments.has("--full-urls") ? text : PictureSource.shown(text)
            terminal.say(
                arguments.has("--json")
                    ? JSONText.of(Report(url: shown, removed: removed))
                    : "\(removed) removed: \(shown)")
        }
        return .success
    }

    private struct Report: Encodable {
        let url: String
        let removed: Int
    }
}
