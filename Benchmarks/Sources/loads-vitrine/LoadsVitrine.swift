import FoundationEssentials
import Glibc
import Vitrine

/// Loads pictures through `ImageLoader`, fits them into 256 × 256, and keeps them in memory.
///
///     loads-vitrine load FOLDER LIST        the URLs of a file, with the disk cache in that folder
///     loads-vitrine processed FOLDER LIST   the same, and what was made is kept on disk
///     loads-vitrine many FOLDER LIST        by a loader as it comes, and none is kept by the caller
///     loads-vitrine prefetched FOLDER LIST  by such a loader, to disk only
///     loads-vitrine remote FOLDER LIST      by such a loader and one `RemoteImage`, one after the other
///     loads-vitrine memory FOLDER LIST      hits in memory beside a dictionary under a lock
///     loads-vitrine callers COUNT           so many callers of one picture, all at once
///
/// The last two print what one costs in nanoseconds.
@main
enum LoadsVitrine {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "load" where arguments.count == 3, "processed" where arguments.count == 3:
            _ = try await Many(
                folder: arguments[1], list: arguments[2],
                keepsProcessed: arguments[0] == "processed"
            ).load()
        case "many" where arguments.count == 3:
            try await Many(folder: arguments[1], list: arguments[2]).pass()
        case "prefetched" where arguments.count == 3:
            try await Many(folder: arguments[1], list: arguments[2]).prefetch()
        case "remote" where arguments.count == 3:
            try await Many(folder: arguments[1], list: arguments[2]).show()
        case "memory" where arguments.count == 3:
            let many = try Many(folder: arguments[1], list: arguments[2], keepsProcessed: true)
            try await MemoryHits(
                loader: many.loader, requests: Array(many.requests), images: many.load()
            )
            .run()
        case "callers" where arguments.count == 2:
            try await Callers(count: Int(arguments[1]) ?? 1).run()
        default: exit(2)
        }
    }
}

/// Many pictures, each wanted once.
struct Many {
    let loader: ImageLoader
    private let lines: [Substring]

    /// A loader that is given much room and many transfers at once.
    init(folder: String, list: String, keepsProcessed: Bool) throws {
        var configuration = ImageLoader.Configuration()
        configuration.diskCapacity = 1_000_000_000
        configuration.memoryCapacity = 1_000_000_000
        configuration.memoryPurgeTarget = 1_000_000_000
        configuration.storesProcessedImages = keepsProcessed
        configuration.maximumActiveDownloads = 8
        configuration.maximumActiveDownloadsPerHost = nil
        try self.init(configuration, folder, list)
    }

    /// A loader with the defaults.
    init(folder: String, list: String) throws {
        try self.init(ImageLoader.Configuration(), folder, list)
    }

    private init(
        _ configuration: ImageLoader.Configuration, _ folder: String, _ list: String
    ) throws {
        var configuration = configuration
        configuration.diskCache = .directory(folder)
        loader = ImageLoader(configuration)
        lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    }

    /// What is wanted, made when it is taken.
    var requests: some Sequence<ImageRequest> {
        lines.lazy.compactMap { line in
            var request = URL(string: String(line)).map { ImageRequest($0) }
            request?.targetSize = .fit(width: 256, height: 256)
            return request
        }
    }

    /// Lets all of them come and go.
    func pass() async throws {
        var count = 0
        for await element in loader.images(for: requests) {
            guard try element.image.pixelSize.width == 256 else { exit(1) }
            count += 1
        }
        guard count == lines.count else { exit(1) }
        await loader.waitUntilIdle()
    }

    /// Brings all of them to disk.
    func prefetch() async throws {
        let prefetcher = ImagePrefetcher(loader, to: .disk)
        prefetcher.start(requests)
        await prefetcher.waitUntilIdle()
        guard prefetcher.progress.finished == lines.count else { exit(1) }
        await loader.waitUntilIdle()
    }

    /// Lets one view's picture become each of them in turn.
    @MainActor func show() async throws {
        let picture = RemoteImage(loader: loader)
        for request in requests {
            picture.load(request)
            for await state in picture.states {
                if case .failure = state { exit(1) }
                if state.image != nil { break }
            }
        }
        await loader.waitUntilIdle()
    }

    /// All of them, once everything that is to be kept is on disk.
    func load() async throws -> [RasterImage] {
        var images: [RasterImage] = []
        for await element in loader.images(for: requests, lookAhead: 64) {
            let image = try element.image
            guard image.pixelSize == PixelSize(width: 256, height: 256) else { exit(1) }
            images.append(image)
        }
        await loader.waitUntilIdle()
        guard images.count == lines.count else { exit(1) }
        return images
    }
}
