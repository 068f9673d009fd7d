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
        #expect(options.changesAll)
    }

    @Test(
        "P1: mistakes in filters are explained",
        arguments: [
            (["--blur", "-1"], "--blur takes a number from 0 to 16000, not \"-1\"."),
            (["--blur", "nan"], "--blur takes a number from 0 to 16000, not \"nan\"."),
            (["--round", "1e308"], "--round takes a number from 0 to 10000000, not \"1e308\"."),
            (["--round", "-1"], "--round takes a number from 0 to 10000000, not \"-1\"."),
            (
                ["--filter", "pixellate:size=1e308"],
                "The parameter size of the filter pixellate is a number above 0, at most 10000000, not "
                    + "\"1e308\"."
            ),
            (
                ["--filter", "crop:x=-1e8,y=0,width=1,height=1"],
                "The parameter x of the filter crop is a number from -10000000 to 10000000, not "
                    + "\"-1e8\"."
            ),
            (["--tint", "orange"], "--tint takes a colour such as ff8800, not \"orange\"."),
            (
                ["--filter", "sepia:intensity=7"],
                "The parameter intensity of the filter sepia is a number from 0 to 1, not \"7\"."
            ),
            (
                ["--filter", "flip:axis=up,x=1"],
                "The filter flip has no parameter \"x\"; it has axis."
            ),
            (["--filter", "sepai"], "There is no filter \"sepai\"; did you mean sepia?"),
        ])
    func mistakes(words: [String], message: String) {
        #expect(throws: UsageError(message)) {
            try GetOptions(Arguments(words + ["a.png"], GetOptions.syntax))
        }
    }

    @Test("P1, F3: the help lists every filter with its parameters, units, bounds and choices")
    func help() throws {
        let list = GetOptions.filterList
        #expect(GetOptions.syntax.help.contains(list))
        for filter in NamedFilter.all {
            #expect(list.contains("\n  \(filter.usage)\n      \(filter.summary)"))
            for parameter in filter.parameters {
                #expect(list.contains("\n      \(parameter.name)  "))
            }
        }
        for text in [
            "\n  blur:radius=10\n      Gaussian blur by a standard deviation; also gaussianBlur\n"
                + "      radius  a number from 0 to 16000, in points; 10 unless given\n",
            "\n      mode   one of color, multiply, template; color unless given\n",
            "\n      width     a number above 0, at most 10000000, in points\n",
            "\n      degrees  a number, in degrees\n",
            "\n      crop    one of center, attention, entropy; attention unless given\n",
            "\n  circle\n      the largest centred circle\n",
        ] {
            #expect(list.contains(text), "\(text)")
        }
    }
}
