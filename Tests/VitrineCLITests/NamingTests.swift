import Foundation
import OriginSupport
import PixelSupport
import Testing

@testable import VitrineCLI

/// How the files of a run are called.
@Suite struct NamingTests {
    private static func names(_ paths: [String]) throws -> [String] {
        var names = PictureNames()
        return try paths.map { names.next(try #require(URL(string: "http://h/\($0)"))) }
    }

    @Test(
        "P1: names are numbered in the order of the list, whatever extensions come",
        arguments: [
            (["a.php", "a.asp", "a.jpeg", "a"], ["a", "a-2", "a-3", "a-4"]),
            (["x/a.png", "y/a.png", "a-2.png"], ["a", "a-2", "a-2-2"]),
            (["x/a.png", "a-2.gif", "y/a.png", "z/a.png"], ["a", "a-2", "a-3", "a-4"]),
            (
                ["a-2", "a-3", "a", "x/a", "a-2-2", "y/a"],
                ["a-2", "a-3", "a", "a-4", "a-2-2", "a-5"]
            ),
            (["A.PNG", "a.png", "a-2", "E%CC%81", "%C3%A9"], ["A", "a-2", "a-2-2", "É", "é-2"]),
            ([".png", "..", "", "x/", "image.png"], ["png", "image", "image-2", "x", "image-3"]),
            (
                ["...a", "._.%CC%81b.c", "v1.2", "a.b.c.webp"],
                ["image", "_.\u{301}b", "v1", "a.b.c"]
            ),
            (["caf%E9.png", "%80.gif", "a%2Fb%5Cc"], ["caf\u{FFFD}", "\u{FFFD}", "b_c"]),
        ])
    func table(paths: [String], names: [String]) throws {
        #expect(try Self.names(paths) == names)
    }

    @Test(
        "P1: names of a hundred thousand pictures never collide, and only where they must have numbers"
    )
    func manyNames() throws {
        let paths = (0..<100_000).map { $0 % 2 == 0 ? "\($0).png" : "\($0)/a.png" }
        let names = try Self.names(paths)
        for (index, name) in names.enumerated() {
            #expect(name == (index % 2 == 0 ? "\(index)" : index == 1 ? "a" : "a-\(index / 2 + 1)"))
        }
        // What a number runs into is passed over once, not each time.
        let taken = (2...20_000).map { "a-\($0)" } + (0..<20_000).map { "\($0)/a" }
        let numbered = try Self.names(taken)
        #expect(Set(numbered).count == taken.count && numbered.last == "a-39999")
    }

    @Test("P1: a name is cut at a whole character, however long it is") func longNames() throws {
        let long = [
            String(repeating: ".", count: 3_000_000),
            String(repeating: "x", count: 3_000_000) + ".png",
            String(repeating: "%E2%80%AE", count: 300),
            String(repeating: "%C3%A4", count: 300) + ".gif",
            "a" + String(repeating: "%CC%81", count: 2000),
        ]
        let names = try Self.names(long)
        #expect(names[0] == "image" && names[1] == String(repeating: "x", count: 180))
        #expect(names[2] == String(repeating: "_", count: 180))
        #expect(names[3] == String(repeating: "ä", count: 90) && names[4] == "image-2")
    }
}

/// The same of the program.
@Suite struct NamingProgramTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
    }

    @Test("P1: names never collide, and never leave the folder") func names() throws {
        defer { origin.stop() }
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
        let long = String(repeating: "x", count: 400)
        let urls = [
            "/a.png", "/b/a.png", "/A.PNG", "/..%2f..%2fevil.png", "/.hidden.png", "/", "/\(long)",
            "/%00%0a.png", "/ä%20b.jpeg", "/%2e%2e", "/x/%2e%2e%2f", "/..%5c..%5cw.png",
            "/" + String(repeating: "%C3%A4", count: 300) + ".png",
        ].map { origin.address($0) }
        let answer = try shell.run(
            "get", "--from", "-", "-o", "out", "-j1", input: urls.joined(separator: "\n"))
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(shell.files("out").count == urls.count, "\(shell.files("out"))")
        #expect(shell.files("out").allSatisfy { $0.hasSuffix(".png") && !$0.hasPrefix(".") })
        #expect(shell.files("").filter { $0.hasSuffix(".png") }.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: shell.folder + "/../evil.png"))
    }

    @Test("P1: the same list gives the same names again, whatever arrives first and in what format")
    func stableNames() throws {
        defer { origin.stop() }
        let fixtures = ["scene.png", "palette.png", "scene.gif", "grey.png"]
        let paths = ["/a.php", "/a.asp", "/a.jpeg", "/x/a.php"]
        for round in 0..<3 {
            for (index, path) in paths.enumerated() {
                // In other orders each time.
                let wait = Duration.milliseconds((index * (round + 1) + round) % 4 * 150)
                let bytes = [UInt8](try Fixture.data(fixtures[index]))
                origin.route(path, .delayed(wait, then: .bytes(bytes)))
            }
            let folder = "out\(round)"
            let words = ["get", "-o", folder] + paths.map { origin.address($0) }
            #expect(try shell.run(words: words).status == 0)
            #expect(shell.files(folder) == ["a-2.png", "a-3.gif", "a-4.png", "a.png"])
            for (name, fixture) in zip(["a.png", "a-2.png", "a-3.gif", "a-4.png"], fixtures) {
                #expect(try shell.data("\(folder)/\(name)") == Fixture.data(fixture), "\(name)")
            }
        }
        let words = ["get", "-o", "webp", "--format", "webp"] + paths.map { origin.address($0) }
        #expect(try shell.run(words: words).status == 0)
        #expect(shell.files("webp") == ["a-2.webp", "a-3.webp", "a-4.webp", "a.webp"])
    }

    @Test("P1: a line of a megabyte is a failure among others, told in few words") func longLines()
        throws
    {
        defer { origin.stop() }
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
        let dots = String(repeating: ".", count: 1_000_000)
        let lines = [
            origin.address("/first"), origin.address("/" + dots), dots, "nonsense:" + dots,
            "http://[" + dots, origin.address("/last"),
        ]
        let answer = try shell.run("get", "-", "-o", "out", input: lines.joined(separator: "\n"))
        #expect(answer.status == 1)
        let files = shell.files("out")
        #expect(files.contains("first.png") && files.contains("last.png"))
        #expect(answer.errors.utf8.count < 30_000 && answer.output.utf8.count < 10_000)
        #expect(answer.errors.contains(".\" is too long for the path of a file.\n"))
        let json = try shell.run(
            "get", "-", "-o", "out", "--json", input: lines.joined(separator: "\n"))
        #expect(json.status == 1 && json.errors.isEmpty && json.output.utf8.count < 40_000)
    }
}
