import FoundationEssentials
import Glibc

/// A still WebP, decoded by libwebp itself: twice as fast as through libvips, which converts rows one
/// by one.
enum WebPStill {
    static func decode(
        _ data: Data, options: DecodeOptions, cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            let (stored, info, finish) = try plan(bytes, data, options)
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
        if finish.isIdentity {
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
        let size = size(leftFor: finish, stored)
        let count = (size.pixelCount ?? 0) * 4
        guard let memory = malloc(count) else { throw .outOfMemory(bytes: count) }
        defer { free(memory) }
        let pixels = UnsafeMutableRawBufferPointer(start: memory, count: count)
        try WebPCodec.decode(bytes, scaledTo: size, into: pixels, cancellation)
        try cancellation.check()
        return try finish.frame(
            UnsafeRawBufferPointer(pixels), size: size, whole: stored, format: .webp)
    }

    /// The size as stored, the facts, and what is to be done with the pixels; all within the limits.
    private static func plan(
        _ bytes: UnsafeRawBufferPointer, _ data: Data, _ options: DecodeOptions
    ) throws(ImagingError) -> (stored: PixelSize, info: ImageInfo, finish: FrameFinish) {
        let header = try WebPHeader(bytes)
        let info = try header.info(byteCount: bytes.count, limits: options.limits)
        let finish = FrameFinish(
            target: options.targetSize, orientation: info.orientation,
            profile: info.profileCounts ? profile(of: data) : nil, converter: info.converter)
        try options.limits.check(result: finish.size(of: header.size))
        return (header.size, info, finish)
    }

    /// As many rows from the top as can be read; the others stay transparent.
    ///
    /// EXIF data follow the picture (RFC 9649, 2.7), so that a part often shows as it is stored.
    static func part(
        of data: Data, options: DecodeOptions, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            let (stored, info, finish) = try plan(bytes, data, options)
            let canvas = try FrameCanvas(size: size(leftFor: finish, stored))
            try canvas.withUnsafeMutableBytes { (pixels) throws(ImagingError) in
                let (rows, error) = try WebPRows.decode(
                    bytes, scaledTo: canvas.size, into: pixels, cancellation)
                guard rows > 0 else { throw error ?? .truncated(format: .webp) }
                // Rows that are under way may have left something.
                let rest = pixels[rows * canvas.size.width * 4..<pixels.count]
                UnsafeMutableRawBufferPointer(rebasing: rest).initializeMemory(
                    as: UInt8.self, repeating: 0)
            }
            try cancellation.check()
            let frame = try canvas.withUnsafeBytes { (pixels) throws(ImagingError) in
                try finish.frame(pixels, size: canvas.size, whole: stored, format: .webp)
            }
            return RasterImage(frame, info: info, scale: options.scale, isComplete: false)
        }
    }

    /// To what libwebp scales: twice the size that is wanted is left for a good resize.
    private static func size(leftFor finish: FrameFinish, _ stored: PixelSize) -> PixelSize {
        let factor = max(1, finish.factor(of: stored) / 2)
        return PixelSize(
            width: max(1, Int((Double(stored.width) / factor).rounded())),
            height: max(1, Int((Double(stored.height) / factor).rounded())))
    }

    /// The ICC profile, if there is one.
    static func profile(of data: Data) -> Data? {
        data.withUnsafeBytes { bytes in
            guard bytes.begins("VP8X", at: 12) else { return nil }
            var chunks = RIFFChunks(bytes, from: 30, to: bytes.count)
            while let chunk = chunks.next() {
                if chunk.kind == "ICCP" { return Data(bytes[chunk.body]) }
                if chunk.kind == "ANMF" || chunk.kind.hasPrefix("VP8") { return nil }
            }
            return nil
        }
    }
}
