import Foundation
import OriginSupport
import PixelSupport
import Testing
import VitrineBase

@testable import Vitrine

@Suite(.timeLimit(.minutes(2))) struct ImagePrefetcherTests {
    private let bench: Workbench
    private let png: [UInt8]
    private let isOpen = Lock(false)

    init() throws {
        bench = try Workbench()
        png = [UInt8](try Fixture.data("scene.png"))
    }

    /// Serves the scene everywhere, fresh for a minute.
    private func serve() {
        bench.origin.routeOthers(.bytes(png, headers: ["Cache-Control: max-age=60"]))
    }

    /// Serves it once `isOpen` says so.
    private func serveWhenOpen() {
        bench.origin.routeOthers(
            .dynamic { [png, isOpen] _ in
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                return .bytes(png, headers: ["Cache-Control: max-age=60"])
            })
    }

    private func requests(_ count: Int) -> [ImageRequest] {
        (0..<count).map { bench.request("/\($0)") }
    }

    @Test("L6: what was prefetched to memory is there in the same call, filters and all")
    func toMemory() async throws {
        serve()
        let loader = bench.loader()
        let prefetcher = ImagePrefetcher(loader)
        var request = bench.request("/a")
        request.filters = [.circle]
        request.targetSize = .fill(width: 32, height: 32)
        prefetcher.start([request, request, bench.request("/b")])
        await prefetcher.waitUntilIdle()
        #expect(loader.cachedImage(for: request)?.pixelSize.width == 32)
        #expect(loader.cachedImage(for: bench.request("/b")) != nil)
        #expect(bench.origin.requestCount == 2)
        #expect(
            prefetcher.progress
                == ImagePrefetcher.Progress(active: 0, waiting: 0, finished: 2, failed: 0))
        // Once more costs a look.
        prefetcher.start([request])
        #expect(prefetcher.progress.finished == 3)
    }

    @Test("L6: prefetching to disk leaves nothing in memory, and a later load needs no network")
    func toDisk() async throws {
        serve()
        let loader = bench.loader()
        let prefetcher = ImagePrefetcher(loader, to: .disk)
        prefetcher.start([bench.origin.url("/a")])
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.finished == 1)
        #expect(loader.imageCache.memoryUsage == 0)
        #expect(try await loader.diskStatistics()?.entries == 1)
        let response = try await loader.response(for: bench.request("/a"))
        #expect(response.source == .disk && response.image.pixelSize.width == 96)
        // What is on disk, and in memory too by now, is not fetched again.
        prefetcher.start([bench.origin.url("/a")])
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.finished == 2)
        #expect(bench.origin.requestCount == 1)
    }

    @Test("L6, promise 16: what is no picture, or a damaged one, is not stored")
    func notAnImage() async throws {
        let fresh: OriginHeader = "Cache-Control: max-age=60"
        var damaged = png
        for place in png.count / 2..<png.count / 2 + 20 { damaged[place] ^= 0xFF }
        bench.origin.route(
            "/page", .bytes(Array("<html>".utf8), type: "image/png", headers: [fresh]))
        bench.origin.route("/damaged", .bytes(damaged, headers: [fresh]))
        bench.origin.route("/cut", .bytes(Array(png.dropLast(200)), headers: [fresh]))
        bench.origin.route("/gone", .status(404))
        let loader = bench.loader()
        let prefetcher = ImagePrefetcher(loader, to: .disk)
        prefetcher.start(["/page", "/damaged", "/cut", "/gone"].map { bench.origin.url($0) })
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.failed == 4)
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.entries == 0)
    }

    @Test("L6, promise 18: more than memory takes is fetched ahead, and pushes nothing used out")
    func limitedMemory() async throws {
        serve()
        let cost = 96 * 64 * 4
        let loader = bench.loader {
            $0.memoryCapacity = 5 * cost
            $0.memoryPurgeTarget = 4 * cost
        }
        let shown = (0..<2).map { bench.request("/shown\($0)") }
        for request in shown { _ = try await loader.image(for: request) }
        let prefetcher = ImagePrefetcher(loader, maximumActive: 4)
        prefetcher.start(requests(60))
        await prefetcher.waitUntilIdle()
        await loader.waitUntilIdle()
        #expect(prefetcher.progress.finished == 60 && prefetcher.progress.failed == 0)
        #expect(loader.imageCache.memoryUsage <= 5 * cost)
        for request in shown { #expect(loader.cachedImage(for: request) != nil) }
        // What memory did not take is on disk all the same.
        bench.origin.routeOthers(.status(503))
        let source = try await loader.response(for: bench.request("/0")).source
        #expect(source == .disk || source == .memory)
        #expect(bench.origin.requestCount == 62)
    }

    @Test("L6: what has no place on disk is passed over by a prefetch to it") func nothingToKeep()
        async throws
    {
        serve()
        let file = ImageRequest(Fixture.folder.appending(path: "scene.png"))
        let toDisk = ImagePrefetcher(bench.loader(), to: .disk)
        toDisk.start([file])
        let nowhere = bench.loader {
            $0.diskCache = .none
            $0.originalsCapacity = 0
        }
        let without = ImagePrefetcher(nowhere, to: .disk)
        without.start([bench.request("/a")])
        let bypassing = ImagePrefetcher(bench.loader())
        bypassing.start([bench.request("/a") { $0.cachePolicy = .bypass }])
        for prefetcher in [toDisk, without, bypassing] {
            #expect(
                prefetcher.progress
                    == ImagePrefetcher.Progress(active: 0, waiting: 0, finished: 0, failed: 0))
        }
        #expect(bench.origin.requestCount == 0)
    }

    @Test("L6, promise 9: a bounded number runs, and a real load joins and goes first")
    func joining() async throws {
        let seen = Lock<[String]>([])
        bench.origin.routeOthers(
            .dynamic { [png, isOpen] request in
                seen.withLock { $0.append(request.path) }
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                return .bytes(png)
            })
        let loader = bench.loader { $0.maximumActiveDownloads = 1 }
        let blocker = loader.task(for: bench.request("/blocker"))
        try await eventually("it runs") { seen.withLock { $0.count } == 1 }
        let prefetcher = ImagePrefetcher(loader, maximumActive: 3)
        prefetcher.start(requests(10))
        try await eventually("three wait") { loader.downloads.waiting == 3 }
        #expect(prefetcher.progress.active == 3 && prefetcher.progress.waiting == 7)
        let real = loader.task(for: bench.request("/2"))
        let other = loader.task(for: bench.request("/other") { $0.priority = .low })
        try await eventually("it waits") { loader.downloads.waiting == 4 }
        isOpen.withLock { $0 = true }
        _ = try await blocker.image
        _ = try await real.image
        _ = try await other.image
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.finished == 10)
        #expect(Array(seen.withLock { $0 }.prefix(3)) == ["/blocker", "/2", "/other"])
        #expect(bench.origin.requests(for: "/2").count == 1)
    }

    @Test("L6, promise 6: stopping a prefetch leaves alone whoever joined it") func stopping()
        async throws
    {
        serveWhenOpen()
        let origin = bench.origin
        let loader = bench.loader()
        let prefetcher = ImagePrefetcher(loader, maximumActive: 2)
        prefetcher.start(requests(5))
        try await eventually("two run") { origin.requestCount == 2 }
        let joined = loader.task(for: bench.request("/0"))
        prefetcher.stop(requests(2))
        try await eventually("two others run in their place") { origin.requestCount == 4 }
        prefetcher.stopAll()
        #expect(prefetcher.progress.active == 0 && prefetcher.progress.waiting == 0)
        try await eventually("only what was joined goes on") { loader.downloads == (1, 0) }
        isOpen.withLock { $0 = true }
        #expect(try await joined.image.pixelSize.width == 96)
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.finished == 0 && prefetcher.progress.failed == 0)
        #expect(bench.origin.requests(for: "/0").count == 1)
        // It may be started again.
        prefetcher.start(requests(5))
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.finished == 5)
    }

    @Test("L6, L13: a pause starts nothing more") func pausing() async throws {
        serveWhenOpen()
        let origin = bench.origin
        let prefetcher = ImagePrefetcher(bench.loader(), maximumActive: 1)
        prefetcher.start(requests(3))
        try await eventually("one runs") { origin.requestCount == 1 }
        prefetcher.pause()
        isOpen.withLock { $0 = true }
        try await eventually("it has ended") { prefetcher.progress.finished == 1 }
        #expect(prefetcher.isPaused && prefetcher.progress.waiting == 2)
        let waiting = Task { await prefetcher.waitUntilIdle() }
        waiting.cancel()
        await waiting.value
        #expect(bench.origin.requestCount == 1)
        prefetcher.resume()
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.finished == 3)
    }

    @Test("L6: a prefetcher that is released stops its work") func released() async throws {
        serveWhenOpen()
        let origin = bench.origin
        let loader = bench.loader()
        var prefetcher: ImagePrefetcher? = ImagePrefetcher(loader)
        prefetcher?.start(requests(10))
        try await eventually("two run") { origin.requestCount == 2 }
        prefetcher = nil
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
        isOpen.withLock { $0 = true }
        #expect(bench.origin.requestCount == 2)
    }

    @Test("L6: thousands that are there already do not nest") func many() async throws {
        serve()
        let loader = bench.loader()
        _ = try await loader.image(for: bench.request("/a"))
        let prefetcher = ImagePrefetcher(loader)
        let url = bench.origin.url("/a").absoluteString
        prefetcher.pause()
        let requests = (0..<20_000).map { number in
            // Different enough to be asked for one by one, and the same to the cache.
            ImageRequest(URL(string: url + "#\(number)") ?? bench.origin.url("/a"))
        }
        prefetcher.start(requests)
        prefetcher.resume()
        await prefetcher.waitUntilIdle()
        #expect(prefetcher.progress.failed == 0)
        #expect(bench.origin.requestCount == 1)
    }

    @Test("promise 5, L6: started, stopped, paused and cancelled at random, nothing is left")
    func storm() async throws {
        bench.origin.routeOthers(
            .dynamic { [png] request in
                switch request.path.utf8.count % 3 {
                case 0: .truncated(png, sent: 40)
                case 1: .delayed(.milliseconds(3), then: .bytes(png))
                default: .bytes(png)
                }
            })
        let loader = bench.loader()
        let origin = bench.origin
        let all = (0..<40).map { bench.request("/" + String(repeating: "a", count: $0)) }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    let prefetcher = ImagePrefetcher(loader, to: worker % 2 == 0 ? .disk : .memory)
                    for round in 0..<60 {
                        let some = all.shuffled().prefix(10)
                        switch round % 6 {
                        case 0, 1, 2: prefetcher.start(some)
                        case 3: prefetcher.stop(some)
                        case 4: round % 4 == 0 ? prefetcher.pause() : prefetcher.resume()
                        default:
                            if worker == 0 { loader.cancelAll() } else { prefetcher.stopAll() }
                        }
                        try? await Task.sleep(for: .microseconds(300))
                    }
                    prefetcher.resume()
                    await prefetcher.waitUntilIdle()
                    #expect(prefetcher.progress.active + prefetcher.progress.waiting == 0)
                }
            }
        }
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
        try await eventually("no connection is left but those kept") { origin.openConnections <= 4 }
    }
}
