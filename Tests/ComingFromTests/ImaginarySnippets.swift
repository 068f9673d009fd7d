import VitrineStorage
import VitrineTesting

// What the article "Coming from Imaginary" shows.

@MainActor func setImage(from url: URL, in picture: RemoteImage) async {
    picture.load(ImageRequest(url))
    for await state in picture.states {
        switch state {
        case .empty: print("nothing to show")
        case .inProgress: print("placeholder")
        case .success(let response): print(response.image)
        case .failure(let error): print(error)
        }
        if case .success = state { return }
        if case .failure = state { return }
    }
}

@MainActor func fetch(_ url: URL, with loader: ImageLoader) async -> ImageError? {
    await withCheckedContinuation { continuation in
        loader.load(ImageRequest(url)) { result in
            switch result {
            case .success(let response):
                print(response.image)
                continuation.resume(returning: nil)
            case .failure(let error):
                print(error.reason, error.http?.status ?? 0)
                continuation.resume(returning: error)
            }
        }
    }
}

func tinted(_ url: URL, with loader: ImageLoader) async throws -> RasterImage {
    try await loader.image(from: url, filters: .tint(Pixel(red: 255, green: 165, blue: 0)))
}

func resizedAndRound(_ url: URL, with loader: ImageLoader) async throws -> RasterImage {
    try await loader.image(
        from: url, filters: .fill(width: 120, height: 80), .roundedCorners(radius: 12))
}

struct Darkened: ImageFilter {
    let identifier = "darkened"

    func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try BrightnessFilter(factor: 0.5).apply(to: frame, scale: scale)
    }
}

func authorized(_ url: URL, _ token: String, user: String) -> ImageRequest {
    var request = ImageRequest(url, filters: [Darkened()])
    request.headers["Authorization"] = "Bearer \(token)"
    request.partition = user  // so that the next token finds what this one has stored
    return request
}

func signing(_ token: @escaping @Sendable () async throws -> String) -> ImageLoader.Configuration {
    var configuration = ImageLoader.Configuration()
    configuration.networkModifier = { request in  // only when the network is needed
        request[header: "Authorization"] = "Bearer \(try await token())"
    }
    return configuration
}

func makeGroups(in folder: String) -> ImageLoader.Configuration {
    var configuration = ImageLoader.Configuration()
    configuration.diskCache = .directory(folder)
    configuration.expiry = .after(.seconds(3 * 86_400))
    configuration.groups = [CacheGroup("feature", maximumBytes: 20_000_000)]
    return configuration
}

func stored(_ url: URL) -> (grouped: ImageRequest, uncached: ImageRequest) {
    var grouped = ImageRequest(url)
    grouped.store = .group("feature")
    grouped.expiry = .after(.seconds(600))
    var uncached = ImageRequest(url)
    uncached.cachePolicy = .bypass  // neither reads nor writes
    return (grouped, uncached)
}

struct TransferLog: LoadObserver {
    let report: @Sendable (URL, Int?, ImageError?) -> Void

    func observe(_ event: LoadEvent) {
        guard case .ended(_, let facts) = event.moment else { return }
        switch event.stage {
        case .transfer where facts.source == .network: report(event.url, facts.bytes, nil)
        case .load where facts.error != nil: report(event.url, nil, facts.error)
        default: break
        }
    }
}

func fetchMany(_ urls: [URL], with loader: ImageLoader) async -> [RasterImage?] {
    for await element in loader.images(from: urls) {
        print(element.request.url, element.result)
    }
    return await loader.images(from: urls).all().map { try? $0.image }
}

func prefetch(_ urls: [URL], with loader: ImageLoader) async -> ImagePrefetcher {
    let prefetcher = ImagePrefetcher(loader, to: .memory)
    prefetcher.start(urls)
    await prefetcher.waitUntilIdle()
    return prefetcher
}

func keepInMemory(_ image: RasterImage) -> RasterImage? {
    let images = MemoryCache<String, RasterImage>(
        countLimit: 10, ageLimit: .seconds(600))
    images.insert(image, for: "avatar", cost: image.cost)
    return images.value(for: "avatar")
}

func keepOnDisk(_ data: Data, in folder: String) async throws -> Data? {
    var configuration = DiskStore.Configuration(directory: folder)
    configuration.maximumBytes = 50_000_000
    configuration.expiry = .after(.seconds(86_400))
    let store = DiskStore(configuration)
    let observation = store.observe { event in print(event) }
    defer { observation.cancel() }

    try await store.insert(.bytes(data), metadata: Data(), for: "avatar", expires: .never)
    let entry = try await store.entry(for: "avatar")  // nil if absent, expired or damaged
    print(entry?.size ?? 0, entry?.storedAt ?? Date(), entry?.bodyPath ?? "in the index")
    try await store.prune()  // what has expired
    try await store.remove("avatar")
    return entry?.body
}

func files(of url: URL, with loader: ImageLoader) async throws -> CacheEntry? {
    let entry = await loader.cacheEntry(for: ImageRequest(url))
    print(entry?.path ?? "not in a file", entry?.expiresAt ?? entry?.freshUntil ?? Date())
    try await loader.removeFromCaches(url)  // every layer and variant
    return entry
}
