import Foundation
import OriginSupport
import PixelSupport
import Testing

@testable import VitrineCLI

/// What the program says, and to whom.
@Suite struct OutputTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
        for name in ["scene.png", "animated.gif"] {
            origin.route(
                "/" + name,
                .bytes([UInt8](try Fixture.data(name)), headers: ["Cache-Control: max-age=600"]))
        }
    }

    @Test("P4: what has nothing stored is said, with a status of its own") func nothingStored()
        throws
    {
        defer { origin.stop() }
        let url = origin.address("/scene.png")
        #expect(try shell.run("get", url, "-o", "out").status == 0)
        for (words, errors) in [
            (
                ["nonsense"],
                "nonsense: nothing is stored for it; what is stored has a URL that begins with "
                    + "http:// or https://.\n"
            ),
            ([url + "?a=b"], "\(url)?a=…: nothing is stored for it.\n"),
            (
                [url + "?a=…"],
                "\(url)?a=…: nothing is stored for it, it is shortened; vitrine cache list "
                    + "--full-urls shows whole URLs.\n"
            ),
        ] {
            let answer = try shell.run(words: ["cache", "remove"] + words)
            #expect(answer.status == 3 && answer.output.isEmpty)
            #expect(answer.errors == errors)
        }
        let some = try shell.run("cache", "remove", "--json", url, "nonsense")
        #expect(some.status == 3 && some.lines.count == 2)
        #expect(some.lines.last == "{\"removed\":0,\"url\":\"nonsense\"}")
        #expect(try shell.run("cache", "remove", url).status == 3)
    }

    @Test("P1: a cache that cannot be written to is one line, and no failure") func noCache() throws
    {
        defer { origin.stop() }
        try "a file".write(
            toFile: shell.folder + "/cache", atomically: true, encoding: .utf8)
        let urls = [origin.address("/scene.png"), origin.address("/animated.gif")]
        let warning =
            "vitrine: What is fetched cannot be kept in the cache \(shell.folder)/cache/vitrine/vitrine, "
            + "so the next run fetches it again.\n"
        for words in [[], ["--json"], ["--quiet"]] {
            let answer = try shell.run(words: ["get"] + urls + words + ["-o", "out"])
            #expect(answer.status == 0)
            let isTold = answer.errors.hasPrefix(warning)
            #expect(isTold && (words.isEmpty || answer.errors == warning), "\(answer.errors)")
        }
        let bypass = try shell.run("get", urls[0], "--policy", "bypass", "-o", "out", "-q")
        #expect(bypass.status == 0 && bypass.errors.isEmpty, "nothing was to be kept")
    }

    @Test("P1: what another run has stored meanwhile is kept, of the same bytes or of others")
    func twoRuns() throws {
        defer { origin.stop() }
        let slow = try [UInt8](Fixture.data("scene.png"))
        for (path, fixture) in [("/same.png", "scene.png"), ("/other.png", "scene.gif")] {
            let headers: [OriginHeader] = ["Cache-Control: max-age=600"]
            origin.route(
                path,
                .sequence([
                    .delayed(.seconds(2), then: .bytes(slow, headers: headers)),
                    .bytes([UInt8](try Fixture.data(fixture)), headers: headers),
                ]))
            let get = "$vitrine get \(origin.address(path)) -q -o"
            let answer = try shell.line(
                "\(get) one & p=$!; sleep 1; \(get) two || exit 9; wait $p; echo $?")
            #expect(answer.output == "0\n" && answer.errors.isEmpty, "\(answer.errors)")
            // The one that was asked for later.
            let third = try shell.run("get", origin.address(path), "-q", "-o", "three")
            #expect(third.status == 0 && origin.requests(for: path).count == 2)
        }
        #expect(try shell.data("three/other.gif") == Fixture.data("scene.gif"))
    }

    @Test("P1: frames that a format cannot hold do not go in silence", arguments: ["png", "jpeg"])
    func droppedFrames(format: String) throws {
        defer { origin.stop() }
        let url = origin.address("/animated.gif")
        let words = ["get", url, "-o", "out", "--format", format]
        let answer = try shell.run(words: words)
        #expect(answer.status == 0)
        #expect(
            answer.errors.hasPrefix(
                "\(url): 2 frames are dropped, since \(format) keeps no animation; webp and gif do, "
                    + "and --still says that one is wanted.\n"))
        let json = try shell.run(words: words + ["--json"])
        #expect(json.output.contains("\"droppedFrames\":2,") && json.errors.isEmpty)
        for silent in [["--still", "--json"], ["--json", "--format", "webp"]] {
            let answer = try shell.run(words: words + silent)
            #expect(answer.status == 0 && answer.errors.isEmpty)
            #expect(!answer.output.contains("droppedFrames"))
        }
        #expect(try shell.run(words: words + ["--quiet"]).errors.isEmpty)
    }

    @Test("P1: what others write begins no line, no field, and commands no terminal")
    func escaped() throws {
        defer { origin.stop() }
        #expect(
            Terminal.field("a\tb\nc\u{1B}[2J\u{202E}d\u{FEFF}")
                == "a\\u0009b\\u000ac\\u001b[2J\\u202ed\\ufeff")
        #expect(Terminal.harmless("a\tb\nc\r\u{2028}\u{200B}") == "a\tb\nc\\u000d\\u2028\\u200b")
        #expect(Terminal.harmless("ä👩‍🚀 \u{FE0F}") == "ä👩‍🚀 \u{FE0F}")
        let name = "x\n0 of 0 arrived\t\u{1B}]0;owned\u{7}\u{202E}.png"
        for words in [
            ["get", name, "-o", "out"], ["info", name], ["show", name], ["get", name, "--json"],
            ["cache", "remove", name], ["nonsense" + name], ["get", "a", "--format", name],
            ["cache", name], ["get", "-o", name + "/x", "--from", name],
        ] {
            let answer = try shell.run(words: words)
            let text = answer.output + answer.errors
            #expect(
                !text.unicodeScalars.contains { $0 != "\n" && Terminal.isHarmful($0) }, "\(words)")
            #expect(answer.status != 0)
        }
        let data = try Fixture.data("scene.png")
        try data.write(to: URL(fileURLWithPath: shell.folder + "/" + name))
        for command in ["get", "info", "show"] {
            let answer = try shell.run(
                words: [command, name] + (command == "get" ? ["-o", "out"] : []))
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(!answer.output.contains("\n0 of 0") && !answer.output.contains("\u{1B}"))
        }
        #expect(shell.files("out") == ["x_0 of 0 arrived__]0;owned__.png"])
        let path = origin.address("/%E2%80%AE%1B%0A.png")
        origin.routeOthers(.bytes([UInt8](data)))
        #expect(try shell.run("get", path, "-o", "web").status == 0)
        #expect(shell.files("web") == ["___.png"])
    }

    @Test("P1: help COMMAND is COMMAND --help, at every depth") func help() throws {
        defer { origin.stop() }
        for words in [
            ["get"], ["show"], ["info"], ["cache"], ["cache", "list"], ["cache", "clear"],
        ] {
            let one = try shell.run(words: ["help"] + words)
            let other = try shell.run(words: words + ["--help"])
            #expect(one.status == 0 && one.output == other.output && one.errors.isEmpty)
            #expect(one.output.hasPrefix("Usage: vitrine \(words.joined(separator: " ")) "))
        }
        let all = try shell.run("--help").output
        #expect(try shell.run("help").output == all)
        for line in ["  3    vitrine cache remove found nothing", "  128+ a signal", "NO_COLOR"] {
            #expect(all.contains(line))
        }
        let unknown = try shell.run("help", "nonsense")
        #expect(unknown.status == 2 && unknown.errors.contains("no command nonsense"))
        let get = try shell.run("get", "--help").output
        #expect(get.contains("is replaced,") && get.contains("Exit status: 0 if everything"))
    }

    @Test("P2: show as JSON is what info tells") func showJSON() throws {
        defer { origin.stop() }
        let url = origin.address("/animated.gif")
        #expect(try shell.run("get", url, "-q", "-o", "out").status == 0)
        func told(_ command: String) throws -> [String: Any] {
            let answer = try shell.run(command, "--json", url)
            #expect(answer.status == 0)
            let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
            var facts = try #require(object as? [String: Any])
            for key in ["milliseconds", "freshSeconds"] {
                #expect(facts.removeValue(forKey: key) != nil)
            }
            return facts
        }
        let (show, info) = (try told("show"), try told("info"))
        #expect(show["frames"] as? Int == 3)
        #expect(NSDictionary(dictionary: show) == NSDictionary(dictionary: info))
        let missing = try shell.run("show", "--json", "none.png")
        #expect(missing.status == 1 && missing.output.contains("\"kind\":\"file\""))
        #expect(try shell.run("show", "--json", "--blocks", url).status == 2)
    }

    @Test("P1: whoever reads only the first line ends it without a word") func closedPipe() throws {
        defer { origin.stop() }
        let urls = (0..<50).map { origin.address("/scene.png#\($0)") }.joined(separator: " ")
        for command in [
            "get \(urls) -o out -q --json", "get \(urls) -o out --json", "info \(urls)",
        ] {
            let answer = try shell.line("{ $vitrine \(command); echo $? >&2; } | head -n 1")
            let status = command.contains("-q") ? "0\n" : "141\n"
            #expect(answer.errors == status, "\(command)")
        }
    }
}
