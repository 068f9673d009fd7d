import Testing
import VitrineImaging

@testable import VitrineCLI

@Suite struct FilterOptionTests {
    private func options(_ words: String...) throws(UsageError) -> GetOptions {
        try GetOptions(Arguments(words + ["https://example.org/a.png"], GetOptions.syntax))
    }

    @Test("P1: filters come in the order of the command line") func order() throws {
        let options = try options(
            "--tint", "ff8800", "--circle", "--filter", "border:width=2,color=000000", "--blur=1.5",
            "--filter=sepia", "--round", "4", "--circle")
        #expect(
            options.filters.map(\.identifier) == [
                "tint(ff8800ff,color)", "circle", "border(2.0,000000ff)", "blur(1.5)", "sepia(1.0)",
                "roundedCorners(4.0)", "circle",
            ])
        #expect(options.changesPicture)
    }

    @Test(
        "P1: mistakes in filters are explained",
        arguments: [
            (["--blur", "-1"], "--blur takes a number from 0 to 16000, not \"-1\"."),
            (["--blur", "nan"], "--blur takes a number from 0 to 16000, not \"nan\"."),
            (["--tint", "orange"], "--tint takes a colour such as ff8800, not \"orange\"."),
            (
                ["--filter", "sepia:intensity=7"],
                "The parameter intensity of the filter sepia is a number from 0 to 1, not \"7\"."
            ),
            (
                ["--filter", "flip:axis=up,x=1"],
                "The filter flip has no parameter \"x\"; it has axis."
            ),
        ])
    func mistakes(words: [String], message: String) {
        #expect(throws: UsageError(message)) {
            try GetOptions(Arguments(words + ["a.png"], GetOptions.syntax))
        }
    }

    @Test("P1: the help lists every filter with its parameters") func help() {
        let help = GetOptions.syntax.help
        for filter in NamedFilter.all {
            #expect(help.contains("\n  \(filter.usage)\n"))
            #expect(help.contains("\n      \(filter.summary)\n"))
        }
    }
}
