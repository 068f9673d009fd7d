import Foundation
import OriginSupport
import PixelSupport
import Testing

@testable import VitrineCLI

/// How `vitrine get` fetches: retries, times, header fields, credentials, expiry.
@Suite struct FetchOptionTests {
    private let shell: Shell
    private let origin: OriginServer
    private let png: [UInt8]

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    @Test("P1, L13: --retry asks again after what may pass, and no oftener than it says")
    func retry() throws {
        defer { origin.stop() }
        origin.route("/a.png", .sequence([.status(503), .status(503), .bytes(png)]))
        let url = origin.address("/a.png")
        let few = try shell.run("get", url, "--retry", "1", "-o", "out")
        #expect(few.status == 1 && few.errors.contains("status 503"))
        #expect(origin.requestCount == 2)
        let enough = try shell.run("get", url, "--retry=2", "-o", "out")
        #expect(enough.status == 0 && shell.files("out") == ["a.png"])
        origin.route("/gone", .status(404))
        let gone = try shell.run("get", origin.address("/gone"), "--retry", "5", "-o", "out")
        #expect(gone.status == 1 && origin.requests(for: "/gone").count == 1)
    }

    @Test("P1: --timeout gives up each picture by itself; waiting for others does not count")
    func timeout() throws {
        defer { origin.stop() }
        origin.route("/never", .never)
        origin.routeOthers(.delayed(.milliseconds(400), then: .bytes(png)))
        let urls = (0..<8).map { origin.address("/\($0)") } + [origin.address("/never")]
        let answer = try shell.run(words: ["get", "-j1", "--timeout", "2", "-o", "out"] + urls)
        #expect(answer.status == 1)
        #expect(answer.errors.contains("/never: The picture was not there after 2 s."))
        #expect(answer.errors.contains("8 of 9 arrived (8 network), "))
        let json = try shell.run(
            "get", "--json", "--timeout", "0.2", origin.address("/never"), "-o", "out")
        #expect(json.output.contains("\"kind\":\"deadline\""))
    }

    @Test("P1, R6: --header is sent; secrets follow no redirect to another server")
    func headers() throws {
        defer { origin.stop() }
        let other = try OriginServer.start()
        defer { other.stop() }
        other.route("/b.png", .bytes(png))
        origin.route("/a.png", .redirect(to: other.address("/b.png")))
        let answer = try shell.run(
            "get", origin.address("/a.png"), "-o", "out", "--header", "X-Kind:  plain \t",
            "-H", "authorization: Bearer hunter2", "--secret-header", "X-Api-Key: hunter3")
        #expect(answer.status == 0, "\(answer.errors)")
        let first = try #require(origin.requests(for: "/a.png").first)
        #expect(first.header("X-Kind") == "plain")
        #expect(first.header("Authorization") == "Bearer hunter2")
        #expect(first.header("X-Api-Key") == "hunter3")
        let second = try #require(other.requests(for: "/b.png").first)
        #expect(second.header("X-Kind") == "plain")
        #expect(second.header("Authorization") == nil && second.header("X-Api-Key") == nil)
        #expect(!(answer.output + answer.errors).contains("hunter"))
    }

    @Test("P1: header fields from a file, which nobody sees on the command line")
    func headerFile() throws {
        defer { origin.stop() }
        origin.route("/a.png", .bytes(png))
        try "# mine\nCookie: a=hunter2\n\nX-Kind: plain\n".write(
            toFile: shell.folder + "/fields", atomically: true, encoding: .utf8)
        let url = origin.address("/a.png")
        #expect(try shell.run("get", url, "-o", "out", "--header", "@fields").status == 0)
        let request = try #require(origin.requests(for: "/a.png").first)
        #expect(request.header("Cookie") == "a=hunter2" && request.header("X-Kind") == "plain")
        let none = try shell.run("get", url, "--header", "@none")
        #expect(none.status == 2 && none.errors.contains("cannot be read"))
    }

    @Test("P1, C4: whoever sends another secret gets nothing from the cache of others")
    func partitions() throws {
        defer { origin.stop() }
        origin.route("/a.png", .bytes(png, headers: ["Cache-Control: max-age=600"]))
        let url = origin.address("/a.png")
        for key in ["one", "two", "one"] {
            _ = try shell.run("get", url, "-o", "out", "--secret-header", "X-Api-Key: \(key)")
        }
        #expect(origin.requestCount == 2)
    }

