import Dispatch
import Vitrine

/// What a program names of `Vitrine`, with no other import but a queue's.
@main
struct UseVitrine {
    static func main() async throws {
        let url = URL(filePath: CommandLine.arguments[1])

        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .none
        configuration.downloadOrder = .lifo
        configuration.schemes = ["https", "file"]
        configuration.addressRule = .publicOnly
        configuration.decodeLimits = DecodeLimits()
        configuration.timeouts.connect = .seconds(5)
        let loader = ImageLoader(configuration)

        var request = ImageRequest(url, filters: [.circle, .roundedCorners(radius: 4)])
        request.headers["Accept"] = "image/*"
        request.targetSize = .fill(width: 32, height: 32)
        request.priority = .high
        request.cachePolicy = .reload
        let task = loader.task(for: request)
        for await event in task.events {
            switch event {
            case .preview(let preview): print(preview.pixelSize)
            case .progress(let progress): print(progress.fraction ?? 0)
            case .finished(let result): print("UseVitrine:", try result.get())
            }
        }
        let image = try await task.image
        let data: Data = try image.encoded(as: .webp, options: EncodeOptions(quality: 70))
        print(RasterFormat(sniffing: data)?.fileExtension ?? "", image.pixelSize.width)

        let composed: any ImageFilter = .composition([.fit(width: 8, height: 8), Mirrored()])
        print(try image.applying(composed).size.width)
        do {
            _ = try await loader.image(from: url.appending(path: "nothing"), filters: .circle)
        } catch {
            switch error.reason {
            case .cancelled, .cacheMiss: print("given up")
            case .status(let code): print(code, error.http?.headers ?? [:])
            case .transport(.timeout(phase: .connect, after: _)): print("slow")
            case .transport(.dns(let host)): print(host)
            case .transport(let failure): print(failure.description)
            case .imaging(.tooLarge(what: .sourcePixels, let found, let limit)): print(found, limit)
            case .imaging(let failure): print(failure.description)
            case .file(let path, let why): print(path.isEmpty, why)
            default: print(error.description)
            }
        }
        try await useMany(loader, request)
        do {
            try await loader.removeAllFromCaches()
            print(try await loader.diskStatistics()?.entries ?? 0)
        } catch {
            // Not `catch .full(…)`: Swift 6.3.1 crashes on such patterns where the rest is thrown on.
            if case .full(let path) = error { print(path) }
        }
    }
}

/// Many pictures, callbacks, prefetching, and the state that a user interface shows.
private func useMany(_ loader: ImageLoader, _ request: ImageRequest) async throws {
    for await element in loader.images(for: [request, request], order: .request, lookAhead: 4) {
        print(element.index, element.request.url.lastPathComponent, try element.image.scale)
    }
    print(await loader.images(from: [request.url]).all().count)
    let task = loader.load(
        request, deliveringOn: .queue(DispatchQueue(label: "results")),
        progress: { print($0.fraction ?? 0) }, completion: { print((try? $0.get()) != nil) })
    _ = try await task.image

    let prefetcher = ImagePrefetcher(loader, to: .memory, maximumActive: 1, priority: .low)
    prefetcher.start([request])
    prefetcher.pause()
    prefetcher.resume()
    await prefetcher.waitUntilIdle()
    prefetcher.stop([request.url])
    print(prefetcher.progress.finished)
    loader.pause()
    loader.resume()
    loader.cancelAll()
    try await showRemote(loader, request)
}

@MainActor private func showRemote(_ loader: ImageLoader, _ request: ImageRequest) async throws {
    let remote = RemoteImage(request, loader: loader)
    remote.load()
    for await state in remote.states {
        switch state {
        case .empty: print("empty")
        case .inProgress(let progress, let preview): print(progress?.received ?? 0, preview == nil)
        case .failure(let error): throw error
        case .success(let response):
            print(response.source)
            return
        }
    }
}

private struct Mirrored: ImageFilter {
    let identifier = "mirrored"

    func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try PixelBuffer(size: frame.size, isOpaque: frame.isOpaque) { bytes in
            for y in 0..<frame.size.height {
                for x in 0..<frame.size.width {
                    guard let pixel = frame[frame.size.width - 1 - x, y] else { continue }
                    let offset = (y * frame.size.width + x) * 4
                    bytes[offset] = pixel.red
                    bytes[offset + 1] = pixel.green
                    bytes[offset + 2] = pixel.blue
                    bytes[offset + 3] = pixel.alpha
                }
            }
        }
    }
}
