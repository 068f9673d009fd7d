import VitrineStorage
import VitrineTesting

// What the article "Coming from AlamofireImage" shows.

func load(_ url: URL, with loader: ImageLoader) async throws -> RasterImage {
    let response = try await loader.response(for: ImageRequest(url))
    print(response.request.url, response.source, response.timings.total)
    print(response.http?.status ?? 0, response.http?.headers ?? [:])
    return response.image
}

func serialize(
    _ body: Data, from url: URL, status: Int, headers: [String: String]
) throws -> RasterImage? {
    let types = ContentTypeRule.headerMustMatch.accepting("binary/octet-stream")
    let serializer = ImageResponseSerializer(
        contentTypes: types, options: DecodeOptions(scale: 2))
    let head = ImageResponseSerializer.Head(url: url, status: status, headers: headers)
    return try serializer.serialize(body, head).image  // nil where 204, 205 or HEAD have no body
}

func inflated(_ data: Data) async throws -> RasterImage {
    try await RasterImage.decoded(from: data, options: DecodeOptions(scale: 2))
}

func scaled(_ image: RasterImage) throws -> [RasterImage] {
    [
        try image.applying(.scaled(width: 100, height: 100)),  // whatever the aspect
        try image.applying(.fitCanvas(width: 100, height: 100)),  // whole, with transparent bars
        try image.applying(.fill(width: 100, height: 100)),  // covers, cut evenly
        try image.applying(.fit(width: 100, height: 100)),  // whole, without bars, never enlarged
    ]
}

func rounded(_ image: RasterImage) throws -> [RasterImage] {
    [
        try image.applying(.roundedCorners(radius: 20)),  // points
        try image.applying(.roundedCorners(radius: 20, unit: .pixels)),
        try image.applying(.circle),
    ]
}

func named(_ image: RasterImage) throws -> [RasterImage] {
    [
        try image.applying(.named("sepia")),
        try image.applying(.named("blur", ["radius": 25])),
    ]
}

struct Threshold: ImageFilter {
    let level: UInt8

    var identifier: String { "threshold(\(level))" }

    func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try PixelBuffer(size: frame.size, isOpaque: true) { bytes in
            frame.withUnsafeBytes { source in
                for offset in stride(from: 0, to: source.count, by: 4) {
                    let isLight = source[offset + 1] >= level
                    for channel in 0..<3 { bytes[offset + channel] = isLight ? 255 : 0 }
                    bytes[offset + 3] = 255
                }
            }
        }
    }
}

func filtered(_ image: RasterImage) throws -> [RasterImage] {
    let untouched = CustomFilter(identifier: "untouched") { frame, scale in frame }
    let both: any ImageFilter = .composition([.fill(width: 64, height: 64), .circle])
    return [
        try image.applying(Threshold(level: 128)),
        try image.applying(untouched),
        try image.applying([both]),
    ]
}

func avatars(_ image: RasterImage) throws -> [RasterImage] {
    [
        try image.applying(.scaledRounded(width: 100, height: 100, radius: 20)),
        try image.applying(.fillRounded(width: 100, height: 100, radius: 20)),
        try image.applying(.scaledCircle(width: 100, height: 100)),
        try image.applying(.fillCircle(width: 100, height: 100)),
    ]
}

func makeCache() -> ImageCache {
    var configuration = ImageCache.Configuration()
    configuration.capacity = 100_000_000
    configuration.purgeTarget = 60_000_000
    return ImageCache(configuration)
}

func keepByName(_ avatar: RasterImage, in cache: ImageCache) -> RasterImage? {
    cache.insert(avatar, identifier: "avatar")
    let found = cache.image(identifier: "avatar")  // counts as a use
    cache.remove(identifier: "avatar")
    return found
}

func keepForRequest(
    _ avatar: RasterImage, for request: ImageRequest, in cache: ImageCache
) -> RasterImage? {
    cache.insert(avatar, for: request, identifier: "circle")
    let found = cache.image(for: request, identifier: "circle")
    cache.remove(for: request, identifier: "circle")
    cache.removeVariants(of: request)  // every size, filter and identifier of it
    return found
}

func makeLoader(over transport: any Transport, sharing cache: ImageCache) -> ImageLoader {
    var configuration = ImageLoader.Configuration()
    configuration.maximumActiveDownloads = 4
    configuration.downloadOrder = .lifo
    configuration.imageCache = cache
    configuration.diskCache = .none  // or .directory("…"), bounded by:
    configuration.diskCapacity = 150_000_000
    configuration.transport = transport  // leave it out for the network
    return ImageLoader(configuration)
}

@MainActor func download(_ url: URL, with loader: ImageLoader) async -> RasterImage? {
    var request = ImageRequest(url, filters: [.fillCircle(width: 100, height: 100)])
    request.priority = .high
    return await withCheckedContinuation { continuation in
        loader.load(request) { progress in
            print(progress.fraction ?? 0)
        } completion: { result in
            print(result)
            continuation.resume(returning: try? result.get().image)
        }
    }
}

func downloadAll(_ urls: [URL], with loader: ImageLoader) async -> [RasterImage?] {
    for await element in loader.images(from: urls) {
        print(element.request.url, element.result)  // each as it comes
    }
    return await loader.images(from: urls).all().map { try? $0.image }  // in the order asked
}

func authenticate(_ loader: ImageLoader, for url: URL) throws {
    let credential = Credential(user: "user", password: "password")
    loader.setCredential(credential)  // answers challenges of any server
    try loader.setCredential(credential, forOriginOf: url)  // of this one only
}

func cancelOne(of url: URL, with loader: ImageLoader) async throws -> RasterImage {
    let first = loader.task(for: ImageRequest(url))
    let second = loader.task(for: ImageRequest(url, filters: [.circle]))
    first.cancel()  // ends at once with `.cancelled`; the transfer goes on for the second
    return try await second.image
}

func loadUnderKey(_ signedURL: URL, with loader: ImageLoader) async throws -> ImageResponse {
    var request = ImageRequest(signedURL)
    request.key = "photo 17"  // in memory, on disk and for sharing
    request.cachePolicy = .reload  // reads no cache, and replaces what is there
    return try await loader.response(for: request)
}

func retrying(_ url: URL) -> ImageRequest {
    var request = ImageRequest(url)
    request.retry = ImageRequest.Retry(attempts: 3)
    request.timeouts = ImageRequest.Timeouts(total: .seconds(60))
    return request
}
