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
                The exit status is 3 if there was nothing for one of the URLs.
                """),
        operands: "URL"
    ) { arguments, terminal in
        var status = Program.Status.success
        for text in arguments.operands {
            let url = try PictureSource(text).url
            let removed = try await CacheCommand.store?.removeResponses(for: url) ?? 0
            let shown = arguments.has("--full-urls") ? text : PictureSource.shown(text)
            if removed == 0 {
                status = .notFound
                terminal.complain(
                    "\(Terminal.field(shown)): nothing is stored for it\(hint(text)).")
            }
            if arguments.has("--json") {
                terminal.say(JSONText.of(Report(url: shown, removed: removed)))
            } else if removed > 0 {
                terminal.say("\(removed) removed: \(Terminal.field(shown))")
            }
        }
        return status
    }

    /// What may be wrong with a URL for which nothing is stored.
    private static func hint(_ text: String) -> String {
        if text.contains("=…") {
            return ", it is shortened; vitrine cache list --full-urls shows whole URLs"
        }
        let isWeb = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        return isWeb ? "" : "; what is stored has a URL that begins with http:// or https://"
    }

    private struct Report: Encodable {
        let url: String
        let removed: Int
    }
}
