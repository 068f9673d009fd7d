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
    /// Files to load, and where pictures are written.
    private let files: SoakFiles
    private let ended = Lock(Ends())
    private let lastNumber = Lock(0)

    /// - Parameter folder: where the disk cache is, and files.
    init(folder: String) throws {
        let origin = try SoakOrigin()
        server = origin.server
        guard let data = try SoakOrigin.dataURL() else { throw POSIXError(.EINVAL) }
        self.data = data
        files = try SoakFiles(folder: folder + "/files")
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .directory(folder + "/cache")
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
                    var left = (count - worker + 15) / 16
                    while left > 0 { left -= await some(most: left, &random) }
                }
            }
        }
        await loader.waitUntilIdle()
    }

    /// Makes one load or a few, and says how many.
    private func some(most: Int, _ random: inout SeededRandom) async -> Int {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3:
            let requests = (0..<min(most, 8)).map { _ in kept("cold", 600, &random) }
            await many(requests, writes: Bool.random(using: &random))
            return requests.count
        case 3..<7:
            await remote(
                Bool.random(using: &random) ? kept("cold", 600, &random) : request("slow"),
                isReleased: Int.random(in: 0..<4, using: &random) == 0)
        case 7..<10: await load(ImageRequest(files.url(random.next())))
        case 10..<15: await load(kept("hot", 20, &random))
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
        return 1
    }

    /// A list, whose pictures are written into files as they come, or dropped.
    private func many(_ requests: [ImageRequest], writes: Bool) async {
        for await element in loader.images(for: requests) {
            count(element.result)
            if writes, let image = try? element.image { files.write(image, number: element.index) }
        }
    }

    /// As a user interface has it: until it is there, or released before.
    @MainActor private func remote(_ request: ImageRequest, isReleased: Bool) async {
        let picture = RemoteImage(request, loader: loader)
        // Nothing else keeps it.
        defer { withExtendedLifetime(picture) {} }
        picture.load()
        states: for await state in picture.states {
            switch state {
            case .success(let response): return count(.success(response))
            case .failure(let error): return count(.failure(error))
            case .empty, .inProgress: if isReleased { break states }
            }
        }
        count(.failure(ImageError(.cancelled, url: request.url)))
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
            case .finished(let result): count(result)
            }
        }
    }

    private func count(_ result: Result<ImageResponse, ImageError>) {
        ended.withLock { ends in
            switch result {
            case .success(let response): ends.sources[response.source, default: 0] += 1
            case .failure(let error):
                if error.isCancelled { ends.cancelled += 1 } else { ends.failed += 1 }
            }
        }
    }
}
