import Foundation
import OriginSupport
import PictureLists
import PixelSupport
import Testing

@testable import VitrineCLI

/// Lists: what their bytes mean, and how they are read while pictures are fetched.
@Suite struct ListTests {
    /// All lines of a text that comes in pieces of `size` bytes, and what was wrong with it.
    private static func read(_ bytes: [UInt8], size: Int) -> ([String], String?) {
        var lines = ListLines()
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += lines.add(bytes[start..<min(start + size, bytes.count)])
        }
        found += lines.end()
        return (found, lines.fault?.description)
    }

    @Test(
        "P1: lines, whatever ends them, and in whatever pieces they come",
        arguments: [
            ("", [], nil), ("a", ["a"], nil), ("a\nb\n", ["a", "b"], nil),
            ("a\r\nb\rc\n\n\rd", ["a", "b", "c", "d"], nil),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"], nil),
            (" # no\n#no\n a#b \t\n\u{A0}ä ö\u{3000}\n", ["a#b", "ä ö"], nil),
            ("a\n\u{0}b\nc", ["a"], "line 2 has the byte 0x00 in it"),
            ("a\r\n\r\nb\u{1B}c\nd", ["a"], "line 3 has the byte 0x1B in it"),
        ] as [(String, [String], String?)])
    func lines(text: String, expected: [String], fault: String?) {
        for size in 1...4 {
            let (lines, found) = Self.read(Array(text.utf8), size: size)
            #expect(lines == expected && found == fault, "\(size)")
        }
    }

    @Test("P1: what is no text is one fault, and ends the list") func noText() throws {
        #expect(
            Self.read([0x61, 0x0A, 0xC3, 0x0A, 0x62], size: 9) == (["a"], "line 2 is not UTF-8"))
        for name in ["scene.png", "scene.jpg", "scene.gif", "scene.webp", "scene.avif"] {
            let (lines, fault) = Self.read([UInt8](try Fixture.data(name)), size: 64 << 10)
            #expect(lines.isEmpty && fault?.hasPrefix("line 1 ") == true, "\(name)")
        }
        let long = [UInt8](repeating: 0x61, count: ListLines.longestLine + 1)
        #expect(Self.read(long, size: 1 << 20) == ([], "line 1 has more than 16 MB"))
        #expect(Self.read(long.dropLast(), size: 1 << 20).0.first?.count == ListLines.longestLine)
    }

    @Test("P1: a list is read a little ahead, and its doubles are known however far apart")
    func readAhead() async throws {
        let shell = try Shell()
        let lines = (0..<100_000).map { "/pictures/\($0 % 60_000).png" }
        try lines.joined(separator: "\n").write(
            toFile: shell.folder + "/list", atomically: true, encoding: .utf8)
        let feed = SourceFeed()
        let reading = Task { [folder = shell.folder] in
            await feed.read([.source(lines[5]), .list(folder + "/list")]) { _ in
                Issue.record("the list is fine")
            }
        }
        #expect(await feed.next()?.text == lines[5])
        for line in lines[0..<5] + lines[6..<100] { #expect(await feed.next()?.text == line) }
        // What is read beyond the bound is no more than what a single piece holds.
        try await Task.sleep(for: .milliseconds(100))
        #expect((100..<15_000).contains(feed.count.asked) && !feed.count.isWhole)
        var names: Set<String> = []
        while let entry = await feed.next() { names.insert(entry.name) }
        #expect(names.count == 59_900)
        await reading.value
        #expect(feed.count == .init(asked: 60_000, doubles: 40_001, isWhole: true))
        #expect(await feed.next() == nil)
    }

    @Test("P1: those who wait for a list that does not come end when they are told to")
    func stopped() async throws {
        let shell = try Shell()
        #expect(try shell.line("mkfifo pipe").status == 0)
        let path = shell.folder + "/pipe"
        // Opened for both, so that opening does not wait, and the end never comes.
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        let feed = SourceFeed()
        let reading = Task { await feed.read([.list(path)]) { _ in } }
        let takers = (0..<8).map { _ in Task { await feed.next()?.text } }
        #expect("a\nb".withCString { write(writer, $0, 3) } == 3)
        var found: [String] = []
        takers[7].cancel()
        feedLoop: for _ in 0..<1000 {
            if feed.count.asked == 1 { break feedLoop }
            try await Task.sleep(for: .milliseconds(5))
        }
        feed.stop()
        for taker in takers { if let text = await taker.value { found.append(text) } }
        await reading.value
        #expect(found == ["a"])
        #expect(feed.count == .init(asked: 1, doubles: 0, isWhole: false))
    }
}

