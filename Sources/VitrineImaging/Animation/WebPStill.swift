import FoundationEssentials
import Glibc

/// A still WebP, decoded by libwebp itself: twice as fast as through libvips, which converts rows one
/// by one.
enum WebPStill {
    static func decode(
        _ data: Data, options: DecodeOptions, cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        let info = try VipsDecoder().probe(data, format: .webp, limits: options.limits)
        var finish = FrameFinish(target: options.targetSize, orientation: info.orientation)
        if info.hasColorProfile { finish.profile = profile(of: data) }
        return try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            guard let stored = WebPCodec.size(of: bytes) else {
                throw .corrupt(format: .webp, reason: "its header is invalid")
            }
            try options.limits.check(result: finish.size(of: stored))
            guard FileOutline(of: bytes, format: .webp).end != .missing else {
                throw .truncated(format: .webp)
            }
            let frame = try frame(bytes, stored, finish, cancellation)
            return RasterImage(frame, info: info, scale: options.scale)
        }
    }

    private static func frame(
        _ bytes: UnsafeRawBufferPointer, _ stored: PixelSize, _ finish: FrameFinish,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> PixelBuffer {
        if finish.target == nil, finish.orientation == 1, finish.profile == nil {
            do {
                return try PixelBuffer(size: stored) { memory in
                    try WebPCodec.decode(bytes, scaledTo: stored, into: memory, cancellation)
                }
            } catch let error as ImagingError {
                throw error
            } catch {
                throw .corrupt(format: .webp, reason: "\(error)")
            }
        }
        // Twice the size that is wanted is left for a good resize.
        let factor = max(1, finish.factor(of: stored) / 2)
        let size = PixelSize(
            width: max(1, Int((Double(stored.width) / factor).rounded())),
            height: max(1, Int((Double(stored.height) / factor).rounded())))
        let count = (size.pixelCount ?? 0) * 4
        guard let memory = malloc(count) else { throw .outOfMemory(bytes: count) }
        defer { free(memory) }
        let pixels = UnsafeMutableRawBufferPointer(start: memory, count: count)
        try WebPCodec.decode(bytes, scaledTo: size, into: pixels, cancellation)
        try cancellation.check()
        return try finish.frame(
            UnsafeRawBufferPointer(pixels), size: size, whole: stored, format: .webp)
    }

    /// The ICC profile, if there is one.
    static func profile(of data: Data) -> Data? {
        data.withUnsafeBytes { bytes in
            guard bytes.begins("VP8X", at: 12) else { return nil }
            var chunks = RIFFChunks(bytes, 30..<bytes.count)
            while let chunk = chunks.next() {
                if chunk.kind == "ICCP" { return Data(bytes[chunk.body]) }
                if chunk.kind == "ANMF" || chunk.kind.hasPrefix("VP8") { return nil }
            }
            return nil
        }
    }
}
