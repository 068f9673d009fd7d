import FoundationEssentials
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineCLI

/// What `vitrine get` makes of pictures, and what it must not do to them.
@Suite struct PictureOptionTests {
    private let shell: Shell

    init() throws { shell = try Shell() }

    private func path(_ fixture: String) -> String {
        Fixture.folder.appending(path: fixture).path
    }

    /// Runs `vitrine get` on a fixture, and reads the file that it wrote.
    private func get(_ fixture: String, _ words: String..., into folder: String) throws -> Data {
        let answer = try shell.run(words: ["get", path(fixture)] + words + ["-o", folder])
        #expect(answer.status == 0, "\(answer.errors)")
        let name = try #require(shell.files(folder).first)
        return try shell.data(folder + "/" + name)
    }

    /// A file in the shell's folder.
    private func write(_ data: Data, _ name: String) throws {
        try data.write(to: URL(filePath: shell.folder + "/" + name))
    }

    @Test("P1: --max bounds the longer side, and never enlarges") func maximum() throws {
        for (fixture, side, size) in [
            ("scene.png", "48", PixelSize(width: 48, height: 32)),
            ("orientation-6.jpg", "30", PixelSize(width: 30, height: 20)),
            ("scene.png", "100000", PixelSize(width: 96, height: 64)),
        ] {
            let data = try get(fixture, "--max", side, into: fixture + side)
            #expect(try ImageInfo(probing: data).pixelSize == size)
        }
    }

    @Test("P1: --still takes the first frame, and leaves what is still as it came")
    func still() throws {
        for (fixture, format) in [
            ("animated.gif", RasterFormat.gif), ("animated.png", .png), ("animated.webp", .webp),
            ("animated.avif", .avif),
        ] {
            let original = try Fixture.data(fixture)
            let image = try RasterImage(decoding: get(fixture, "--still", into: fixture))
            #expect(image.frameCount == 1 && image.info.format == format)
            if format == .png {
                expectPixels(
                    image.posterFrame, equals: try RasterImage(decoding: original).posterFrame)
            }
        }
        for fixture in ["scene.gif", "scene.webp"] {
            let data = try get(fixture, "--still", into: fixture)
            #expect(try data == Fixture.data(fixture))
        }
    }

    @Test("P1, D8: --lossless keeps each pixel and each frame, in WebP or PNG")
    func lossless() throws {
        for (fixture, words, format) in [
            ("scene.jpg", [], RasterFormat.png), ("rgba.webp", [], .webp), ("scene.gif", [], .png),
            ("scene.jpg", ["--format", "webp"], .webp), ("animated.gif", [], .webp),
            ("animated.gif", ["--still"], .png), ("scene.avif", [], .png),
        ] {
            let folder = fixture + words.joined()
            let answer = try shell.run(
                words: ["get", path(fixture), "--lossless", "-o", folder] + words)
            #expect(answer.status == 0, "\(answer.errors)")
            let name = try #require(shell.files(folder).first)
            let image = try RasterImage(decoding: shell.data(folder + "/" + name))
            let original = try RasterImage(decoding: Fixture.data(fixture))
            #expect(image.info.format == format, "\(folder)")
            #expect(image.frameCount == (words == ["--still"] ? 1 : original.frameCount))
            expectPixels(image.posterFrame, equals: original.posterFrame)
        }
    }

    @Test("P1: --effort makes files smaller, and no other picture of a lossless one")
    func effort() throws {
        let fast = try get("scene.png", "--effort", "0", into: "fast")
        let small = try get("scene.png", "--effort=9", into: "small")
        #expect(small.count * 4 < fast.count)
        for data in [fast, small] {
            expectPixels(try RasterImage(decoding: data).posterFrame, equals: Scene.plain)
        }
    }

    @Test("P1, D8: metadata are gone from what is encoded anew, unless --metadata keeps them")
    func metadata() throws {
        let plain = try get("orientation-6.jpg", "--max", "48", into: "plain")
        #expect(try ImageMetadata(reading: plain).isEmpty)
        let kept = try get("orientation-6.jpg", "--max", "48", "--metadata", into: "kept")
        let info = try ImageInfo(probing: kept)
        #expect(info.hasEXIF && info.orientation == 1)
        #expect(info.pixelSize == PixelSize(width: 48, height: 32))
        // What nothing changes has them anyway.
        let same = try get("orientation-6.jpg", "--metadata", into: "same")
        #expect(try same == Fixture.data("orientation-6.jpg"))
    }

    @Test("P1, D8: --metadata keeps XMP too; what cannot be kept is an error") func packets()
        throws
    {
        let packet = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'><a>Vitrine</a></x:xmpmeta>".utf8)
        let options = EncodeOptions(metadata: ImageMetadata(xmp: packet))
        try write(RasterImage(Scene.plain).encoded(as: .jpeg, options: options), "a.jpg")
        let answer = try shell.run(
            "get", "a.jpg", "--metadata", "--format", "webp", "--circle", "-o", "out")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try ImageMetadata(reading: shell.data("out/a.webp")).xmp == packet)

