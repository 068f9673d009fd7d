import FoundationEssentials
import Glibc

/// A still WebP, decoded by libwebp itself: twice as fast as through libvips, which converts rows one
/// by one.
enum WebPStill {
    static func decode(_ data: Data, options: DecodeOptions) throws(ImagingError) -> RasterImage {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            let header = try WebPHeader(bytes)
            let stored = header.size
            let info = header.info(byteCount: bytes.count)
            try options.limits.check(source: info.pixelSize, frames: 1)
            var finish = FrameFinish(target: options.targetSize, orientation: info.orientation)
            if info.profileCounts { finish.profile = profile(of: data) }
            finish.converter = info.converter
            try options.limits.check(result: finish.size(of: stored))
            guard FileOutline(of: bytes, format: .webp).end != .missing else {
                throw .truncated(format: .webp)
            }
            let frame = try frame(bytes, stored, finish)
            return RasterImage(frame, info: info, scale: options.scale)
        }
    }

    private static func frame(
        _ bytes: UnsafeRawBufferPointer, _ stored: PixelSize, _ finish: FrameFinish
    ) throws(ImagingError) -> PixelBuffer {
        if finish.isIdentity {
            do {
                return try PixelBuffer(size: stored) { memory in
                    try WebPCodec.decode(bytes, scaledTo: stored, into: memory)
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
        try WebPCodec.decode(bytes, scaledTo: size, into: pixels)
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
