import Vitrine

/// What a program names of `Vitrine`, with no other import.
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
        do {
            try await loader.removeAllFromCaches()
            print(try await loader.diskStatistics()?.entries ?? 0)
        } catch {
            // Not `catch .full(…)`: Swift 6.3.1 crashes on such patterns where the rest is thrown on.
            if case .full(let path) = error { print(path) }
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
