import Foundation
import OriginSupport
import PixelSupport
import Testing
import Vitrine
import VitrineBase

/// Everything at once against an origin that lies, and what is left of it.
@Suite(.timeLimit(.minutes(5))) struct LeftoverTests {
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
        try bench.lie("Cache-Control: max-age=60")
    }

    /// 1,000 claims on 100 URLs in every form there is, most of them given up; the loader ends with it.
    private func round() async -> Weak<ImageLoader> {
        let loader = bench.loader()
        let watched = Weak<ImageLoader>(loader)
        let requests = (0..<100).map { bench.request("/\($0)") }
        let ends = Lock<[Int: Int]>([:])
        var tasks: [ImageTask] = []
        for number in 0..<600 {
            tasks.append(
                loader.load(requests[number % 100], deliveringOn: .immediate) { _ in
                    ends.withLock { $0[number, default: 0] += 1 }
                })
        }
        let listing = Task {
            var seen: Set<Int> = []
            for await element in loader.images(for: requests + requests) {
                #expect(seen.insert(element.index).inserted)
            }
            return seen
        }
        let prefetchers = (0..<4).map { ImagePrefetcher(loader, to: $0 % 2 == 0 ? .disk : .memory) }
        for prefetcher in prefetchers { prefetcher.start(requests.shuffled()) }
        let remotes = await MainActor.run {
            requests.map { request in
                let remote = RemoteImage(request, loader: loader)
                remote.load()
                return remote
            }
        }
        for task in tasks.shuffled().prefix(300) {
            task.cancel()
            await Task.yield()
        }
        try? await Task.sleep(for: .milliseconds(100))
        await MainActor.run { for remote in remotes.shuffled().prefix(50) { remote.cancel() } }
        listing.cancel()
        let seen = await listing.value
        #expect(seen == Set(0..<seen.count))
        loader.cancelAll()
        for prefetcher in prefetchers { prefetcher.stopAll() }
        await loader.waitUntilIdle()
        #expect(loader.downloads == (0, 0))
        #expect(ends.withLock { $0.count } == 600)
        #expect(ends.withLock { $0.values.allSatisfy { $0 == 1 } })
        return watched
    }

    @Test("promise 5, 6, 8: each ends once, and no connection, descriptor or loader is left")
    func nothingIsLeft() async throws {
        var open: [Int] = []
        for _ in 0..<3 {
            let watched = await round()
            let origin = bench.origin
            try await eventually("the loader is gone") { watched.isGone }
            try await eventually("its connections are closed") { origin.openConnections == 0 }
            // The first two rounds open what the process keeps, and may still be closing their stores.
            if open.count < 2 { open.append(openDescriptors()) }
        }
        let bound = open.max() ?? 0
        try await eventually("its descriptors are closed") { openDescriptors() <= bound }
    }
}
