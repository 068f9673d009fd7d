import Testing

@testable import VitrineGallery

@Suite struct ArgumentsTests {
    private func parse(_ line: String) throws -> GalleryArguments {
        try GalleryArguments(line.split(separator: " ").map(String.init))
    }

    @Test("P5: sources in their order, options anywhere between them")
    func sources() throws {
        let arguments = try parse("a.png --dark http://x/y - --size=640x480 --show 3 -- --light")
        #expect(arguments.sources == ["a.png", "http://x/y", "-", "--light"])
        #expect(arguments.style == .dark)
        #expect(arguments.width == 640 && arguments.height == 480)
        #expect(arguments.shown == 2 && arguments.screenshot == nil)
        #expect(try GalleryArguments([]).sources.isEmpty)
        #expect(try parse("--light --dark").style == .dark)
        #expect(try parse("--screenshot=a.png").screenshot == "a.png")
    }

    @Test("P5: help and versions") func purposes() throws {
        #expect(try parse("-h").purpose == .showHelp)
        #expect(try parse("a.png --help").purpose == .showHelp)
        #expect(try parse("--version").purpose == .showVersions)
        #expect(try parse("a.png").purpose == .showPictures)
        for option in ["--dark", "--light", "--size", "--show", "--screenshot", "--version"] {
            #expect(GalleryArguments.help.contains("\(option)"))
        }
        #expect(GalleryArguments.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test(
        "P5: a command line that makes no sense is explained",
        arguments: [
            ("--bogus", "There is no option --bogus; see vitrine-gallery --help."),
            ("-x", "There is no option -x; see vitrine-gallery --help."),
            ("--size", "--size needs a value: --size WxH."),
            ("--dark=1", "--dark takes no value."),
            (
                "--size 10x10",
                "--size takes a size such as 1100x760, with sides from 200 to 8000, not \"10x10\"."
            ),
            (
                "--size 99999999999999999999x400",
                "--size takes a size such as 1100x760, with sides from 200 to 8000, "
                    + "not \"99999999999999999999x400\"."
            ),
            ("--show 0", "--show takes the number of a picture, from 1 up, not \"0\"."),
            ("--show -1", "--show takes the number of a picture, from 1 up, not \"-1\"."),
            ("--screenshot=", "--screenshot takes the name of a file."),
        ])
    func mistakes(line: String, message: String) throws {
        #expect(throws: UsageError(message)) { try parse(line) }
    }
}
