import Glibc
import Vitrine

/// Loads one picture through `ImageLoader` until memory and disk have it, then times hits of either.
///
/// Arguments: URL, folder for the disk cache. Prints a name, the median in nanoseconds and what was
/// done, by tabs.
@main
enum CacheHits {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let url = arguments.first.flatMap({ URL(string: $0) }), let folder = arguments.last
        else { exit(2) }
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .directory(folder)
        let loader = ImageLoader(configuration)
        let request = ImageRequest(url)
        let first = try await loader.response(for: request)
        await loader.waitUntilIdle()
        let size = first.image.pixelSize

        // In batches, since one hit is shorter than a look at the clock is exact.
        let batch = 1000
        var synchronous: [UInt64] = []
        var awaited: [UInt64] = []
        for _ in 0..<50 {
            var start = now()
            for _ in 0..<batch {
                guard loader.cachedImage(for: request) != nil else { exit(1) }
            }
            synchronous.append((now() - start) / UInt64(batch))
            start = now()
            for _ in 0..<batch { _ = try await loader.image(for: request) }
            awaited.append((now() - start) / UInt64(batch))
        }
        report("memory hit, synchronous", synchronous, "cachedImage(for:)")
        report("memory hit, awaited", awaited, "image(for:)")

        var disk: [UInt64] = []
        for _ in 0..<200 {
            loader.imageCache.removeAll()
            let start = now()
            let response = try await loader.response(for: request)
            disk.append(now() - start)
            guard response.source == .disk else { exit(1) }
        }
        report(
            "disk hit, decoded", disk,
            "\(size) JPEG of \(first.image.info.byteCount) bytes, file cache of the system warm")
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func report(_ name: String, _ samples: [UInt64], _ what: String) {
        print("\(name)\t\(samples.sorted()[samples.count / 2])\t\(what)")
    }
}
