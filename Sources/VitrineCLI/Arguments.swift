import Vitrine

/// What a command accepts, and how it explains itself.
struct CommandSyntax {
    struct Option {
        /// With its dashes: `--output`.
        let name: String
        /// The one-letter form, if there is one: `-o`.
        var short: String?
        /// What stands for the value in the help; nil for an option without one.
        var value: String?
        let help: String
    }

    let name: String
    /// What follows the name: `URL… [options]`.
    let synopsis: String
    let summary: String
    let options: [Option]
    var details = ""

    /// The text of `--help`.
    var help: String {
        let rows = options.map { option in
            let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
            return (option.value.map { "\(names) \($0)" } ?? names, option.help)
        }
        let width = rows.map(\.0.count).max() ?? 0
        var text = "Usage: vitrine \(name) \(synopsis)\n\n\(HelpText.wrapped(summary))\n"
        if !rows.isEmpty {
            text += "\nOptions:\n"
            for (left, right) in rows {
                let padding = String(repeating: " ", count: width - left.count + 2)
                text += "  \(left)\(padding)\(HelpText.wrapped(right, after: width + 4))\n"
            }
        }
        return details.isEmpty ? text : text + "\n\(HelpText.wrapped(details))\n"
    }
}

extension CommandSyntax.Option {
    /// What several subcommands take, in the same words.
    static let policy = Self(
        name: "--policy", value: "P",
        help: CachePolicy.allCases.map(\.rawValue).dropLast().joined(separator: ", ")
            + " or \(CachePolicy.allCases.map(\.rawValue).last ?? "")")
    static let svg = Self(name: "--svg", help: "render SVG too, which is refused otherwise")
    static let partial = Self(
        name: "--partial",
        help: """
            of a damaged picture, take the part that can be read;
            what is missing is transparent
            """)
    static let json = Self(name: "--json", help: "one JSON object a line")
    static let fullURLs = Self(
        name: "--full-urls", help: "show whole URLs, with user info and query values")
    static let help = Self(name: "--help", short: "-h", help: "show this")
}

/// A mistake on the command line, as a sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A parsed command line: options in the order given, and what is no option.
struct Arguments: Equatable {
    struct Given: Equatable {
        let name: String
        let value: String?
    }

    private(set) var options: [Given] = []
    private(set) var operands: [String] = []

    /// Parses as POSIX and GNU programs do: `--name value`, `--name=value`, `-n value`, `-nvalue`;
    /// after `--` nothing is an option, and `-` alone never is.
    init(_ words: [String], _ syntax: CommandSyntax) throws(UsageError) {
        var words = words[...]
        var onlyOperands = false
        while let word = words.popFirst() {
            if onlyOperands || word == "-" || !word.hasPrefix("-") {
                operands.append(word)
            } else if word == "--" {
                onlyOperands = true
            } else {
                options.append(try Self.option(word, &words, syntax))
            }
        }
    }

    private static func option(
        _ word: String, _ rest: inout ArraySlice<String>, _ syntax: CommandSyntax
    ) throws(UsageError) -> Given {
        var name = word
        var attached: String?
        if word.hasPrefix("--") {
            if let equals = word.firstIndex(of: "=") {
                name = String(word[..<equals])
                attached = String(word[word.index(after: equals)...])
            }
        } else if word.count > 2 {
            name = String(word.prefix(2))
            attached = String(word.dropFirst(2))
        }
        guard let option = syntax.options.first(where: { $0.name == name || $0.short == name })
        else {
            throw UsageError("There is no option \(name); see vitrine \(syntax.name) --help.")
        }
        guard let placeholder = option.value else {
            guard attached == nil else { throw UsageError("\(name) takes no value.") }
            return Given(name: option.name, value: nil)
        }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError("\(name) needs a value: \(name) \(placeholder).")
        }
        return Given(name: option.name, value: value)
    }

    /// Whether the option was given.
    func has(_ name: String) -> Bool { options.contains { $0.name == name } }

    /// The option's value; where it was given twice, the last.
    func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

    /// The option's value as a whole number within `range`.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(name) takes a whole number \(bounds), not \"\(text)\".")
        }
        return number
    }

    /// What `--partial` says of damaged pictures.
    var damage: DecodeOptions.DamageHandling { has("--partial") ? .readablePart : .refused }

    /// The cache policy that `--policy` names.
    var policy: CachePolicy? {
        get throws(UsageError) {
            guard let name = value("--policy") else { return nil }
            guard let policy = CachePolicy(rawValue: name) else {
                let names = CachePolicy.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--policy takes one of \(names), not \"\(name)\".")
            }
            return policy
        }
    }
}