    @Test("P1: --user answers a server that asks, and is not shown") func user() throws {
        defer { origin.stop() }
        origin.route("/a.png", .basicAuth(user: "ann", password: "hun:ter", then: .bytes(png)))
        let url = origin.address("/a.png")
        let without = try shell.run("get", url, "-o", "out")
        #expect(without.status == 1 && without.errors.contains("status 401"))
        let answer = try shell.run("get", url, "-o", "out", "--user", "ann:hun:ter", "--full-urls")
        #expect(answer.status == 0, "\(answer.errors)")
        let wrong = try shell.run(
            "get", url, "-o", "out", "-u", "ann:hunter", "--policy", "reload")
        #expect(wrong.status == 1 && wrong.errors.contains("status 401"))
        for answer in [answer, wrong] {
            #expect(!(answer.output + answer.errors).contains("hun"))
        }
    }

    @Test("P1, C8: --expires keeps fresh what the server gives no lifetime") func expires() throws {
        defer { origin.stop() }
        origin.route("/a.png", .bytes(png, headers: ["Cache-Control: no-cache"]))
        let url = origin.address("/a.png")
        for _ in 0..<2 { _ = try shell.run("get", url, "-o", "out") }
        #expect(origin.requestCount == 2)
        _ = try shell.run("get", url, "-o", "out", "--expires", "1h", "--policy", "reload")
        let kept = try shell.run("get", url, "-o", "out", "--expires", "1h")
        #expect(kept.errors.contains("(1 disk)") && origin.requestCount == 3)
        let again = try shell.run("info", url, "--expires", "never")
        #expect(again.output.contains("fresh        for ever\n"))
    }

    @Test("P1: --quiet tells nothing but failures; - is a list on standard input")
    func quiet() throws {
        defer { origin.stop() }
        origin.route("/a.png", .bytes(png))
        let list = "\(origin.address("/a.png"))\n\(origin.address("/none"))\n"
        for words in [["-q"], ["--quiet", "--json"]] {
            let answer = try shell.run(words: ["get", "-", "-o", "out"] + words, input: list)
            #expect(answer.status == 1 && shell.files("out") == ["a.png"])
            let lines = (answer.output + answer.errors).split(separator: "\n")
            #expect(lines.count == 1 && lines[0].contains("/none") && lines[0].contains("404"))
        }
        #expect(try shell.run("get", "-", input: "").errors.contains("No URL was given"))
    }

    @Test("P1: what is wrong with a header or a credential is said without repeating it")
    func refused() throws {
        defer { origin.stop() }
        for (words, message) in [
            (["--header", "hunter2"], "takes a field"),
            (["--header", ": hunter2"], "takes a field"),
            (["--header", "X Y: hunter2"], "takes a field"),
            (["--secret-header", "Range: bytes=0-1"], "Range, which belongs to vitrine"),
            (["--header", "If-None-Match: *"], "belongs to vitrine"),
            (["--header", "X: hunter2\r\nY: z"], "control character"),
            (["--header", "X: a", "--secret-header", "x: hunter2"], "only once"),
            (["--user", "hunter2"], "a name and a password"),
            (["--user", ":hunter2"], "a name and a password"),
            (["--timeout", "0"], "takes seconds"), (["--timeout", "-1"], "takes seconds"),
            (["--timeout", "9w"], "takes seconds"), (["--timeout", "1e400"], "takes seconds"),
            (["--retry", "101"], "from 0 to 100"), (["--expires", "soon"], "such as 12h"),
            (["--lossless", "--quality", "9"], "Only one of"),
        ] {
            for command in ["get", "info", "show"] {
                if command != "get", words[0] == "--lossless" { continue }
                let answer = try shell.run(words: [command, "a.png"] + words)
                #expect(answer.status == 2 && answer.errors.contains(message), "\(words)")
                #expect(!answer.errors.contains("hunter2"), "\(words)")
            }
        }
    }

    @Test("P1: the help says what each policy means") func help() throws {
        defer { origin.stop() }
        let help = try shell.run("get", "--help").lines
        for policy in [
            "standard", "revalidate", "reload", "cacheElseLoad", "cacheOnly", "bypass",
        ] {
            #expect(help.contains { $0.hasPrefix("  \(policy)  ") }, "\(policy)")
        }
    }

    @Test("P1: Ctrl-C keeps what has arrived, and a line says so", arguments: ["INT", "TERM"])
    func interrupted(signal: String) throws {
        defer { origin.stop() }
        origin.route("/never", .never)
        origin.routeOthers(.bytes(png))
        let urls = (0..<3).map { origin.address("/\($0).png") } + [origin.address("/never")]
        // A shell has its background jobs ignore the first of them.
        let answer = try shell.line(
            """
            env --default-signal=INT $vitrine get \(urls.joined(separator: " ")) -o out & p=$!
            sleep 2; kill -\(signal) $p; wait $p; echo $?
            """)
        #expect(answer.output.hasSuffix(signal == "INT" ? "\n130\n" : "\n143\n"))
        #expect(shell.files("out") == ["0.png", "1.png", "2.png"])
        #expect(answer.errors.hasPrefix("Interrupted: 3 of 4 arrived (3 network), "))
    }
}
