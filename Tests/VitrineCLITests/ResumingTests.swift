import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineImaging

/// `vitrine get` that is ended in the midst of a picture, and run again.
@Suite struct ResumingTests {
    private let shell: Shell
    private let origin: OriginServer

    init() throws {
        shell = try Shell()
        origin = try OriginServer.start()
    }

    /// A PNG that cannot be compressed: a megabyte and a half.
    private func picture() throws -> [UInt8] {
        var random = SeededRandom(seed: 11)
        let noise = (0..<700 * 700).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        let pixels = PixelBuffer.drawn(PixelSize(width: 700, height: 700)) { x, y in
            let word = noise[y * 700 + x]
            return Pixel(
                red: UInt8(truncatingIfNeeded: word), green: UInt8(truncatingIfNeeded: word >> 8),
                blue: UInt8(truncatingIfNeeded: word >> 16), alpha: 255)
        }
        return [UInt8](try RasterImage(pixels).encoded(as: .png))
    }

    /// Sends `sent` bytes and nothing more, the first time; the rest when asked for it.
    private func serve(_ bytes: [UInt8], sent: Int) {
        let headers: [OriginHeader] = ["ETag: \"1\"", "Cache-Control: max-age=600"]
        origin.route(
            "/a.png",
            .sequence([
                .cut(bytes, sent: sent, by: .stalling, headers: headers),
                .ranged(bytes, etag: "\"1\"", headers: ["Cache-Control: max-age=600"]),
            ]))
    }

    @Test("R11: a run that a person ends is gone on with by the next", arguments: ["TERM", "HUP"])
    func ended(signal: String) throws {
        defer { origin.stop() }
        let bytes = try picture()
        serve(bytes, sent: 1_000_000)
        let url = origin.address("/a.png")
        let first = try shell.line(
            "$vitrine get \(url) -o out & p=$!; sleep 1.5; kill -\(signal) $p; wait $p; echo $?")
        #expect(first.output == (signal == "TERM" ? "143\n" : "129\n"))
        #expect(!first.errors.contains("cancelled"))
        #expect(first.errors.hasPrefix("Interrupted: 0 of 1 arrived, "))
        #expect(shell.files("out").isEmpty)
        #expect(try shell.run("cache", "list").output.contains("\(url) (part)"))
        let second = try shell.run("get", url, "-o", "out")
        #expect(second.status == 0)
        #expect(second.output.contains("\tpng\tnetwork (resumed)\t"))
        #expect(second.errors.hasPrefix("1 of 1 arrived (1 resumed), "))
        #expect(try shell.data("out/a.png") == Data(bytes))
        #expect(origin.requests(for: "/a.png").last?.header("Range") == "bytes=1000000-")
    }

    @Test("P1, P3: how much was there before is a fact for programs", arguments: ["get", "info"])
    func facts(command: String) throws {
        defer { origin.stop() }
        let bytes = try picture()
        serve(bytes, sent: 1_000_000)
        let url = origin.address("/a.png")
        _ = try shell.line("timeout -s TERM 2 $vitrine get \(url) -o out")
        let answer = try shell.run(command, url, "--json")
        #expect(answer.output.contains("\"resumedBytes\":1000000,"))
        #expect(answer.output.contains("\"source\":\"network\""))
        let again = try shell.run(command, url, "--json")
        #expect(again.output.contains("\"source\":\"disk\""))
        #expect(!again.output.contains("resumedBytes"))
    }

    @Test("R11: a run that is killed, from where it was written down") func killed() throws {
        defer { origin.stop() }
        let bytes = try picture()
        // Slowly enough that it is written down before the kill.
        let headers: [OriginHeader] = ["ETag: \"1\"", "Cache-Control: max-age=600"]
        origin.route(
            "/a.png",
            .sequence([
                .slowBody(bytes, bytesPerSecond: 200_000, headers: headers),
                .ranged(bytes, etag: "\"1\"", headers: ["Cache-Control: max-age=600"]),
            ]))
        let url = origin.address("/a.png")
        let first = try shell.line(
            "$vitrine get \(url) -o out & p=$!; sleep 5; kill -KILL $p; wait $p; echo $?")
        #expect(first.output == "137\n")
        let second = try shell.run("get", url, "-o", "out")
        #expect(second.status == 0)
        #expect(try shell.data("out/a.png") == Data(bytes))
        let range = try #require(origin.requests(for: "/a.png").last?.header("Range"))
        let start = try #require(Int(range.dropFirst(6).dropLast()))
        #expect(start >= 256 << 10 && start < 1_100_000)
    }
}