        let long = ImageMetadata(xmp: packet + Data(repeating: 0x20, count: 61_000))
        try write(
            RasterImage(Scene.plain).encoded(as: .png, options: EncodeOptions(metadata: long)),
            "b.png")
        let tooLong = try shell.run(
            "get", "b.png", "--metadata", "--format", "jpeg", "--json", "-o", "none")
        #expect(tooLong.status == 1 && shell.files("none").isEmpty)
        #expect(tooLong.output.contains("\"kind\":\"metadata\""), "\(tooLong.output)")
        #expect(tooLong.output.contains("the XMP packet is too large for JPEG"))
    }

    @Test("P1, D8: animations cannot keep metadata, which is said; their first frame can")
    func metadataOfAnimations() throws {
        let words = ["get", path("animated.webp"), "--metadata", "--max", "48", "--json"]
        let refused = try shell.run(words: words + ["-o", "none"])
        #expect(refused.status == 1 && shell.files("none").isEmpty)
        #expect(refused.output.contains("animations are written without them"))
        #expect(refused.output.contains("\"kind\":\"metadata\""), "\(refused.output)")
        let still = try shell.run(words: words + ["--still", "-o", "out"])
        #expect(still.status == 0)
        #expect(try ImageInfo(probing: shell.data("out/animated.webp")).hasEXIF)
    }

    @Test("P1: --partial writes the part of a damaged picture anew, and says what it is")
    func partial() throws {
        let whole = try Fixture.data("scene.jpg")
        try write(whole.prefix(whole.count * 3 / 4), "cut.jpg")
        try write(whole, "whole.jpg")
        let refused = try shell.run("get", "cut.jpg", "-o", "out")
        #expect(refused.status == 1 && shell.files("out").isEmpty)

        let answer = try shell.run("get", "cut.jpg", "whole.jpg", "--partial", "-o", "out")
        #expect(answer.status == 1)
        #expect(answer.errors.hasPrefix("2 of 2 arrived (2 files), 1 incomplete, "))
        let marked = answer.lines.filter { $0.hasSuffix("\tcut.jpg\tincomplete") }
        #expect(marked.count == 1 && answer.lines.count == 2, "\(answer.output)")
        #expect(shell.files("out") == ["cut.png", "whole.jpg"])
        #expect(try shell.data("out/whole.jpg") == whole)
        let part = try RasterImage(decoding: shell.data("out/cut.png")).posterFrame
        #expect(part[48, 0]?.alpha == 255 && part[48, 63]?.alpha == 0)

        let json = try shell.run("get", "cut.jpg", "--partial", "--json", "-o", "again")
        #expect(json.status == 1 && json.output.contains("\"complete\":false"))
        let good = try shell.run("get", "whole.jpg", "--partial", "--json", "-o", "again")
        #expect(good.status == 0 && good.output.contains("\"complete\":true"))
    }

    @Test("P3: info tells the facts of a damaged picture with --partial, and that it is one")
    func partialInfo() throws {
        let whole = try Fixture.data("scene.jpg")
        try write(whole.prefix(whole.count * 3 / 4), "cut.jpg")
        let refused = try shell.run("info", "cut.jpg")
        #expect(refused.status == 1 && refused.output.isEmpty)
        for words in [["cut.jpg"], ["-"]] {
            let sh = words == ["-"] ? "<cut.jpg" : ""
            let text = try shell.line("$vitrine info --partial \(words[0]) \(sh)")
            #expect(text.status == 1)
            #expect(text.output.contains("size         96 × 64\n"), "\(text.errors)")
            #expect(text.output.contains("complete     no, it is cut short or damaged\n"))
        }
        let json = try shell.run("info", "--partial", "--json", "cut.jpg")
        #expect(json.status == 1 && json.output.contains("\"complete\":false"))
        let good = try shell.run("info", "--partial", "--json", path("scene.jpg"))
        #expect(good.status == 0 && good.output.contains("\"complete\":true"))
    }

    @Test(
        "P1: what contradicts itself, or what the format cannot do, is said at once",
        arguments: [
            ("--max 0", "--max takes a whole number from 1 to 100000, not \"0\"."),
            ("--max 1x1", "--max takes a whole number from 1 to 100000, not \"1x1\"."),
            ("--max 5 --fit 3x3", "Only one of --fit, --fill and --max can be given, once."),
            ("--max 5 --max 6", "Only one of --fit, --fill and --max can be given, once."),
            ("--effort 10", "--effort takes a whole number from 0 to 9, not \"10\"."),
            ("--effort -1", "--effort takes a whole number from 0 to 9, not \"-1\"."),
            ("--lossless --quality 90", "Only one of --lossless and --quality can be given."),
            (
                "--lossless --format jpg",
                "--lossless goes with png and webp; JPEG changes pixels."
            ),
            ("--format avif --lossless", "--lossless goes with png and webp; AVIF changes pixels."),
            ("--format gif --lossless", "--lossless goes with png and webp; GIF changes pixels."),
            (
                "--format gif --quality 5",
                "--quality goes with jpeg, webp and avif; GIF has none."
            ),
            (
                "--format png --quality 5",
                "--quality goes with jpeg, webp and avif; PNG has none."
            ),
            (
                "--format gif --metadata",
                "--metadata goes with png, jpeg, webp and avif; GIF has no place for them."
            ),
            ("--still=1", "--still takes no value."),
        ])
    func mistakes(line: String, message: String) {
        #expect(throws: UsageError(message)) {
            try GetOptions(
                Arguments(["a"] + line.split(separator: " ").map(String.init), GetOptions.syntax))
        }
    }
}
