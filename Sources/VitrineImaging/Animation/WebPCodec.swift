import CWebP
import Glibc

/// Pictures and frames of WebP, decoded by libwebp itself.
struct WebPCodec: FrameCodec, FrameDrawer {
    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) {
        let size = PixelSize(width: frame.width, height: frame.height)
        let payload = UnsafeRawBufferPointer(rebasing: bytes[frame.payload])
        guard try Self.size(of: payload) == size else {
            throw .corrupt(format: .webp, reason: "a frame has the wrong size")
        }
        let count = frame.width * frame.height * 4
        guard let memory = malloc(count) else { throw .outOfMemory(bytes: count) }
        defer { free(memory) }
        let pixels = UnsafeMutableRawBufferPointer(start: memory, count: count)
        try Self.decode(payload, scaledTo: size, into: pixels, cancellation)
        canvas.draw(UnsafeRawBufferPointer(pixels), frame)
    }

    /// The size of a still picture or of a frame's bitstream; nil if its header is invalid.
    static func size(of bytes: UnsafeRawBufferPointer) throws(ImagingError) -> PixelSize? {
        try features(of: bytes)?.size
    }

    /// The same, or the size of an animation, and whether it has alpha.
    static func features(
        of bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) -> (size: PixelSize, hasAlpha: Bool)? {
        // Whoever decodes asks for this first.
        guard cwebp_load() != nil else {
            throw .engineUnavailable(reason: "libwebp, which decodes WebP, is not installed")
        }
        var features = WebPBitstreamFeatures()
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard cwebp_features(start, bytes.count, &features) == VP8_STATUS_OK else { return nil }
        let size = PixelSize(width: Int(features.width), height: Int(features.height))
        return (size, features.has_alpha != 0)
    }

    /// Decodes a still picture or a frame's bitstream, scaled to `size`, as straight RGBA; `memory` has
    /// exactly that size.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, scaledTo size: PixelSize,
        into memory: UnsafeMutableRawBufferPointer, _ cancellation: DecodeCancellation
    ) throws(ImagingError) {
        let (rows, error) = try WebPRows.decode(
            bytes, scaledTo: size, into: memory, cancellation)
        if let error { throw error }
        guard rows == size.height else {
            throw .corrupt(format: .webp, reason: "the data of a picture are incomplete")
        }
    }
}
