import Foundation
import Observation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

@Suite(.timeLimit(.minutes(2))) @MainActor struct RemoteImageTests {
    private let bench: Workbench
    private let png: [UInt8]

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    private func serve(_ path: String) {
        bench.origin.route(path, .bytes(png, headers: ["Cache-Control: max-age=60"]))
    }

    /// Waits for a state.
    private func wait(
        _ remote: RemoteImage, until isThere: @Sendable (RemoteImage.State) -> Bool
    ) async -> RemoteImage.State? {
        for await state in remote.states where isThere(state) { return state }
        return nil
    }

    /// The state in a word.
    nonisolated private static func word(_ state: RemoteImage.State?) -> String {
        switch state {
        case .empty: "empty"
        case .inProgress: "inProgress"
        case .failure(let error): "failure \(error.reason)"
        case .success(let response): "success \(response.source)"
        case nil: "over"
        }
    }

    @Test("L8: empty, in progress, success") func success() async throws {
        serve("/a")
        let remote = RemoteImage(bench.request("/a"), loader: bench.loader())
        #expect(Self.word(remote.state) == "empty")
        remote.load()
        #expect(Self.word(remote.state) == "inProgress")
        let end = await wait(remote) { $0.image != nil }
        #expect(Self.word(end) == "success network")
        #expect(remote.state.image?.pixelSize.width == 96)
    }

    @Test("L8, promise 10: a memory hit is there in the same call, and nothing before it")
    func memoryHit() async throws {
        serve("/a")
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        let remote = RemoteImage(loader: loader)
        let words = Lock<[String]>([])
        withObservationTracking {
            _ = remote.state
        } onChange: {
            words.withLock { $0.append("changed") }
        }
        remote.load(bench.request("/a"))
        #expect(Self.word(remote.state) == "success memory")
        #expect(words.withLock { $0 } == ["changed"])
    }

    @Test("L8: retry works, and nothing else repeats what has failed") func retry() async throws {
        bench.origin.route("/a", .sequence([.status(503), .bytes(png)]))
        let remote = RemoteImage(loader: bench.loader())
        let request = bench.request("/a")
        remote.load(request)
        let end = await wait(remote) { if case .failure = $0 { true } else { false } }
        #expect(Self.word(end).hasPrefix("failure The server answered with status 503"))
        remote.load(request)
        remote.load()
        remote.request = request
        #expect(Self.word(remote.state).hasPrefix("failure"))
        #expect(bench.origin.requestCount == 1)
        remote.retry()
        #expect(Self.word(remote.state) == "inProgress")
        #expect(await wait(remote) { $0.image != nil } != nil)
        #expect(bench.origin.requestCount == 2)
    }

    @Test("promise 28: the same request is not loaded again, however often it is drawn")
    func unchanged() async throws {
        bench.origin.route("/a", .delayed(.milliseconds(50), then: .bytes(png)))
        let remote = RemoteImage(loader: bench.loader())
        let request = bench.request("/a") { $0.filters = [.circle] }
        for _ in 0..<10 {
            remote.load(request)
            var other = request
            other.priority = .high
            other.filters = [.circle]
            remote.load(other)
            #expect(Self.word(remote.state) == "inProgress")
        }
        _ = await wait(remote) { $0.image != nil }
        remote.load(request)
        #expect(Self.word(remote.state) == "success network")
        #expect(bench.origin.requestCount == 1)
    }

    @Test("promise 25, 26: another request shows its own picture, and the old one never again")
    func another() async throws {
        bench.origin.route("/a", .delayed(.milliseconds(30), then: .bytes(png)))
        bench.origin.route(
            "/b", .bytes([UInt8](try TestImage.png(width: 7, height: 7))))
        let remote = RemoteImage(loader: bench.loader())
        for _ in 0..<10 {
            remote.load(bench.request("/a"))
            remote.load(bench.request("/b"))
            let end = await wait(remote) { $0.image != nil }
            #expect(end?.image?.pixelSize.width == 7)
            remote.load(bench.request("/a") { $0.cachePolicy = .reload })
            #expect(Self.word(remote.state) == "inProgress")
        }
        remote.load(nil)
        #expect(Self.word(remote.state) == "empty")
        #expect(remote.request == nil)
    }

    @Test("promise 7, L8: cancel shows empty and stops the transfer; load brings the picture")
    func cancel() async throws {
        bench.origin.route("/a", .sequence([.never, .bytes(png)]))
        let origin = bench.origin
        let loader = bench.loader()
        let remote = RemoteImage(bench.request("/a"), loader: loader)
        remote.load()
        try await eventually("the transfer began") { origin.requestCount == 1 }
        remote.cancel()
        #expect(Self.word(remote.state) == "empty")
        await loader.waitUntilIdle()
        try await eventually("the connection was closed") { origin.openConnections == 0 }
        remote.load()
        #expect(await wait(remote) { $0.image != nil } != nil)
        remote.cancel()
        #expect(remote.state.image != nil, "what is there stays")
    }

    @Test("promise 13: a miss of the caches is empty, and no failure") func cacheOnly() async throws
    {
        let remote = RemoteImage(loader: bench.loader())
        let request = bench.request("/a") { $0.cachePolicy = .cacheOnly }
        remote.load(request)
        let end = await wait(remote) { if case .inProgress = $0 { false } else { true } }
        #expect(Self.word(end) == "empty")
        remote.load(request)
        #expect(Self.word(remote.state) == "empty", "and it is not looked for again and again")
        #expect(bench.origin.requestCount == 0)
    }

    @Test("L8: released while it loads, its load is cancelled and its states end") func released()
        async throws
    {
        bench.origin.route("/a", .never)
        let origin = bench.origin
        let loader = bench.loader()
        var remote: RemoteImage? = RemoteImage(bench.request("/a"), loader: loader)
        weak let watched = remote
        remote?.load()
        let states = try #require(remote?.states)
        let listening = Task.detached { await states.reduce(into: []) { $0.append(Self.word($1)) } }
        try await eventually("the transfer began") { origin.requestCount == 1 }
        remote = nil
        #expect(watched == nil)
        await loader.waitUntilIdle()
        try await eventually("the connection was closed") { origin.openConnections == 0 }
        #expect(await listening.value.last == "inProgress")
    }

    @Test("L9: each listener hears the state that is, then the newest; cancelling ends it")
    func states() async throws {
        bench.origin.route("/a", .delayed(.milliseconds(20), then: .bytes(png)))
        let remote = RemoteImage(bench.request("/a"), loader: bench.loader())
        let states = remote.states
        let listeners = (0..<3).map { _ in
            Task.detached {
                var words: [String] = []
                for await state in states {
                    words.append(Self.word(state))
                    if state.image != nil { break }
                }
                return words
            }
        }
        let other = Task.detached { for await _ in states {} }
        remote.load()
        for listener in listeners {
            let words = await listener.value
            #expect(words.last == "success network")
            #expect(Set(words).isSubset(of: ["empty", "inProgress", "success network"]))
        }
        other.cancel()
        await other.value
        // A late one hears where things stand, and no backlog.
        var iterator = remote.states.makeAsyncIterator()
        #expect(Self.word(await iterator.next()) == "success network")
    }

    @Test("L8, D5: progress and previews flow through") func previews() async throws {
        let bytes = [UInt8](try Workbench.largePicture())
        bench.origin.route("/a", .slowBody(bytes, bytesPerSecond: bytes.count * 2))
        let remote = RemoteImage(loader: bench.loader())
        remote.load(bench.request("/a") { $0.previews = .progressive(interval: .milliseconds(50)) })
        let seen = await wait(remote) {
            if case .inProgress(let progress?, let preview?) = $0 {
                progress.received > 0 && !preview.isComplete && preview.pixelSize.width == 400
            } else {
                false
            }
        }
        #expect(Self.word(seen) == "inProgress")
        #expect(await wait(remote) { $0.image?.isComplete == true } != nil)
    }

    @Test("L8: a toolkit's own delivery brings news to the main actor from anywhere")
    func delivery()
        async throws
    {
        serve("/a")
        let place = Delivery { work in DispatchQueue.global().async(execute: work) }
        let remote = RemoteImage(bench.request("/a"), loader: bench.loader(), delivery: place)
        remote.load()
        #expect(await wait(remote) { $0.image != nil } != nil)
    }

    @Test("L3, L8: what the loader cancelled is empty, and can be loaded again") func cancelAll()
        async throws
    {
        bench.origin.route("/a", .sequence([.never, .bytes(png)]))
        let origin = bench.origin
        let loader = bench.loader()
        let remote = RemoteImage(bench.request("/a"), loader: loader)
        remote.load()
        try await eventually("the transfer began") { origin.requestCount == 1 }
        loader.cancelAll()
        #expect(await wait(remote) { if case .empty = $0 { true } else { false } } != nil)
        remote.load()
        #expect(await wait(remote) { $0.image != nil } != nil)
    }

    @Test(
        "promise 5, 7: set, cancelled, retried and released at random, it ends in the last picture")
    func storm() async throws {
        bench.origin.routeOthers(
            .dynamic { [png] request in
                request.path == "/3"
                    ? .reset(afterBytes: 20) : .delayed(.milliseconds(2), then: .bytes(png))
            })
        let loader = bench.loader()
        let origin = bench.origin
        for _ in 0..<30 {
            let remote = RemoteImage(loader: loader)
            for _ in 0..<12 {
                switch Int.random(in: 0..<6) {
                case 0: remote.cancel()
                case 1: remote.retry()
                case 2: remote.load(nil)
                case 3: try await Task.sleep(for: .microseconds(Int.random(in: 0..<4000)))
                default: remote.load(bench.request("/\(Int.random(in: 0..<6))"))
                }
            }
            if Bool.random() { continue }  // and so it is released
            remote.load(bench.request("/1"))
            #expect(await wait(remote) { $0.image != nil } != nil)
            #expect(remote.request?.url == bench.origin.url("/1"))
        }
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
        try await eventually("no connection is left but those kept") { origin.openConnections <= 4 }
    }
}

/// Pictures of any size.
private enum TestImage {
    static func png(width: Int, height: Int) throws -> Data {
        let pixels = PixelBuffer.drawn(PixelSize(width: width, height: height)) { _, _ in
            Pixel(red: 10, green: 20, blue: 30)
        }
        return try RasterImage(pixels).encoded(as: .png)
    }
}
