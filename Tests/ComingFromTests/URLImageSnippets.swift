import VitrineStorage
import VitrineTesting

// What the article "Coming from URLImage" shows.

@MainActor func text(for picture: RemoteImage) -> String {
    switch picture.state {
    case .empty: "Nothing here"
    case .inProgress(let progress, _):
        progress?.fraction.map { "\(Int($0 * 100)) %" } ?? "Loading…"
    case .failure(let error): error.description
    case .success(let response):
        response.image.info.pixelSize.width < 1024 ? "fit" : "fill"
    }
}

@MainActor func makeRemoteImage(_ url: URL, with loader: ImageLoader) -> RemoteImage {
    var request = ImageRequest(url)
    request.targetSize = .fit(width: 600, height: 600)
    return RemoteImage(request, loader: loader)
}

@MainActor final class Row {
    let picture: RemoteImage

    init(_ url: URL, loader: ImageLoader) {
        picture = RemoteImage(url, loader: loader)
    }

    func appeared() { picture.load() }
    func disappeared() { picture.cancel() }
    func retryPressed() { picture.retry() }
}

func makeService(in folder: String) -> ImageLoader.Configuration {
    var configuration = ImageLoader.Configuration()
    configuration.diskCache = .directory(folder)
    configuration.groups = [CacheGroup("articles", maximumBytes: 2_000_000_000, isOffline: true)]
    return configuration
}

func offline(_ url: URL, id: String) -> ImageRequest {
    var request = ImageRequest(url)
    request.key = id  // in place of the URL
    request.store = .group("articles")  // kept whatever the headers say
    request.cachePolicy = .cacheElseLoad  // or .cacheOnly
    return request
}

func configured(_ url: URL) -> ImageRequest {
    var request = ImageRequest(url)
    request.headers["Accept-Language"] = "nb"
    request.cachePolicy = .revalidate
    request.expiry = .after(.seconds(300))
    request.targetSize = .maximum(600)
    return request
}

func fetchOne(_ url: URL, with loader: ImageLoader) async -> RasterImage? {
    try? await loader.image(from: url)
}

func fetchList(_ urls: [URL], with loader: ImageLoader) async -> [RasterImage?] {
    await loader.images(from: urls).all().map { try? $0.image }
}

func downloadForLater(_ urls: [URL], with loader: ImageLoader) async -> Int {
    let prefetcher = ImagePrefetcher(loader, to: .disk)
    prefetcher.start(
        urls.map { url in
            var request = ImageRequest(url)
            request.store = .group("articles")
            return request
        })
    await prefetcher.waitUntilIdle()
    return prefetcher.progress.failed
}

func shown(_ requests: [ImageRequest], with loader: ImageLoader) -> [RasterImage?] {
    requests.map { loader.cachedImage(for: $0) }  // from memory, in the same call
}

func remove(_ url: URL, id: String, from loader: ImageLoader) async throws {
    try await loader.removeFromCaches(url)
    try await loader.removeFromCaches(key: id)
    try await loader.removeGroup("articles")
    try await loader.removeAllFromCaches()
}

func frames(of data: Data) async throws -> [PixelBuffer] {
    let info = try ImageInfo(probing: data)  // the header only
    print(info.format, info.pixelSize, info.orientation, info.frameCount)
    let animation = try RasterImage(decoding: data)
    print(animation.durations, animation.loopCount ?? 0)
    var frames: [PixelBuffer] = []
    for index in 0..<animation.frameCount {
        frames.append(try await animation.frame(at: index))
    }
    return frames
}

func arriving(_ chunks: [Data]) throws -> RasterImage? {
    var decoder = IncrementalDecoder()
    var newest: RasterImage?
    for chunk in chunks {
        decoder.append(chunk)
        if decoder.hasPreview { newest = try decoder.preview() }
    }
    return newest
}