/// `vitrine get` and its lists.
@Suite struct ListProgramTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
    }

    @Test("P1: pictures are fetched while the list is still being written") func whileWritten()
        throws
    {
        defer { origin.stop() }
        let answer = try shell.line(
            """
            { echo \(origin.address("/a.png")); i=0
              while [ ! -e out/a.png ] && [ $i -lt 200 ]; do sleep 0.1; i=$((i + 1)); done
              [ -e out/a.png ] && echo \(origin.address("/b.png")); } | $vitrine get - -o out
            """)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(shell.files("out") == ["a.png", "b.png"])
        #expect(answer.errors.hasPrefix("2 of 2 arrived (2 network), "))
    }

    @Test("P1: what stands in a list twice is fetched once, and the last line says so")
    func doubles() throws {
        defer { origin.stop() }
        let (a, b) = (origin.address("/a.png"), origin.address("/b.png"))
        let answer = try shell.run("get", a, "-", "-o", "out", input: "\(b)\n\(a)\n\(b)\n")
        #expect(answer.status == 0 && origin.requestCount == 2)
        #expect(answer.errors.hasPrefix("2 of 2 arrived (2 network), 2 doubles left out, "))
    }

    @Test("P1: a file that is no list is one clear error, and what stood before it is fetched")
    func noList() throws {
        defer { origin.stop() }
        let path = Fixture.folder.appending(path: "scene.png").path
        let picture = try shell.run("get", "--from", path, "-o", "out")
        #expect(picture.status == 1 && picture.output.isEmpty)
        #expect(
            picture.errors
                == "vitrine: The list \(path) is no list of URLs: line 1 is not UTF-8.\n")
        let text = "\(origin.address("/a.png"))\n\u{1B}]0;owned\u{7}\n\(origin.address("/b.png"))\n"
        let answer = try shell.run("get", "-", "-o", "out", input: text)
        #expect(answer.status == 1 && shell.files("out") == ["a.png"])
        #expect(
            answer.errors.hasPrefix(
                "vitrine: Standard input is no list of URLs: line 2 has the byte 0x1B in it.\n"))
        #expect(
            answer.errors.contains("\n1 of 1+ arrived (1 network), 1 list not read to its end, "))
        for (list, why) in [("none", "No such file or directory"), (".", "Is a directory")] {
            let answer = try shell.run("get", "--from", list, origin.address("/c.png"), "-o", "out")
            #expect(answer.status == 2)
            #expect(answer.errors == "vitrine: The list \(list) cannot be read: \(why).\n")
        }
        #expect(try shell.run("get", "a.png", "-H", "@\(path)").errors.contains("is no list of"))
    }

    @Test("P1: a list that breaks off is not counted as a whole one") func broken() throws {
        defer { origin.stop() }
        // It opens, and cannot be read: at the start of a process' memory there is nothing.
        let answer = try shell.line(
            """
            echo '\(origin.address("/a.png"))' > list
            $vitrine get --from list --from /proc/self/mem -o out
            """)
        #expect(answer.status == 1 && shell.files("out") == ["a.png"])
        #expect(
            answer.errors.hasPrefix(
                "vitrine: The list /proc/self/mem cannot be read: Input/output error.\n"))
        #expect(
            answer.errors.contains("\n1 of 1+ arrived (1 network), 1 list not read to its end, "))
    }

    @Test("P1: an endless line and empty lists") func ends() throws {
        defer { origin.stop() }
        let endless = try shell.line("{ yes x | tr -d '\\n'; } 2>/dev/null | $vitrine get -")
        #expect(endless.status == 1)
        #expect(endless.errors.hasSuffix("line 1 has more than 16 MB.\n"))
        let empty = try shell.run("get", "-", "--json", input: "# nothing\n\n")
        #expect(empty.status == 2 && empty.output.isEmpty)
        #expect(empty.errors == "vitrine: No URL was given; see vitrine get --help.\n")
    }

    @Test("P1: 10,000 different lines, each with a file of its own") func tenThousand() throws {
        defer { origin.stop() }
        // Files, since ten thousand transfers would take a minute.
        let data = try Fixture.data("scene.png")
        let text = (0..<10_000).map { "\(shell.folder)/in/\($0 % 10)/\($0 / 10).png" }
            .joined(separator: "\n")
        for index in 0..<10 {
            try FileManager.default.createDirectory(
                atPath: "\(shell.folder)/in/\(index)", withIntermediateDirectories: true)
            for name in 0..<1000 {
                let path = "\(shell.folder)/in/\(index)/\(name).png"
                if index == 0 {
                    try data.write(to: URL(fileURLWithPath: path))
                } else {
                    link("\(shell.folder)/in/0/\(name).png", path)
                }
            }
        }
        let answer = try shell.run("get", "-", "-o", "out", input: text)
        #expect(answer.status == 0, "\(answer.errors.prefix(500))")
        #expect(answer.errors.hasPrefix("10000 of 10000 arrived (10000 files), "))
        #expect(shell.files("out").count == 10_000)
    }
}
