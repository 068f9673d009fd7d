import Vitrine

extension ImageLoader.Configuration {
    static var thumbnails: Self {
        var configuration = Self.server  // no files, no private addresses, tighter limits
        configuration.maximumBytes = 20_000_000
        configuration.diskCapacity = 2_000_000_000
        return configuration
    }
}

func thumbnail(of url: URL, _ loader: ImageLoader) async throws -> Data {
    var request = ImageRequest(url)
    request.targetSize = .fill(width: 400, height: 300)
    return try await loader.image(for: request).data(as: .jpeg)
}
