import FoundationEssentials
import Glibc
import Vitrine
import VitrineStorage

/// `vitrine cache`: looks at the program's disk cache, tidies it, or empties it.
enum CacheCommand {
    /// One of the things that it does, after its name on the command line.
    struct Action: Sendable {
        let syntax: CommandSyntax
        /// What stands for the operands in its synopsis; nil for an action without any.
        var operands: String?
        let run: @Sendable (Arguments, Terminal) async throws -> Program.Status

        /// The word on the command line.
        var name: Substring { syntax.name.dropFirst("cache ".count) }
    }

    static let actions = [
        CacheStats.action, CacheList.action, CacheVerify.action, CachePrune.action,
        CacheRemove.action, CacheClear.action, path,
    ]

    private static let path = Action(
        syntax: CommandSyntax(
            name: "cache path", synopsis: "", summary: "Prints where the disk cache is.",
            options: [.help])
    ) { _, terminal in
        terminal.say(directory)
        return .success
    }

    static var help: String {
        let width = actions.map(\.name.count).max() ?? 0
        let rows = actions.map { action in
            let padding = String(repeating: " ", count: width - action.name.count + 2)
            return "  \(action.name)\(padding)\(action.syntax.summary)\n"
        }
        return """
            Usage: vitrine cache ACTION [options]

            Looks at the disk cache that the other commands use, tidies it, or empties it.

            Actions:
            \(rows.joined())
            vitrine cache ACTION --help says more of each.

            The cache lies below $XDG_CACHE_HOME, or ~/.cache where that is not set.

            """
    }

    static func run(_ words: [String], _ terminal: Terminal) async throws(UsageError)
        -> Program.Status
    {
        let names = actions.map { String($0.name) }
        guard let word = words.first else {
            let last = names.last ?? ""
            throw UsageError(
                "Say one of \(names.dropLast().joined(separator: ", ")) and \(last); "
                    + "see vitrine cache --help.")
        }
        if word == "--help" || word == "-h" {
            terminal.say(help)
            return .success
        }
        guard let action = actions.first(where: { $0.name == word }) else {
            throw UsageError("There is no vitrine cache \(word); see vitrine cache --help.")
        }
        guard
            let arguments = try Arguments.unlessHelp(
                Array(words.dropFirst()), action.syntax, terminal)
        else {
            return .success
        }
        try check(arguments, of: action)
        do {
            return try await action.run(arguments, terminal)
        } catch let error as UsageError {
            throw error
        } catch {
            terminal.complain(of: error)
            return .failure
        }
    }

    private static func check(_ arguments: Arguments, of action: Action) throws(UsageError) {
        let see = "see vitrine \(action.syntax.name) --help."
        if let operands = action.operands, arguments.operands.isEmpty {
            throw UsageError("No \(operands) was given; \(see)")
        }
        if action.operands == nil, let word = arguments.operands.first {
            throw UsageError("vitrine \(action.syntax.name) takes no \"\(word)\"; \(see)")
        }
    }

    // MARK: The store

    static var directory: String { ImageLoader.Configuration.program.diskDirectory ?? "" }

    static var capacity: Int { ImageLoader.Configuration.program.diskCapacity }

    /// The program's disk cache; nil if there is none yet, and looking makes none.
    static var store: DiskStore? {
        // What may not be looked at is not nothing: the store says why it cannot be opened.
        if access(directory, F_OK) != 0, errno == ENOENT { return nil }
        return DiskStore(
            DiskStore.Configuration(directory: directory, maximumBytes: capacity))
    }

    /// A stored URL for people, or as it is. A key of another form may hold anything.
    static func shown(_ resource: StoredResource, fullURLs: Bool) -> String {
        guard let url = resource.url else { return "(unknown URL)" }
        return fullURLs ? url : PictureSource.shown(url)
    }
}
