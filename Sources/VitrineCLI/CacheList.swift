import FoundationEssentials
import Vitrine
import VitrineStorage

/// `vitrine cache list`: what the disk cache holds.
enum CacheList {
    static let action = CacheCommand.Action(
        syntax: CommandSyntax(
            name: "cache list", synopsis: "[options]",
            summary: "Lists what the cache holds, one response a line.",
            options: [
                .init(
                    name: "--sort", value: "ORDER",
                    help: """
                        url (as by default), size (largest first),
                        age (newest first) or used (most recent first)
                        """),
                .json, .fullURLs, .help,
            ],
            details: """
                A line has status, type and size of the response; how long ago it was stored; for how
                long it is fresh or has been stale; whether it lies in the index or in a file of its
                own; and its URL, without query values unless --full-urls is given. "private" is what
                was fetched with credentials, "variant" one of several that the server has for a URL,
                "part" what came of a longer body, "processed" what was made of a response.

                Listing is no use of an entry. A stale one is not gone: the server is asked whether it
                still holds, or it is what --policy cacheElseLoad takes.
                """)
    ) { arguments, terminal in
        let order = try Order(arguments.value("--sort") ?? "url")
        var rows: [CacheRow] = []
        if let store = CacheCommand.store {
            let now = Date()
            var last: DiskStore.Record?
            while true {
                let page = try await store.records(after: last)
                rows += page.map { CacheRow($0, at: now, fullURLs: arguments.has("--full-urls")) }
                guard let end = page.last else { break }
                last = end
            }
        }
        rows.sort(by: order.goesBefore)
        if arguments.has("--json") {
            for row in rows { terminal.say(row.json) }
            return .success
        }
        CacheRow.table(rows).forEach { terminal.say($0) }
        let bytes = rows.reduce(0) { $0 &+ $1.bytes }
        let count = rows.count == 1 ? "1 entry" : "\(rows.count) entries"
        terminal.complain("\(count), \(Readable.bytes(bytes))")
        return .success
    }

    private enum Order: String, CaseIterable {
        case url
        case size
        case age
        case used

        init(_ text: String) throws(UsageError) {
            guard let order = Order(rawValue: text) else {
                let names = Order.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--sort takes one of \(names), not \"\(text)\".")
            }
            self = order
        }

        func goesBefore(_ one: CacheRow, _ other: CacheRow) -> Bool {
            switch self {
            case .size where one.bytes != other.bytes: one.bytes > other.bytes
            case .age where one.age != other.age: one.age < other.age
            case .used where one.unusedFor != other.unusedFor: one.unusedFor < other.unusedFor
            case .url, .size, .age, .used:
                one.url == other.url ? one.age < other.age : one.url < other.url
            }
        }
    }
}
