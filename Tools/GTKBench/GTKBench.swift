import DisplaySupport
import FoundationEssentials
import Glibc
import Vitrine
import VitrineGTK

/// How smoothly and how soon pictures come to a screen: `gtk-bench [SECONDS [PART…]]`; parts are `hops`, `first`,
/// `memory` and `disk`, all of them by default.
///
/// An Xvfb of its own, drawn by cairo; real loads, a real disk cache in a folder that goes afterwards, and
/// pictures made here. Prints a table in Markdown and ends with 1 if a figure is not as it should be. `main`
/// is synchronous, as in every GTK program.
@main
struct GTKBench {
    @MainActor static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            if let part = FirstPaint.Kind(words) {
                return try FirstPaint.run(part)
            }
            try TestDisplay.open()
            try MainLoop.attach()
        } catch {
            fail("\(error)")
        }
        let seconds = words.first.flatMap { Double($0) } ?? 15
        let named = Set(words.dropFirst())
        let parts = named.isEmpty ? Bench.parts : named
        guard seconds >= 1, seconds <= 600, parts.isSubset(of: Bench.parts) else {
            fail("usage: gtk-bench [SECONDS, 1 to 600 [hops|first|memory|disk…]]")
        }
        BenchLoop.run {
            let bench = try Bench(seconds: seconds, parts: parts)
            defer { bench.end() }
            return try await bench.run()
        }
    }

    static func fail(_ reason: String) -> Never {
        print("gtk-bench:", reason)
        fflush(nil)
        exit(1)
    }
}

/// All measurements, one after the other.
@MainActor private struct Bench {
    static let parts: Set<String> = ["hops", "first", "memory", "disk"]

    let seconds: Double
    let parts: Set<String>
    let pictures: BenchPictures

    init(seconds: Double, parts: Set<String>) throws {
        self.seconds = seconds
        self.parts = parts
        pictures = try BenchPictures()
    }

    func end() { pictures.removeAll() }

    /// Whether all is as it should be.
    func run() async throws -> Bool {
        var load = [0.0]
        getloadavg(&load, 1)
        say("GTK \(gtkVersion), Xvfb, cairo; load of the machine \(text(load[0], 2))")
        say("")
        var report = Report()
        report.begin()
        if parts.contains("hops") { try await hops(into: &report) }
        if parts.contains("first") { try await firstPicture(into: &report) }
        if parts.contains("memory") || parts.contains("disk") { try await pictures.store() }
        if parts.contains("memory") {
            try await scrolling("from memory", pictures.loaderWithAllInMemory(), 58, &report)
        }
        if parts.contains("disk") {
            try await scrolling("from disk", pictures.loader(), 55, &report)
        }
        return report.isGood
    }

    private func scrolling(
        _ name: String, _ loader: ImageLoader, _ leastRate: Double, _ report: inout Report
    ) async throws {
        let scroll = try Scroll(urls: pictures.urls, loader: loader)
        let frames = try await scroll.run(seconds: seconds)
        scroll.close()
        let isFromMemory = name == "from memory"
        report.add("\(name): frames a second", frames.rate, 1, .atLeast(leastRate))
        report.add("\(name): work of a frame, p50, ms", frames.work.quantile(0.5), 2)
        report.add("\(name): work of a frame, p99, ms", frames.work.quantile(0.99), 2)
        report.add(
            "\(name): processor time of that, p50, ms", frames.processor.quantile(0.5), 2)
        report.add(
            "\(name): processor time of that, p99, ms", frames.processor.quantile(0.99), 2)
        report.add("\(name): of that painting, p50, ms", frames.painting.quantile(0.5), 2)
        report.add(
            "\(name): of that painting, p99, ms", frames.painting.quantile(0.99), 2,
            isFromMemory ? .below(16.7) : nil)
        report.add("\(name): frames later than 33 ms", Double(frames.late), 0)
        report.add("\(name): frames", Double(frames.count), 0)
        report.add("\(name): places seen without their picture, %", frames.emptyShare * 100, 1)
        report.add("\(name): places seen with a hit in memory, %", frames.memoryShare * 100, 1)
    }

    private func hops(into report: inout Report) async throws {
        let times = await Hops.measure(count: 2_000)
        report.add("hop to the main actor, p50, ms", times.quantile(0.5), 3, .below(0.2))
        report.add("hop to the main actor, p99, ms", times.quantile(0.99), 3)
    }

    private func firstPicture(into report: inout Report) async throws {
        let url = try await pictures.storeOne()
        let paints = try await FirstPaint.measure(pairs: 9, url: url, folder: pictures.folder)
        report.add("empty window: first paint after the start, p50, ms", paints.empty, 1)
        report.add(
            "first picture after an empty window's first paint, p50, ms", paints.difference, 1,
            .below(80))
        report.add("the same after its own window's first paint, p50, ms", paints.own, 1)
    }
}
