import DeterminismSupport
import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase
import VitrineStorage

/// Keeps what it hears.
private final class Recorder: LoadObserver {
    let events = Lock([LoadEvent]())

    func observe(_ event: LoadEvent) { events.withLock { $0.append(event) } }

    var all: [LoadEvent] { events.withLock { $0 } }

    /// What befell the disk caches, each after the name of its group.
    let disk = Lock([String]())

    func observe(_ event: DiskStore.Event, ofGroup group: String?) {
        let what =
            switch event {
            case .unavailable(.cannotOpen): "unavailable"
            case .available: "available"
            case .folderVanished: "vanished"
            case .indexReplaced: "replaced"
            default: "\(event)"
            }
        disk.withLock { $0.append("\(group ?? "own"): \(what)") }
    }

    /// `+stage` for a beginning, `-stage` for an end.
    var story: [String] {
        all.map { event in
            if case .began = event.moment { return "+\(event.stage)" }
            return "-\(event.stage)"
        }
    }

    func facts(_ stage: LoadEvent.Stage) -> [LoadEvent.Facts] {
        all.compactMap { event in
            guard event.stage == stage, case .ended(_, let facts) = event.moment else { return nil }
            return facts
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct ObserverTests {
    private let bench: Workbench
    private let recorder = Recorder()

    init() throws { bench = try Workbench() }

    private func loader(_ change: (inout ImageLoader.Configuration) -> Void = { _ in })
        -> ImageLoader
    {
        bench.loader {
            $0.observer = recorder
            change(&$0)
        }
    }

    @Test("C12: without a usable disk cache loads go on, and that is told once; then it recovers")
    func diskCache() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let folder = bench.folder + "/cache"
        try Data("in the way".utf8).write(to: URL(fileURLWithPath: folder))
        let loader = loader { $0.groups = [CacheGroup("one")] }
        func load(_ query: String, _ group: String? = nil) async throws {
            let request = bench.request("/a?\(query)") {
                if let group { $0.store = .group(group) }
            }
            _ = try await loader.image(for: request)
            await loader.waitUntilIdle()
        }
        func told(_ what: String) async throws {
            try await eventually("\(what)") { [recorder] in
                recorder.disk.withLock { $0.contains(what) }
            }
        }
        for query in ["1", "2", "3"] {
            try await load(query)
            try await load(query, "one")
        }
        try await told("own: unavailable")
        try await told("one: unavailable")
        try FileManager.default.removeItem(atPath: folder)
        for query in ["4", "5"] { try await load(query) }
        try await told("own: available")
        #expect(try await loader.diskStatistics()?.entries == 2)
        try FileManager.default.removeItem(atPath: folder)
        try await load("6")
        try await told("own: vanished")
        #expect(
            recorder.disk.withLock { $0.filter { $0.hasPrefix("own") } }
                == ["own: unavailable", "own: available", "own: vanished"])
        #expect(recorder.disk.withLock { $0.filter { $0.hasPrefix("one: un") } }.count == 1)
    }

    @Test("L10: every stage of a load, with its facts")
    func coldLoad() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route(
            "/a", .sequence([.status(503), .bytes(png, headers: ["Cache-Control: max-age=60"])]))
        let loader = loader {
            $0.retry = ImageRequest.Retry(firstDelay: .zero)
            $0.networkModifier = { _ in }
        }
        let request = bench.request("/a?secret=1") { $0.filters = [.circle] }
        _ = try await loader.image(for: request)
        await loader.waitUntilIdle()
        let circle = "filter \(request.filters[0].identifier)"
        let attempt = [
            "+cache look-up", "-cache look-up", "+queue", "-queue", "+modifier", "-modifier",
            "+transfer", "-transfer",
        ]
        let wait = "wait for another attempt"
        #expect(
            recorder.story
                == ["+load"] + attempt + ["+\(wait)", "-\(wait)"] + attempt
                + ["+decode", "-decode", "+store", "-store", "+\(circle)", "-\(circle)", "-load"])
        let transfers = recorder.facts(.transfer)
        #expect(transfers.map(\.status) == [503, 200])
        #expect(transfers.map(\.bytes) == [nil, png.count])
        #expect(transfers.first?.error?.reason == .status(503))
        #expect(recorder.facts(.retryWait).first?.attempts == 1)
        #expect(recorder.facts(.decode).first?.pixelSize?.width == 96)
        #expect(recorder.facts(.load).first?.source == .network)
        for event in recorder.all {
            #expect(event.loads == [1] && event.url == request.url)
            #expect(!event.description.contains("secret=1"))
        }
        let text = try #require(recorder.all.last).description
        #expect(text.hasPrefix("load 1: load ended after 0.0 ms, network, status 200, "))
    }

    @Test("L10: caches, files and failures")
    func others() async throws {
        try bench.serve("/a", "scene.png", "Cache-Control: max-age=60")
        let loader = loader()
        _ = try await loader.image(for: bench.request("/a"))
        await loader.waitUntilIdle()
        recorder.events.withLock { $0 = [] }
        _ = try await loader.image(for: bench.request("/a"))
        #expect(recorder.story == ["+load", "-load"])
        #expect(recorder.facts(.load).first?.source == .memory)
        #expect(recorder.all.map(\.loads) == [[2], [2]])
        loader.imageCache.removeAll()
        recorder.events.withLock { $0 = [] }
        _ = try await loader.image(for: bench.request("/a"))
        #expect(
            recorder.story == [
                "+load", "+cache look-up", "-cache look-up", "+transfer", "-transfer", "+decode",
                "-decode", "-load",
            ])
        #expect(recorder.facts(.transfer).first?.source == .disk)
        recorder.events.withLock { $0 = [] }
        _ = try? await loader.image(from: URL(filePath: "/nowhere/at/all"))
        #expect(recorder.story == ["+load", "+transfer", "-transfer", "-load"])
        guard case .file = recorder.facts(.load).first?.error?.reason else {
            Issue.record("the failure is not told")
            return
        }
        recorder.events.withLock { $0 = [] }
        _ = try? await loader.image(for: bench.request("/a") { $0.scale = -1 })
        #expect(recorder.story == ["+load", "-load"])
    }

    @Test("L10: shared work is told once, for all who wait for it")
    func shared() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.route("/a", .delayed(.milliseconds(200), then: .bytes(png)))
        let loader = loader()
        let tasks = (0..<3).map { _ in loader.task(for: bench.request("/a")) }
        tasks[1].cancel()
        for task in [tasks[0], tasks[2]] { _ = try await task.image }
        await loader.waitUntilIdle()
        #expect(recorder.story.filter { $0 == "+transfer" }.count == 1)
        #expect(recorder.story.filter { $0 == "-load" }.count == 3)
        let decode = recorder.all.filter { $0.stage == .decode }
        #expect(decode.map(\.loads) == [[1, 3], [1, 3]])
        let errors = recorder.facts(.load).compactMap(\.error)
        #expect(errors.map(\.reason) == [.cancelled])
    }

    @Test("L10: times come from the loader's clock")
    func times() async throws {
        bench.origin.route("/a", .stall(afterBytes: 10))
        let loader = loader()
        let task = loader.task(for: bench.request("/a"))
        let recorder = recorder
        try await eventually("It did not begin.") { recorder.story.last == "+transfer" }
        bench.clock.advance(by: .seconds(3))
        task.cancel()
        await loader.waitUntilIdle()
        try await eventually("It did not end.") { recorder.facts(.transfer).count == 1 }
        let lengths = recorder.all.compactMap { event -> Duration? in
            guard case .ended(let length, _) = event.moment else { return nil }
            return length
        }
        #expect(lengths.sorted() == [.zero, .zero, .seconds(3), .seconds(3)])
        #expect(recorder.facts(.transfer).first?.error?.isCancelled == true)
        // Nobody waits any more, and yet it is told for whom it was.
        #expect(recorder.all.allSatisfy { $0.loads == [1] })
    }

    @Test("L10: whatever begins ends, and no load ends twice")
    func pairs() async throws {
        let png = [UInt8](try Fixture.data("scene.png"))
        bench.origin.routeOthers(
            .dynamic { request in
                switch request.path.count % 4 {
                case 0: .status(500)
                case 1: .truncated(png, sent: 20)
                default: .delayed(.milliseconds(1), then: .bytes(png))
                }
            })
        let loader = loader { $0.retry = ImageRequest.Retry(firstDelay: .zero) }
        var random = SeededRandom(seed: 5)
        for index in 0..<300 {
            let path = "/" + String(repeating: "x", count: index % 30)
            let task = loader.task(for: bench.request(path) { $0.filters = [.circle] })
            if Bool.random(using: &random) {
                Task {
                    try? await Task.sleep(for: .milliseconds(index % 7))
                    task.cancel()
                }
            }
        }
        await loader.waitUntilIdle()
        let recorder = recorder
        try await eventually("Something has begun and not ended.") {
            var open: [String: Int] = [:]
            for line in recorder.story {
                open[String(line.dropFirst()), default: 0] += line.hasPrefix("+") ? 1 : -1
            }
            return open.values.allSatisfy { $0 == 0 }
        }
        let ends = recorder.all.filter { event in
            if case .ended = event.moment { event.stage == .load } else { false }
        }
        #expect(ends.count == 300)
        #expect(Set(ends.flatMap(\.loads)).count == 300)
    }
}
