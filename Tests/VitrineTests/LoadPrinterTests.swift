import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineBase
import VitrineStorage

@testable import Vitrine

@Suite(.timeLimit(.minutes(2))) struct LoadPrinterTests {
    private let bench: Workbench
    private let lines = Lock([String]())

    init() throws { bench = try Workbench() }

    private func printed(_ printsBeginnings: Bool, _ request: ImageRequest) async -> [String] {
        let loader = bench.loader { [lines] in
            $0.observer = LoadPrinter(printsBeginnings: printsBeginnings) { line in
                lines.withLock { $0.append(line) }
            }
        }
        _ = try? await loader.image(for: request)
        await loader.waitUntilIdle()
        return lines.withLock { $0 }
    }

    @Test("R5: each stage is printed with its time, and with what is known by then")
    func stages() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let request = bench.request("/a?secret=1")
        let bytes = try Fixture.data("scene.png").count
        let shown = "http://127.0.0.1:\(bench.origin.port)/a?secret=…"
        // The clock stands still.
        let ended = "ended after 0.0 ms"
        let expected = [
            "load 1: cache look-up \(ended), \(shown)", "load 1: queue \(ended), \(shown)",
            "load 1: transfer \(ended), network, status 200, \(bytes) bytes, \(shown)",
            "load 1: decode \(ended), \(bytes) bytes, 96 × 64, \(shown)",
            "load 1: store \(ended), \(bytes) bytes, \(shown)",
            "load 1: load \(ended), network, status 200, \(bytes) bytes, 96 × 64, \(shown)",
        ]
        let lines = await printed(false, request)
        #expect(lines == expected)
    }

    @Test("R5: beginnings are printed where that is wanted, and failures always")
    func failure() async throws {
        let lines = await printed(true, ImageRequest(URL(filePath: "/nowhere/at/all")))
        #expect(lines.first == "load 1: load began, file:///nowhere/at/all")
        #expect(lines.count == 4)
        #expect(
            lines.last?.hasPrefix("load 1: load ended after 0.0 ms, ") == true
                && lines.last?.contains("/nowhere/at/all") == true)
    }

    @Test("R5: what befalls the disk cache is printed, and of which group it is")
    func disk() {
        let printer = LoadPrinter { [lines] line in lines.withLock { $0.append(line) } }
        let error = DiskStoreError.full(path: "/cache")
        printer.observe(.unavailable(error), ofGroup: nil)
        printer.observe(.available, ofGroup: "maps")
        printer.observe(.folderVanished, ofGroup: nil)
        printer.observe(.indexReplaced(reason: "It is broken.", putAside: nil), ofGroup: nil)
        printer.observe(.emptied, ofGroup: nil)
        #expect(
            lines.withLock { $0 } == [
                "disk cache: cannot be used: \(error)",
                "disk cache of the group maps: can be used again",
                "disk cache: has lost its folder, and goes on with what is there now",
                "disk cache: has a new index: It is broken.",
            ])
    }

    @Test("R5: the times of a response print in one line, without what was not needed")
    func timings() {
        var timings = ImageResponse.Timings(total: .microseconds(250))
        #expect("\(timings)" == "0.2 ms")
        timings = ImageResponse.Timings(
            total: .milliseconds(1046), fetch: .microseconds(41_790), queue: .microseconds(200),
            attempts: 1, decode: .microseconds(3100))
        #expect(
            "\(timings)"
                == "1046.0 ms: fetch 41.7 ms, 0.2 ms of it in the queue, 1 attempt; decode 3.1 ms")
        timings = ImageResponse.Timings(
            total: .milliseconds(9), fetch: .milliseconds(5), attempts: 2,
            filters: .microseconds(900))
        #expect("\(timings)" == "9.0 ms: fetch 5.0 ms, 2 attempts; filters 0.9 ms")
    }
}
