import Testing

@testable import VitrineCLI

@Suite struct ArgumentsTests {
    private let syntax = CommandSyntax(
        name: "test", synopsis: "", summary: "",
        options: [
            .init(name: "--output", short: "-o", value: "DIR", help: ""),
            .init(name: "--circle", short: "-c", help: ""),
            .init(name: "--jobs", value: "N", help: ""),
        ])

    private func parse(_ line: String) throws(UsageError) -> Arguments {
        try Arguments(line.split(separator: " ").map(String.init), syntax)
    }

    @Test(
        "P1: options in all their forms",
        arguments: [
            ("a b", [], ["a", "b"]),
            ("--output x a", ["--output=x"], ["a"]),
            ("--output=x=y a", ["--output=x=y"], ["a"]),
            ("-o x a", ["--output=x"], ["a"]),
            ("-ox a", ["--output=x"], ["a"]),
            ("a -c b --circle", ["--circle", "--circle"], ["a", "b"]),
            ("-- -c --output", [], ["-c", "--output"]),
            ("- -o -", ["--output=-"], ["-"]),
            ("-o --circle", ["--output=--circle"], []),
            ("", [], []),
        ] as [(String, [String], [String])])
    func forms(line: String, options: [String], operands: [String]) throws {
        let arguments = try parse(line)
        let found = arguments.options.map { option in
            option.value.map { "\(option.name)=\($0)" } ?? option.name
        }
        #expect(found == options)
        #expect(arguments.operands == operands)
    }

    @Test(
        "P1: mistakes are explained",
        arguments: [
            ("--nope", "There is no option --nope; see vitrine test --help."),
            ("-x", "There is no option -x; see vitrine test --help."),
            ("--output", "--output needs a value: --output DIR."),
            ("--circle=1", "--circle takes no value."),
            ("-c1", "-c takes no value."),
        ])
    func mistakes(line: String, message: String) {
        #expect(throws: UsageError(message)) { try parse(line) }
    }

    @Test("P1: numbers have bounds") func numbers() throws {
        #expect(try parse("--jobs 4").integer("--jobs", in: 1...8) == 4)
        #expect(try parse("--jobs 4 --jobs 5").integer("--jobs", in: 1...8) == 5)
        #expect(try parse("").integer("--jobs", in: 1...8) == nil)
        for text in ["0", "9", "x", "4.5", "99999999999999999999", "-1"] {
            let message = "--jobs takes a whole number from 1 to 8, not \"\(text)\"."
            #expect(throws: UsageError(message)) {
                try parse("--jobs=\(text)").integer("--jobs", in: 1...8)
            }
        }
    }

    @Test("P1: the help fits a terminal of 80 columns") func helpWidth() {
        let all =
            [GetOptions.syntax, ShowCommand.syntax, InfoCommand.syntax].map(\.help)
            + CacheCommand.actions.map(\.syntax.help) + [CacheCommand.help, Program.help]
        for line in all.flatMap({ $0.split(separator: "\n") }) where !line.hasPrefix("  vitrine ") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test(
        "P1: paragraphs are filled, and what is indented stays",
        arguments: [
            ("", 0, ""), ("a\nb", 0, "a b"), ("a b\n\nc\nd", 0, "a b\n\nc d"),
            ("a:\nb\n  c\n  d\ne", 0, "a:\nb\n  c\n  d\ne"),
            ("aaaaa bbbb ccc", 70, "aaaaa\nbbbb ccc"),
            (
                String(repeating: "x", count: 90) + " y", 0,
                String(repeating: "x", count: 90) + "\ny"
            ),
        ])
    func wrapping(text: String, indent: Int, expected: String) {
        let lines = HelpText.wrapped(text, after: indent).split(
            separator: "\n", omittingEmptySubsequences: false)
        let blanks = String(repeating: " ", count: indent)
        let isIndented = lines.dropFirst().allSatisfy { $0.hasPrefix(blanks) }
        #expect(isIndented)
        let bare = lines.enumerated().map { $0 == 0 ? $1 : $1.dropFirst(indent) }
        #expect(bare.joined(separator: "\n") == expected)
    }
}
