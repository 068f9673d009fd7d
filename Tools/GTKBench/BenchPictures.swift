import Foundation
import OriginSupport
import Vitrine

/// 2,000 pictures at as many URLs, made here, served on loopback, and kept in a disk cache of their own.
struct BenchPictures {
    static let count = 2_000
    /// Of each thumbnail, in pixels and, since the scale is 1, in logical ones.
    static let side = 256
    private static let differentOnes = 64

    let folder: String
    let urls: [URL]
    private let server: OriginServer

    init() throws {
        folder =
            FileManager.default.temporaryDirectory
            .appending(path: "vitrine-gtk-bench-\(UUID().uuidString)").path
        let bodies = try (0..<Self.differentOnes).map { number in
            [UInt8](try Self.picture(number).encoded(as: .jpeg))
        }
        let server = try OriginServer.start(remembersRequests: false)
        server.routeOthers(
            .dynamic { request in
                let number = Int(request.path.dropFirst().prefix { $0.isNumber }) ?? 0
                return .bytes(
                    bodies[number % bodies.count], type: "image/jpeg",
                    headers: ["Cache-Control: max-age=86400"])
            })
        self.server = server
        urls = (0..<Self.count).map { server.url("/\($0).jpg") }
    }

    func removeAll() {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A loader with the disk cache and nothing in memory.
    func loader(memory: Int = 100_000_000) -> ImageLoader {
        Self.loader(folder: folder, memory: memory)
    }

    static func loader(folder: String, memory: Int = 100_000_000) -> ImageLoader {
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .directory(folder)
        configuration.memoryCapacity = memory
        configuration.memoryPurgeTarget = memory
        configuration.reactsToMemoryPressure = false
        return ImageLoader(configuration)
    }

    /// Brings the first picture to the disk cache.
    func storeOne() async throws -> URL {
        let loader = loader()
        _ = try await loader.image(from: urls[0])
        await loader.waitUntilIdle()
        return urls[0]
    }

    /// Brings all of them to the disk cache.
    func store() async throws {
        let loader = loader(memory: 0)
        let prefetcher = ImagePrefetcher(loader, to: .disk)
        prefetcher.start(urls)
        await prefetcher.waitUntilIdle()
        await loader.waitUntilIdle()
        guard prefetcher.progress.failed == 0 else {
            throw BenchFailure("Not all pictures could be stored.")
        }
    }

    /// A loader that has all thumbnails in memory.
    func loaderWithAllInMemory() async throws -> ImageLoader {
        let loader = loader(memory: Self.count * Self.side * Self.side * 4 + 50_000_000)
        for await element in loader.images(for: urls.map(Self.thumbnail)) {
            _ = try element.result.get()
        }
        await loader.waitUntilIdle()
        return loader
    }

    /// What a place of the grid asks for.
    static func thumbnail(_ url: URL) -> ImageRequest {
        var request = ImageRequest(url)
        request.targetSize = .fill(width: side, height: side)
        return request
    }

    /// Waves of two colours with some noise, as large as a photo that was made smaller for the web.
    private static func picture(_ number: Int) throws -> RasterImage {
        let size = PixelSize(width: 640, height: 480)
        var noise = UInt64(number + 1)
        return RasterImage(
            try PixelBuffer(size: size, isOpaque: true) { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 4) {
                    let (y, x) = (offset / 4).quotientAndRemainder(dividingBy: size.width)
                    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let grain = Int(noise >> 60)
                    let wave = abs((x * (1 + number % 5) + y * (1 + number / 8)) % 400 - 200)
                    bytes[offset] = UInt8(clamping: wave + grain)
                    bytes[offset + 1] = UInt8(clamping: (number * 37) % 200 + grain)
                    bytes[offset + 2] = UInt8(clamping: 220 - wave + grain)
                    bytes[offset + 3] = 255
                }
            })
    }
}
