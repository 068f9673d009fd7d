import Foundation
import OriginSupport
import PixelSupport
import Testing

/// What `vitrine info` says of what came over the wire.
@Suite struct WireFactsTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
    }

    private func object(_ answer: Shell.Answer) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    }

    @Test("P3: status, freshness, validators, type, redirects; first fetched, then from disk")
    func wire() throws {
        defer { origin.stop() }
        let modified = "Tue, 01 Jul 2025 10:00:00 GMT"
        origin.route(
            "/b",
            .bytes(
                [UInt8](try Fixture.data("scene.jpg")), type: "image/PNG; charset=x",
                headers: [
                    "ETag: \"v1\"", OriginHeader(raw: Array("Last-Modified: \(modified)".utf8)),
                    "Cache-Control: max-age=7300",
                    "Set-Cookie: session=hunter2",
                ]))
        origin.route(
            "/a", .redirect(to: "/b?token=hunter2", headers: ["Cache-Control: max-age=9000"]))
        let url = origin.address("/a")
        let text = try shell.run("info", url)
        #expect(text.status == 0)
        for row in [
            "from         network", "status       200",
            "type         image/PNG; charset=x, but it is JPEG", "fresh        2 h more",
            "received     0 s ago", "validators   ETag \"v1\", Last-Modified \(modified)",
            "cached       yes", "redirected   \(origin.address("/b"))?token=…",
        ] {
            #expect(text.lines.contains("  " + row), "\(row) in \(text.output)")
        }
        #expect(!text.output.contains("hunter2"))

        let json = try object(shell.run("info", url, "--json", "--policy", "cacheOnly"))
        #expect(json["format"] as? String == "jpeg" && json["source"] as? String == "disk")
        #expect(json["status"] as? Int == 200 && json["contentTypeFits"] as? Bool == false)
        #expect(json["etag"] as? String == "\"v1\"" && json["lastModified"] as? String == modified)
        #expect(json["cacheControl"] as? String == "max-age=7300")
        #expect((7000...7300).contains(try #require(json["freshSeconds"] as? Int)))
        #expect(json["keeping"] as? String == "kept")
        #expect(json["finalURL"] as? String == "\(origin.address("/b"))?token=…")
        let until = try #require(json["freshUntil"] as? String)
        let received = try #require(json["receivedAt"] as? String)
        let format = ISO8601DateFormatter()
        let moments = try [until, received].map { try #require(format.date(from: $0)) }
        #expect(moments[0].timeIntervalSince(moments[1]) == 7300)
        #expect("\(json)".contains("hunter2") == false)
    }

    @Test("P3: what has neither lifetime nor validator, and what is not to be kept")
    func bare() throws {
        defer { origin.stop() }
        origin.route(
            "/a",
            .bytes(
                [UInt8](try Fixture.data("scene.png")), type: "image/png",
                headers: ["Cache-Control: no-store"]))
        let text = try shell.run("info", origin.address("/a"))
        for row in [
            "type         image/png", "fresh        no, the server is asked again",
            "validators   none, it can only be fetched anew",
            "cached       no, it is not to be kept",
        ] {
            #expect(text.lines.contains("  " + row), "\(row) in \(text.output)")
        }
        let json = try object(shell.run("info", origin.address("/a"), "--json"))
        #expect(json["freshSeconds"] as? Int == 0 && json["freshUntil"] == nil)
        #expect(
            json["contentTypeFits"] as? Bool == true && json["keeping"] as? String == "notWanted")
    }

    @Test("P3: one that the server confirmed, and a file, which has no wire")
    func confirmed() throws {
        defer { origin.stop() }
        origin.route(
            "/a", .conditional([UInt8](try Fixture.data("scene.png")), etag: "\"1\""))
        _ = try shell.run("info", origin.address("/a"))
        let again = try shell.run("info", origin.address("/a"), "--policy", "revalidate")
        #expect(again.lines.contains("  from         revalidated"))
        let file = try shell.run("info", Fixture.folder.appending(path: "1-bit.png").path)
        #expect(file.output.contains("1 bit a sample\n") && !file.output.contains("status"))
        let files = ["1-bit.png", "scene.png"].map { Fixture.folder.appending(path: $0).path }
        let two = try shell.run(words: ["get", "-o", "out"] + files)
        #expect(two.errors.hasPrefix("2 of 2 arrived (2 files), "))
    }
}
