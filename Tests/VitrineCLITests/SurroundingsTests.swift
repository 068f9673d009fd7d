import Foundation
import OriginSupport
import PixelSupport
import Testing

@testable import VitrineCLI

/// The program among closed files, full disks, strange lists and what others have left behind.
@Suite struct SurroundingsTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
        origin.route(
            "/a.png",
            .bytes([UInt8](try Fixture.data("scene.png")), headers: ["Cache-Control: max-age=60"]))
    }

    @Test(
        "P1: messages never go into a picture or the cache where a standard file is closed",
        arguments: [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
    func closedFiles(_ closed: String) throws {
        defer { origin.stop() }
        for _ in 0..<2 {
            let answer = try shell.line("$vitrine get \(origin.address("/a.png")) -o out \(closed)")
            #expect(answer.status == 0)
            #expect(try shell.data("out/a.png") == Fixture.data("scene.png"))
        }
        #expect(origin.requests(for: "/a.png").count == 1, "the cache is whole")
    }

    @Test("P1: results that cannot be written are no success") func fullOutput() throws {
        defer { origin.stop() }
        let answer = try shell.line("$vitrine get \(origin.address("/a.png")) -o out >/dev/full")
        #expect(answer.status == 1)
        #expect(
            answer.errors.hasSuffix(
                "vitrine: standard output cannot be written to: No space left on device.\n"))
        #expect(try shell.data("out/a.png") == Fixture.data("scene.png"))
    }

    @Test("P1: a list may begin with a byte order mark, and has a largest size") func lists() throws
    {
        defer { origin.stop() }
        let list = "\u{FEFF}\(origin.address("/a.png"))\r\n\r\n"
        let marked = try shell.run("get", "--from", "-", "-o", "out", input: list)
        #expect(marked.status == 0 && shell.files("out") == ["a.png"])
        let endless = try shell.run("get", "--from", "/dev/zero")
        #expect(endless.status == 1)
        #expect(endless.errors.hasSuffix("is no list of URLs: line 1 has the byte 0x00 in it.\n"))
        let empty = try shell.run("get", "")
        #expect(empty.status == 1 && empty.errors.contains("An empty text names no picture."))
    }

    @Test("R13: the proxy that the environment names, and the exceptions from it") func proxy()
        throws
    {
        defer { origin.stop() }
        let proxy = try ProxyServer(credentials: "YW5uOnB3")  // ann:pw
        func get(_ path: String, _ variables: String) throws -> Shell.Answer {
            try shell.line("\(variables) $vitrine get \(origin.address(path)) -o out")
        }
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
        let through = "http_proxy=http://ann:pw@127.0.0.1:\(proxy.port)"
        #expect(try get("/1.png", through).status == 0)
        #expect(proxy.heads.count == 1)
        #expect(try get("/2.png", "\(through) no_proxy=127.0.0.1").status == 0)
        #expect(proxy.heads.count == 1)
        for value in ["gopher://ann:hunter2@127.0.0.1:1", "http://ann:hunter2@127.0.0.1:1"] {
            let bad = try get("/3.png", "http_proxy=\(value)")
            #expect(bad.status == 1)
            #expect(bad.errors.contains("The proxy could not be used: "))
            #expect(!bad.errors.contains("hunter2") && !bad.output.contains("hunter2"))
        }
        #expect(origin.requestCount == 2)
    }

    @Test("P3: what a server says does not command the terminal") func controls() throws {
        defer { origin.stop() }
        let type = Array("Content-Type: image/\u{1B}]0;owned\u{7}png".utf8)
        origin.route(
            "/b",
            .status(
                200, headers: [OriginHeader(raw: type)],
                body: [UInt8](try Fixture.data("scene.png"))))
        let answer = try shell.run("info", origin.address("/b"))
        #expect(answer.status == 0)
        #expect(answer.output.contains("image/\\u001b]0;owned\\u0007png"))
        #expect(Terminal.harmless("a\tb\nü\u{9B}1m") == "a\tb\nü\\u009b1m")
    }

    @Test("P1: what a killed program left in the folder is removed after an hour") func sweep()
        throws
    {
        defer { origin.stop() }
        let out = shell.folder + "/out"
        let manager = FileManager.default
        try manager.createDirectory(atPath: out, withIntermediateDirectories: true)
        let old = Date(timeIntervalSinceNow: -7200)
        for (name, date) in [
            (".vitrine-123-456", old), (".vitrine-98765432109", old), (".vitrine-1234567", Date()),
            (".vitrine-notes", old), ("vitrine-123-456", old),
        ] {
            _ = manager.createFile(atPath: "\(out)/\(name)", contents: Data("x".utf8))
            try manager.setAttributes([.modificationDate: date], ofItemAtPath: "\(out)/\(name)")
        }
        #expect(try shell.run("get", origin.address("/a.png"), "-o", "out").status == 0)
        #expect(
            shell.files("out") == [
                ".vitrine-1234567", ".vitrine-notes", "a.png", "vitrine-123-456",
            ])
    }

    @Test("P1: a file that is there is replaced whole, with the rights of a new one")
    func replaced() throws {
        defer { origin.stop() }
        let answer = try shell.line(
            """
            umask 027; mkdir out; echo old >out/a.png; chmod 600 out/a.png
            $vitrine get \(origin.address("/a.png")) -o out
            """)
        #expect(answer.status == 0)
        #expect(try shell.data("out/a.png") == Fixture.data("scene.png"))
        #expect(shell.files("out") == ["a.png"])
        let rights = try FileManager.default.attributesOfItem(atPath: shell.folder + "/out/a.png")
        #expect(rights[.posixPermissions] as? Int == 0o640)
    }

    @Test("P1: a signal ends the program as itself, unless the parent has it ignored")
    func signals() throws {
        defer { origin.stop() }
        origin.route("/never", .never)
        for (before, signals, status) in [
            ("", ["TERM"], 143), ("", ["HUP"], 129), ("trap '' HUP;", ["HUP", "TERM"], 143),
        ] as [(String, [String], Int)] {
            let kills = signals.map { "kill -\($0) $p; sleep 0.3;" }.joined(separator: " ")
            let answer = try shell.line(
                """
                \(before) $vitrine get \(origin.address("/never")) -o out & p=$!
                sleep 1; \(kills) wait $p; echo $?
                """)
            #expect(answer.output == "\(status)\n")
            #expect(shell.files("out").isEmpty)
        }
    }
}
