import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineImaging

@Suite struct ProgramTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
    }

    private func serve(_ path: String, _ fixture: String, fresh: Bool = true) throws {
        let headers: [OriginHeader] = fresh ? ["Cache-Control: max-age=600"] : []
        origin.route(path, .bytes([UInt8](try Fixture.data(fixture)), headers: headers))
    }

    @Test("P1: pictures are fetched as they are, and a second run asks nothing")
    func getTwice() throws {
        defer { origin.stop() }
        for name in ["scene.jpg", "scene.avif", "scene.jp2"] { try serve("/" + name, name) }
        let list = ["scene.jpg", "scene.avif", "scene.jp2"].map { origin.address("/" + $0) }
        let first = try shell.run("get", list[0], list[1], list[2], "-o", "out/deep")
        #expect(first.status == 0)
        #expect(shell.files("out/deep") == ["scene-2.avif", "scene-3.jp2", "scene.jpg"])
        for (name, fixture) in [
            ("scene.jpg", "scene.jpg"), ("scene-2.avif", "scene.avif"),
            ("scene-3.jp2", "scene.jp2"),
        ] {
            #expect(try shell.data("out/deep/" + name) == Fixture.data(fixture))
        }
        #expect(first.lines.count == 3)
        #expect(first.errors.hasPrefix("3 of 3 arrived (3 network), "))
        let fields = try #require(first.lines.first { $0.contains("scene.jpg") })
            .split(separator: "\t")
        #expect(fields.prefix(4) == ["out/deep/scene.jpg", "96x64", "jpeg", "network"])
        #expect(fields.last.map(String.init) == list[0])

        let second = try shell.run("get", list[0], list[1], list[2], "-o", "again")
        #expect(second.errors.hasPrefix("3 of 3 arrived (3 disk), "))
        #expect(origin.requestCount == 3)
    }

    @Test("P1: a picture that comes again is its bytes again, not what was made of them")
    func sameBytes() throws {
        defer { origin.stop() }
        try serve("/a.jpg", "scene.jpg")
        // Many, so that the last ones begin when the first ones are done.
        let urls = (0..<30).map { origin.address("/a.jpg#\($0)") }
        let answer = try shell.run(words: ["get"] + urls + ["-o", "out"])
        #expect(answer.status == 0 && shell.files("out").count == 30)
        for name in shell.files("out") {
            #expect(try shell.data("out/" + name) == Fixture.data("scene.jpg"))
        }
    }

    @Test("P1: sizes, circles and formats") func changes() throws {
        defer { origin.stop() }
        try serve("/a.jpg", "scene.jpg")
        let url = origin.address("/a.jpg")
        let circle = try shell.run("get", url, "--fill", "40x40", "--circle", "-o", "out")
        #expect(circle.status == 0)
        let image = try RasterImage(decoding: shell.data("out/a.png"))
        #expect(image.pixelSize == PixelSize(width: 40, height: 40))
        #expect(image.posterFrame[0, 0]?.alpha == 0 && image.posterFrame[20, 20]?.alpha == 255)

        let fit = try shell.run(
            "get", url, "--fit=30x30", "--format", "webp", "--quality", "50", "-o", "out")
        #expect(fit.status == 0)
        let webp = try RasterImage(decoding: shell.data("out/a.webp"))
        #expect(webp.info.format == .webp)
        #expect(webp.pixelSize == PixelSize(width: 30, height: 20))

        let round = try shell.run("get", url, "--round", "9.5", "-o", "out2")
        #expect(round.status == 0)
        #expect(try RasterImage(decoding: shell.data("out2/a.png")).posterFrame[0, 0]?.alpha == 0)
    }

    @Test("P1, D8: an animation stays one where the format can") func animation() throws {
        defer { origin.stop() }
        try serve("/a.gif", "animated.gif")
        try serve("/b.png", "animated.png")
        let urls = [origin.address("/a.gif"), origin.address("/b.png")]
        // Alone, since nothing but the resizing then needs libvips.
        let alone = try shell.run("get", urls[0], "--fit", "30x30", "-o", "alone")
        #expect(alone.status == 0, "\(alone.errors)")
        for (words, names, frames) in [
            (["--fit", "30x30"], ["a.gif", "b.webp"], 3),
            (["--format", "webp"], ["a.webp", "b.webp"], 3),
            (["--format", "avif"], ["a.avif", "b.avif"], 1),
        ] {
            let folder = "out" + words.joined()
            let answer = try shell.run(words: ["get"] + urls + words + ["-o", folder])
            #expect(answer.status == 0, "\(answer.errors)")
            for name in names {
                let image = try RasterImage(decoding: shell.data("\(folder)/\(name)"))
                #expect(image.frameCount == frames, "\(folder)/\(name)")
            }
        }
    }

    @Test("P1: lists from a file and from standard input; one URL twice is one picture")
    func lists() throws {
        defer { origin.stop() }
        try serve("/a", "scene.png")
        try serve("/b", "scene.gif")
        let text = """
            # pictures
            \(origin.address("/a"))

              \(origin.address("/b"))\u{20}
            \(origin.address("/a"))
            """
        let piped = try shell.run("get", "--from", "-", "-o", "out", input: text)
        #expect(piped.status == 0)
        #expect(shell.files("out") == ["a.png", "b.gif"])
        try text.write(toFile: shell.folder + "/list", atomically: true, encoding: .utf8)
        let file = try shell.run("get", "--from", "list", "-o", "out2", "--policy", "cacheOnly")
        #expect(file.errors.hasPrefix("2 of 2 arrived (2 disk), "))
        #expect(origin.requestCount == 2)
        #expect(try shell.run("get", "--from", "none").status == 2)
    }

    @Test("promise 1: 1,000 lines with 50 URLs make 50 transfers") func thousandLines() throws {
        defer { origin.stop() }
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
        let lines = (0..<1000).map { origin.address("/\($0 % 50)") }.joined(separator: "\n")
        let answer = try shell.run("get", "--from", "-", "-o", "out", input: lines)
        #expect(answer.status == 0)
        #expect(origin.requestCount == 50)
        #expect(shell.files("out").count == 50)
    }

    @Test("P1, promise 29: failures name the URL without its secrets, and the reason")
    func failures() throws {
        defer { origin.stop() }
        try serve("/a.png", "scene.png")
        origin.route(
            "/page", .bytes(Array("<html>hello</html>".utf8), type: "image/png"))
        let good = origin.address("/a.png")
        let answer = try shell.run(
            "get", good, origin.address("/page?token=hunter2"), origin.address("/none"),
            "http://user:hunter2@127.0.0.1:1/x", "no-such-file.png", "-o", "out")
        #expect(answer.status == 1)
        #expect(shell.files("out") == ["a.png"])
        #expect(!answer.errors.contains("hunter2") && !answer.output.contains("hunter2"))
        let host = "http://127.0.0.1:\(origin.port)"
        for line in [
            "\(host)/page?token=…: The data is not an image: it looks like HTML content.",
            "\(host)/none: The server answered with status 404 (not found).",
            "http://127.0.0.1:1/x: No connection to 127.0.0.1, port 1, could be made: "
                + "Connection refused.",
        ] {
            #expect(answer.errors.contains(line + "\n"), "\(answer.errors)")
        }
        #expect(answer.errors.contains("no-such-file.png: The file "))
        #expect(answer.errors.contains("1 of 5 arrived (1 network), "))

        let full = try shell.run(
            "get", origin.address("/page?token=hunter2"), "--full-urls", "-o", "out")
        #expect(full.errors.contains("\(host)/page?token=hunter2: "))
    }

    @Test("P1: JSON, one object a line, failures too") func json() throws {
        defer { origin.stop() }
        try serve("/a.png", "scene.png")
        let answer = try shell.run(
            "get", origin.address("/a.png"), origin.address("/none"), "--json", "-o", "out")
        #expect(answer.status == 1 && answer.errors.isEmpty)
        let objects = try answer.lines.map {
            try #require(
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let good = try #require(objects.first { $0["path"] != nil })
        #expect(good["width"] as? Int == 96 && good["format"] as? String == "png")
        #expect(good["path"] as? String == "out/a.png" && good["source"] as? String == "network")
        let bad = try #require(objects.first { $0["error"] != nil })
        #expect(bad["url"] as? String == origin.address("/none"))
        #expect(bad["error"] as? String == "The server answered with status 404 (not found).")
    }

    @Test("P1: a picture that is small enough stays as it came, and an animation an animation")
    func smallEnough() throws {
        let folder = Fixture.folder
        let words = ["scene.jpg", "animated.avif"].map { folder.appending(path: $0).path }
        #expect(try shell.run(words: ["get", "--max", "96", "-o", "out"] + words).status == 0)
        #expect(try shell.data("out/scene.jpg") == Fixture.data("scene.jpg"))
        #expect(try shell.data("out/animated.avif") == Fixture.data("animated.avif"))
        #expect(try shell.run(words: ["get", "--max", "48", "-o", "small"] + words).status == 0)
        let small = try RasterImage(decoding: shell.data("small/animated.webp"))
        #expect(small.frameCount == 3)
        // Names go by the list, whatever arrives first, also where the extension changes.
        let others = ["scene.heic", "scene.bmp", "scene.xbm"]
            .map { folder.appending(path: $0).path }
        let answer = try shell.run(words: ["get", "--max", "48", "-o", "names"] + others)
        #expect(answer.status == 0)
        for (name, source) in zip(["scene.png", "scene-2.png", "scene-3.png"], others) {
            #expect(
                answer.lines.contains { $0.contains("names/\(name)\t") && $0.contains(source) },
                "\(answer.output)")
        }
    }

    @Test("P1: a picture is not written over itself") func notOverItself() throws {
        defer { origin.stop() }
        let jpeg = try Fixture.data("scene.jpg")
        try jpeg.write(to: URL(fileURLWithPath: shell.folder + "/a.jpg"))
        let answer = try shell.run("get", "a.jpg", "--fit", "10x10")
        #expect(answer.status == 1)
        let why = "a.jpg: ./a.jpg is the picture itself; name another folder by --output."
        #expect(answer.errors.contains(why), "\(answer.errors)")
        #expect(try shell.data("a.jpg") == jpeg)
        #expect(try shell.run("get", "a.jpg", "--fit", "10x10", "-o", "small").status == 0)
        let host = try shell.run("get", "example.org/a.png")
        #expect(host.errors.contains("A URL begins with http:// or https://."))
    }

    @Test("P1: a folder that cannot be written ends the run before anything is fetched")
    func unwritableFolder() throws {
        defer { origin.stop() }
        try serve("/a.png", "scene.png")
        try "a file".write(toFile: shell.folder + "/file", atomically: true, encoding: .utf8)
        for folder in ["file", "file/below", "/proc/here"] {
            let answer = try shell.run("get", origin.address("/a.png"), "-o", folder)
            #expect(answer.status == 1)
            #expect(answer.errors.hasPrefix("vitrine: \(folder) cannot be written: "))
        }
        #expect(origin.requestCount == 0)
        #expect(try String(contentsOfFile: shell.folder + "/file", encoding: .utf8) == "a file")
    }

    @Test("P3: info reads standard input, and knows what headers say")
    func standardInput() throws {
        let shell = try Shell()
        let svg = String(decoding: try Fixture.data("scene.svg"), as: UTF8.self)
        let refused = try shell.run("info", "--json", "-", input: svg)
        #expect(refused.status == 1 && refused.output.contains("\"kind\":\"formatNotAllowed\""))
        let answer = try shell.run("info", "--svg", "-", input: svg)
        #expect(answer.status == 0)
        let rows = answer.lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            rows == [
                "format svg", "size 96 × 64", "frames 1", "colour rgb, 8 bits a sample",
                "alpha yes", "profile no", "orientation upright", "bytes \(svg.utf8.count) bytes",
                "from input",
            ])
        let gif = Fixture.folder.appending(path: "animated.gif").path
        let facts = try shell.run("info", gif)
        #expect(facts.output.contains("3, 0.6 s, 2 times"))
        let profile = Fixture.folder.appending(path: "display-p3.jpg").path
        #expect(try shell.run("info", profile).output.contains("sP3C"))
    }

    @Test("P1: SVG on request; failures have a kind for programs")
    func svg() throws {
        let shell = try Shell()
        let path = Fixture.folder.appending(path: "scene.svg").path
        let refused = try shell.run("get", path, "--json", "-o", shell.folder)
        #expect(refused.status == 1 && refused.output.contains("\"kind\":\"formatNotAllowed\""))
        let answer = try shell.run("get", path, "--svg", "--fit", "960x960", "-o", shell.folder)
        #expect(answer.status == 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: shell.folder + "/scene.png"))
        #expect(try ImageInfo(probing: data).pixelSize == PixelSize(width: 960, height: 640))
        let help = try shell.run("get", "--help").output
        #expect(help.contains("one of color, multiply, template"))
    }

    @Test("P1: a command line that makes no sense is explained")
    func usage() throws {
        defer { origin.stop() }
        for (words, message) in [
            ("get", "No URL was given"), ("get a --fit 10", "such as 640x480"),
            ("get a --fit 10x0", "such as 640x480"), ("get a --fit 1x1 --fill 1x1", "Only one of"),
            ("get a --format bmp", "webp, avif or gif"), ("get a --quality 101", "from 1 to 100"),
            ("get a --policy maybe", "standard, revalidate"),
            ("get a --round -1", "from 0 to 10000000"),
            ("get a --jobs 0", "from 1 to 256"), ("get a --bogus", "no option --bogus"),
            ("info", "No URL or file"), ("nonsense", "no command nonsense"),
        ] {
            let answer = try shell.run(words: words.split(separator: " ").map(String.init))
            #expect(answer.status == 2, "\(words)")
            #expect(answer.errors.contains(message), "\(words): \(answer.errors)")
            #expect(answer.output.isEmpty)
        }
        #expect(try shell.run().status == 2)
        for words in [
            "--help", "get --help", "info -h", "cache --help", "--version", "get --filter help",
            "get a.png --filter=help --circle",
        ] {
            let answer = try shell.run(words: words.split(separator: " ").map(String.init))
            #expect(answer.status == 0 && !answer.output.isEmpty && answer.errors.isEmpty)
        }
    }

    @Test("P3: what a picture is") func info() throws {
        defer { origin.stop() }
        try serve("/new.png", "scene.png")
        origin.route("/old", .redirect(to: "/new.png?key=hunter2"))
        let path = Fixture.folder.appendingPathComponent("orientation-6.jpg").path
        let text = try shell.run("info", path, origin.address("/old"))
        #expect(text.status == 0)
        #expect(text.output.contains("orientation  6 (as stored; EXIF)"))
        #expect(text.output.contains("size         96 × 64"))
        #expect(text.output.contains("status       200"))
        #expect(text.output.contains("/new.png?key=…\n"))
        #expect(!text.output.contains("hunter2"))
        let json = try shell.run("info", "--json", origin.address("/old"), "none.png")
        #expect(json.status == 1 && json.lines.count == 2)
        #expect(json.lines.first?.contains("\"format\":\"png\"") == true)
        #expect(json.lines.last?.contains("there is no such file") == true)
    }
}
