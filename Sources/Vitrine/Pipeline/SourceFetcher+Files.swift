import FoundationEssentials
import VitrineBase
import VitrineHTTP

/// Bytes that need no network: of files and of `data:` URLs.
extension SourceFetcher {
    /// What was just read, and is fresh until somebody says otherwise.
    private func read(
        _ data: Data, _ source: ImageResponse.Source, _ request: ImageRequest, _ permit: KeepPermit
    ) throws(ImageError) -> FetchedBytes {
        let place = try place(of: request)
        let now = time.now
        let expiry = request.expiry ?? defaultExpiry(in: place.group) ?? .never
        return FetchedBytes(
            data: data, source: source, freshUntil: Date(expiring: expiry.moment(receivedAt: now)),
            receivedAt: Date(timeIntervalSince1970: now), isCacheable: true, permit: permit)
    }

    func readFile(
        _ request: ImageRequest, _ permit: KeepPermit, _ priority: WorkPriority
    ) async throws(ImageError) -> FetchedBytes {
        let url = request.url
        let host = url.host() ?? ""
        guard host.isEmpty || host == "localhost", !url.path().isEmpty else {
            throw ImageError(.invalidURL("a file URL names a path on this machine"), url: url)
        }
        let path = url.pathBytes
        guard !path.contains(0) else {
            // The system would take the path to end there.
            throw ImageError(.invalidURL("its path has a zero byte"), url: url)
        }
        let limit = configuration.maximumBytes
        do {
            let data = try await filePool.run(at: priority) {
                try FileBytes.read(path, limit: limit)
            }
            return try read(data, .file, request, permit)
        } catch let error as ImageError {
            throw error
        } catch let error as FileBytes.Failure {
            let name = String(decoding: path, as: UTF8.self)
            throw ImageError(.file(path: name, why: error.why), url: url)
        } catch {
            throw ImageError(.cancelled, url: url)
        }
    }

    func decodeDataURL(
        _ request: ImageRequest, _ permit: KeepPermit
    ) throws(ImageError) -> FetchedBytes {
        guard let data = DataURL.decode(request.url) else {
            throw ImageError(.invalidURL("its data are malformed"), url: request.url)
        }
        guard data.count <= configuration.maximumBytes else {
            let error = TransportError.bodyTooLarge(limit: configuration.maximumBytes)
            throw ImageError(.transport(error), url: request.url)
        }
        return try read(data, .data, request, permit)
    }
}
