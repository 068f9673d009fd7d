import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineStorage

@testable import VitrineCLI

@Suite struct CacheCommandTests {
    private let shell: Shell
    private let origin: OriginServer
    private let png: [UInt8]

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    private var cacheFolder: String { shell.folder + "/cache/vitrine/vitrine" }

    /// Serves the picture with as many zeros behind its end.
    private func serve(_ path: String, padding: Int = 0, _ headers: OriginHeader...) {
        let body = png + [UInt8](repeating: 0, count: padding)
        origin.route(path, .bytes(body, type: "image/png", headers: headers))
    }

    private func get(_ urls: String...) throws {
        let answer = try shell.run(words: ["get", "-o", "out"] + urls)
        #expect(answer.status == 0, "\(answer.errors)")
    }

    private func objects(_ answer: Shell.Answer) throws -> [[String: Any]] {
        try answer.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test(
        "P4: no action makes a cache where there is none, and each says so",
        arguments: [false, true])
    func noCache(json: Bool) throws {
        defer { origin.stop() }
        for words in [
            "stats", "list", "verify", "prune --to 1MB", "clear", "path", "remove http://a/b",
        ] {
            let words = ["cache"] + words.split(separator: " ").map(String.init)
            let answer = try shell.run(
                words: words + (json && words[1] != "path" ? ["--json"] : []))
            #expect(answer.status == (words[1] == "remove" ? 3 : 0), "\(words)")
        }
        #expect(try shell.run("cache", "path").output == cacheFolder + "\n")
        let stats = try shell.run("cache", "stats").output
        #expect(stats.contains("on disk  nothing; the first download makes the cache\n"))
        #expect(!FileManager.default.fileExists(atPath: shell.folder + "/cache"))
    }

    @Test("P4: stats explain what an empty cache takes") func stats() throws {
        defer { origin.stop() }
        serve("/a.png", "Cache-Control: max-age=600")
        try get(origin.address("/a.png"))
        let stats = try shell.run("cache", "stats").output
        #expect(stats.contains("entries  1\n") && stats.contains(" of 150.0 MB\n"))
        let json = try #require(try objects(shell.run("cache", "stats", "--json")).first)
        #expect(json["entries"] as? Int == 1 && json["path"] as? String == cacheFolder)
        #expect(try #require(json["bytes"] as? Int) > png.count)
        let cleared = try shell.run("cache", "clear")
        #expect(cleared.status == 0 && cleared.output.hasPrefix("1 removed, "))
        #expect(cleared.output.hasSuffix(" freed\n") && !cleared.output.contains(" 0 bytes"))
        try get(origin.address("/a.png"))
        let facts = try #require(try objects(shell.run("cache", "clear", "--json")).first)
        #expect(facts["removed"] as? Int == 1 && facts["bytes"] as? Int == json["bytes"] as? Int)
        #expect(try shell.run("cache", "clear").output == "0 removed, 0 bytes freed\n")
        let empty = try shell.run("cache", "stats").output
        #expect(empty.contains("entries  0\nsize     0 bytes of 150.0 MB\non disk  "))
        #expect(empty.contains(" KB, the index of an empty cache\n"))
    }

    @Test("P4, C10: the list tells status, type, size, age, freshness, place and URL") func list()
        throws
    {
        defer { origin.stop() }
        serve("/b.png", padding: 100_000, "Cache-Control: max-age=7200")
        serve("/a.png", "Cache-Control: no-cache", "ETag: \"1\"")
        serve("/c.png", "Cache-Control: max-age=1", "Vary: Accept", "Age: 200")
        origin.route("/old", .redirect(to: "/a.png"))
        try get(origin.address("/b.png"), origin.address("/a.png"))
        try get(origin.address("/c.png"))
        let answer = try shell.run("cache", "list")
        #expect(answer.status == 0)
        #expect(answer.errors.hasPrefix("3 entries, "))
        let rows = answer.lines.map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
                .replacing(/\d+ s ago/, with: "now")
        }
        let size = "\(png.count) bytes"
        #expect(
            rows == [
                "200 image/png \(size) now asks each time index \(origin.address("/a.png"))",
                "200 image/png \(Readable.bytes(png.count + 100_000)) now fresh for 1 h file "
                    + origin.address("/b.png"),
                "200 image/png \(size) now stale for 3 min index \(origin.address("/c.png")) (variant)",
            ])
        #expect(
            Set(answer.lines.map { $0.firstRange(of: "http")?.lowerBound.utf16Offset(in: $0) })
                .count == 1)
        let sorted = try objects(shell.run("cache", "list", "--json", "--sort", "size"))
        #expect(sorted.map { $0["bytes"] as? Int } == [png.count + 100_000, png.count, png.count])
        let file = try #require(sorted[0]["file"] as? String)
        #expect(try Data(contentsOf: URL(filePath: file)).count == png.count + 100_000)
        #expect(sorted[1]["file"] == nil && sorted[1]["freshFor"] == nil)
        #expect((sorted[2]["freshFor"] as? Int).map { $0 < -190 } == true)
        let newest = try objects(shell.run("cache", "list", "--json", "--sort", "age"))
        #expect((newest[0]["url"] as? String)?.hasSuffix("/c.png") == true)
        #expect(try shell.run("cache", "list", "--sort", "x").status == 2)
    }

    @Test("P4, promise 29: no secret appears in the list, in file names or in what the others say")
    func secrets() throws {
        defer { origin.stop() }
        for path in ["/signed.png", "/basic.png", "/cookie.png"] {
            serve(
                path, padding: 100_000, "Cache-Control: max-age=600",
                "Set-Cookie: session=hunter2; token=hunter2", "Vary: Authorization, Cookie",
                "X-Api-Key: hunter2")
        }
        let signed = origin.address("/signed.png") + "?X-Signature=hunter2&n=1"
        let basic = "http://hunter2:hunter2@127.0.0.1:\(origin.port)/basic.png"
        try get(signed, basic, origin.address("/cookie.png"))
        #expect(origin.requests(for: "/basic.png").count == 1)
        // Damage one, so that verify has something to say.
        let rows = try objects(shell.run("cache", "list", "--json"))
        #expect(rows.count == 3)
        let victim = try #require(rows.first { ($0["url"] as? String)?.contains("signed") == true })
        let file = try #require(victim["file"] as? String)
        var body = try Data(contentsOf: URL(filePath: file))
        body[50_000] ^= 1
        try body.write(to: URL(filePath: file))
        var said = ""
        for words in [
            ["list"], ["list", "--json"], ["stats"], ["verify"], ["verify", "--json"],
            ["remove", signed, basic], ["remove", "--json", signed], ["prune", "--to", "1KB"],
        ] {
            let answer = try shell.run(words: ["cache"] + words)
            said += answer.output + answer.errors
        }
        #expect(!said.contains("hunter2"))
        let digest = "f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7"
        #expect(!said.contains(digest), "nor what a secret is known by")
        #expect(said.contains("/signed.png?X-Signature=…&n=…"))
        #expect(said.contains("\"isPrivate\":true"))
        let names = try FileManager.default.subpathsOfDirectory(atPath: cacheFolder)
        #expect(names.allSatisfy { !$0.contains("hunter2") && !$0.contains("png") })
        try get(signed)
        #expect(try shell.run("cache", "list", "--full-urls").output.contains(signed))
    }

    @Test("P4: verify names what is broken and removes it") func verify() throws {
        defer { origin.stop() }
        serve("/a.png", padding: 100_000, "Cache-Control: max-age=600")
        serve("/b.png", "Cache-Control: max-age=600")
        try get(origin.address("/a.png"), origin.address("/b.png"))
        let good = try shell.run("cache", "verify")
        #expect(good.status == 0 && good.output == "2 checked, 0 broken\n")
        let name = try #require(shell.files("cache/vitrine/vitrine/bodies").first)
        let handle = try #require(FileHandle(forWritingAtPath: "\(cacheFolder)/bodies/\(name)"))
        try handle.seek(toOffset: 9)
        try handle.write(contentsOf: Data([0xFF]))
        try handle.close()
        let bad = try shell.run("cache", "verify")
        #expect(bad.status == 1)
        #expect(
            bad.output == "broken, removed: \(origin.address("/a.png"))\n2 checked, 1 broken\n")
        let after = try shell.run("cache", "verify", "--json")
        #expect(after.status == 0 && after.output == "{\"checked\":1,\"removed\":[]}\n")
    }

    @Test("P4: prune keeps what was used last") func prune() throws {
        defer { origin.stop() }
        for name in ["a", "b", "c"] {
            serve("/\(name).png", padding: 100_000, "Cache-Control: max-age=600")
            try get(origin.address("/\(name).png"))
        }
        try get(origin.address("/a.png"))
        #expect(try shell.run("cache", "prune").output == "0 removed, 0 bytes freed\n")
        #expect(try shell.run("cache", "prune", "--older-than", "1h").output.hasPrefix("0 removed"))
        #expect(
            try shell.run("cache", "prune", "--to", "250KB").output.hasPrefix("1 removed, 100."))
        let left = try objects(shell.run("cache", "list", "--json", "--sort", "used"))
        #expect(left.compactMap { ($0["url"] as? String)?.suffix(5) } == ["a.png", "c.png"])
        let json = try shell.run("cache", "prune", "--json", "--older-than", "0s")
        #expect(json.output.contains("\"removed\":2"))
        #expect(try objects(shell.run("cache", "list", "--json")).isEmpty)
    }

    @Test("P4, C15: remove takes every variant of a URL, and of no other") func remove() throws {
        defer { origin.stop() }
        for path in ["/a.png", "/a.png2"] {
            serve(path, "Cache-Control: max-age=600", "Vary: Cookie")
        }
        let signed = origin.address("/a.png") + "?key=1"
        let others = [origin.address("/a.png"), origin.address("/a.png2")]
        let owner = "http://me:secret@127.0.0.1:\(origin.port)/a.png?key=1"
        try get(signed, others[0], others[1], owner)
        let answer = try shell.run("cache", "remove", signed, origin.address("/none"))
        #expect(answer.status == 3)
        #expect(answer.lines == ["2 removed: \(origin.address("/a.png"))?key=…"])
        #expect(answer.errors == "\(origin.address("/none")): nothing is stored for it.\n")
        let left = try objects(shell.run("cache", "list", "--json", "--full-urls"))
        #expect(left.compactMap { $0["url"] as? String } == others)
        let short = try shell.run("cache", "remove", origin.address("/a.png") + "?key=…")
        #expect(short.errors.contains("is shortened; vitrine cache list --full-urls shows"))
    }

    @Test("P4: a cache of a newer version is named, and left alone") func newerVersion()
        async throws
    {
        defer { origin.stop() }
        serve("/a.png", "Cache-Control: max-age=600")
        try get(origin.address("/a.png"))
        let path = cacheFolder + "/index.sqlite"
        // The last one who closes the index writes the journal's pages into it; the program just ends.
        try await DiskStore(DiskStore.Configuration(directory: cacheFolder)).open()
        for _ in 0..<1000 where try Data(contentsOf: URL(filePath: path + "-wal")).count > 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        // The version stands in the header's bytes 60…63.
        var index = try Data(contentsOf: URL(filePath: path))
        index[63] = 9
        try index.write(to: URL(filePath: path))
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        for action in ["stats", "list", "clear"] {
            let answer = try shell.run("cache", action)
            #expect(answer.status == 1)
            #expect(answer.errors.contains("has format 9, which a newer version has made"))
        }
        try get(origin.address("/a.png"))
        #expect(origin.requests(for: "/a.png").count == 2, "without a cache it goes on")
        #expect(try Data(contentsOf: URL(filePath: path)) == index)
    }

    @Test("P4: each action has its own options, and says what it does not take") func usage() throws
    {
        defer { origin.stop() }
        for (words, message) in [
            ("cache", "Say one of stats, list, verify, prune, remove, clear and path;"),
            ("cache x", "There is no vitrine cache x;"),
            ("cache stats --to 5", "There is no option --to; see vitrine cache stats --help."),
            ("cache list a", "takes no \"a\"; see vitrine cache list --help."),
            ("cache remove", "No URL was given; see vitrine cache remove --help."),
            ("cache prune --to 5TB", "--to takes a size such as 500KB or 20MB, not \"5TB\"."),
            ("cache prune --to -5", "--to takes a size"),
            ("cache prune --older-than 5", "--older-than takes a time such as 12h or 30d, not"),
        ] {
            let answer = try shell.run(words: words.split(separator: " ").map(String.init))
            #expect(answer.status == 2 && answer.output.isEmpty, "\(words)")
            #expect(answer.errors.contains(message), "\(words): \(answer.errors)")
        }
        for action in CacheCommand.actions {
            let help = try shell.run("cache", String(action.name), "--help")
            #expect(help.status == 0 && help.output.contains("Usage: vitrine cache \(action.name)"))
            #expect(try shell.run("cache", "--help").output.contains(action.syntax.summary))
        }
    }

    @Test("P4: a cache that cannot be looked at is an error, not an empty one")
    func unreadable() throws {
        defer { origin.stop() }
        let folder = shell.folder + "/cache"
        try Data("no folder".utf8).write(to: URL(filePath: folder))
        for words in [
            ["stats"], ["list"], ["verify"], ["prune"], ["clear"], ["remove", "http://a/"],
        ] {
            let answer = try shell.run(words: ["cache"] + words)
            #expect(answer.status == 1, "\(words)")
            #expect(answer.errors.contains("cannot be opened"), "\(answer.errors)")
        }
    }

    @Test(
        "P4: sizes and times as people write them",
        arguments: [
            ("0B", 0, nil), ("500b", 500, nil), ("5", nil, nil), ("500KB", 500_000, nil),
            ("1.5gb", 1_500_000_000, nil),
            ("2MiB", 2_097_152, nil), ("90s", nil, .seconds(90)), ("1.5h", nil, .seconds(5400)),
            ("2w", nil, .seconds(1_209_600)), ("30d", nil, .seconds(2_592_000)),
            ("15M", 15_000_000, .seconds(900)), ("", nil, nil), ("KB", nil, nil), (".", nil, nil),
            ("1e5", nil, nil), ("nan", nil, nil), ("inf", nil, nil), ("-1s", nil, nil),
            ("１s", nil, nil), ("1 s", nil, nil),
            ("99999999999999999999999999g", 1_000_000_000_000_000, nil),
            ("99999999999999999999999999w", nil, .seconds(1_000_000_000_000_000)),
        ] as [(String, Int?, Duration?)])
    func quantities(text: String, bytes: Int?, time: Duration?) {
        defer { origin.stop() }
        #expect((try? Quantity.bytes(text, of: "--to")) == bytes)
        #expect((try? Quantity.time(text, of: "--older-than")) == time)
    }

    @Test(
        "P4: spans of time",
        arguments: [
            (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"),
            (86_399, "23 h"), (86_400, "1 day"), (31_557_599, "365 days"), (31_557_600, "1 year"),
            (Int.max, "292271023045 years"),
        ])
    func spans(seconds: Int, text: String) {
        defer { origin.stop() }
        #expect(Readable.span(seconds) == text)
    }
}
