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

    /// As many rows from the top as can be read; the others stay transparent.
    static func part(
        of data: Data, options: DecodeOptions, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        let info = try info(ofPart: data, limits: options.limits)
        var finish = FrameFinish(target: options.targetSize, orientation: info.orientation)
        if info.hasColorProfile { finish.profile = profile(of: data) }
        let frame = try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            guard let stored = WebPCodec.size(of: bytes) else {
                throw .corrupt(format: .webp, reason: "its header is invalid")
            }
            try options.limits.check(result: finish.size(of: stored))
            let canvas = try FrameCanvas(size: size(leftFor: finish, stored))
            let result = canvas.withUnsafeMutableBytes { pixels in
                Result { () throws(ImagingError) in
                    let (rows, error) = try WebPRows.decode(
                        bytes, scaledTo: canvas.size, into: pixels, cancellation)
                    guard rows > 0 else { throw error ?? .truncated(format: .webp) }
                    // Rows that are under way may have left something.
                    let rest = pixels[rows * canvas.size.width * 4..<pixels.count]
                    UnsafeMutableRawBufferPointer(rebasing: rest).initializeMemory(
                        as: UInt8.self, repeating: 0)
                }
            }
            try result.get()
            try cancellation.check()
            return try canvas.withUnsafeBytes { (pixels) throws(ImagingError) in
                try finish.frame(pixels, size: canvas.size, whole: stored, format: .webp)
            }
        }
        return RasterImage(frame, info: info, scale: options.scale, isComplete: false)
    }

    /// What the beginning of a file tells, still or animated: libvips tells nothing before it has the
    /// whole.
    ///
    /// EXIF data follow the picture (RFC 9649, 2.7), so that a part shows as it is stored.
    static func info(
        ofPart data: Data, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        do throws(ImagingError) {
            return try VipsDecoder().probe(data, format: .webp, limits: limits)
        } catch {
            guard error.saysThatBytesAreDamaged else { throw error }
        }
        guard let features = data.withUnsafeBytes({ WebPCodec.features(of: $0) }) else {
            throw .truncated(format: .webp)
        }
        let info = ImageInfo(
            format: .webp, pixelSize: features.size, hasAlpha: features.hasAlpha,
            hasColorProfile: profile(of: data) != nil, byteCount: data.count)
        try limits.check(source: info.pixelSize, frames: 1)
        return info
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
