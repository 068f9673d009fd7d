import DeterminismSupport
import FoundationEssentials
import Glibc
import OriginSupport
import Vitrine
import VitrineBase
import VitrineHTTP
import VitrineImaging

/// Loads of every kind through one loader, some at a time, whose ends are counted.
final class SoakLoads: Sendable {
    /// How loads have ended.
    struct Ends {
        var sources: [ImageResponse.Source: Int] = [:]
        var cancelled = 0
        var failed = 0
        var previews = 0

        var count: Int { sources.values.reduce(0, +) + cancelled + failed }
    }

    let loader: ImageLoader
    private let server: OriginServer
    private let data: URL
    private let ended = Lock(Ends())
    private let lastNumber = Lock(0)

    /// - Parameter folder: where the disk cache is.
    init(folder: String) throws {
        let origin = try SoakOrigin()
        server = origin.server
        guard let data = try SoakOrigin.dataURL() else { throw POSIXError(.EINVAL) }
        self.data = data
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .directory(folder)
        // Small, so that they are full long before the half and then turn over.
        configuration.diskCapacity = 4_000_000
        configuration.memoryCapacity = 3_000_000
        configuration.memoryPurgeTarget = 2_000_000
        configuration.maximumActiveDownloads = 8
        configuration.maximumActiveDownloadsPerHost = nil
        configuration.storesProcessedImages = true
        configuration.timeouts = ImageRequest.Timeouts(
            connect: .seconds(10), idle: .seconds(10), total: .seconds(30))
        loader = ImageLoader(configuration)
    }

    var ends: Ends { ended.withLock { $0 } }

    /// Loads so many, 16 at a time, and waits until all is quiet.
    func run(_ count: Int, seed: UInt64) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask { [self] in
                    var random = SeededRandom(seed: seed &* 16 &+ UInt64(worker))
                    for _ in stride(from: worker, to: count, by: 16) { await one(&random) }
                }
            }
        }
        await loader.waitUntilIdle()
    }

    private func one(_ random: inout SeededRandom) async {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: await load(kept("hot", 20, &random))
        case 15..<35: await load(kept("cold", 600, &random))
        case 35..<45:
            var request = kept("cold", 100, &random)
            request.filters = [.circle]
            request.targetSize = .fit(width: 48, height: 48)
            await load(request)
        case 45..<50:
            var request = kept("cold", 100, &random)
            request.filters = [.blur(radius: 2), .circle]
            await load(request)
        case 50..<55: await load(ImageRequest(server.url("/stale/\(random.next() % 50)")))
        case 55..<63: await load(request("private"))
        case 63..<67: await load(request("kept/new"))
        case 67..<75:
            var request = request("parts")
            request.previews = .progressive(interval: .zero)
            await load(request)
        case 75..<85:
            let task = loader.task(for: request("slow"))
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<25, using: &random)))
            task.cancel()
            await count(task)
        case 85..<90:
            var request = request("flaky")
            request.retry = ImageRequest.Retry(attempts: 4, firstDelay: .milliseconds(1))
            await load(request)
        case 90..<97:
            let kinds = ["truncated", "reset", "text", "none"]
            await load(request(kinds.randomElement(using: &random) ?? "none"))
        case 97: await load(ImageRequest(data))
        case 98:
            let prefetcher = ImagePrefetcher(loader, to: Bool.random() ? .disk : .memory)
            prefetcher.start((0..<5).map { _ in kept("cold", 600, &random) })
            if Bool.random(using: &random) { await prefetcher.waitUntilIdle() }
            await load(kept("cold", 600, &random))
        default:
            loader.imageCache.removeAll()
            await load(kept("hot", 20, &random))
        }
    }

    /// One of some pictures that stay the same.
    private func kept(_ name: String, _ count: UInt64, _ random: inout SeededRandom) -> ImageRequest
    {
        ImageRequest(server.url("/kept/\(name)/\(random.next() % count)"))
    }

    /// A URL that was never asked for before.
    private func request(_ path: String) -> ImageRequest {
        let number = lastNumber.withLock { last in
            last += 1
            return last
        }
        return ImageRequest(server.url("/\(path)/\(number)"))
    }

    private func load(_ request: ImageRequest) async {
        await count(loader.task(for: request))
    }

    private func count(_ task: ImageTask) async {
        for await event in task.events {
            switch event {
            case .progress: break
            case .preview: ended.withLock { $0.previews += 1 }
            case .finished(.success(let response)):
                ended.withLock { $0.sources[response.source, default: 0] += 1 }
            case .finished(.failure(let error)):
                ended.withLock { error.isCancelled ? ($0.cancelled += 1) : ($0.failed += 1) }
            }
        }
    }
}
