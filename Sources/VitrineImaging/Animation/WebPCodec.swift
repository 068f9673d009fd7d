import CWebP
import Glibc

/// Pictures and frames of WebP, decoded by libwebp itself.
struct WebPCodec: FrameCodec, FrameDrawer {
    func draw(
        _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer, on canvas: FrameCanvas
    ) throws(ImagingError) {
        let size = PixelSize(width: frame.width, height: frame.height)
        let payload = UnsafeRawBufferPointer(rebasing: bytes[frame.payload])
        guard Self.size(of: payload) == size else {
            throw .corrupt(format: .webp, reason: "a frame has the wrong size")
        }
        let count = frame.width * frame.height * 4
        guard let memory = malloc(count) else { throw .outOfMemory(bytes: count) }
        defer { free(memory) }
        let pixels = UnsafeMutableRawBufferPointer(start: memory, count: count)
        try Self.decode(payload, scaledTo: size, into: pixels)
        canvas.draw(UnsafeRawBufferPointer(pixels), frame)
    }

    /// The size of a still picture or of a frame's bitstream; nil if its header is invalid.
    static func size(of bytes: UnsafeRawBufferPointer) -> PixelSize? {
        var width: Int32 = 0
        var height: Int32 = 0
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard WebPGetInfo(start, bytes.count, &width, &height) != 0 else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// The size of a still picture, and whether it can be transparent; nil if its header is invalid.
    static func features(of bytes: UnsafeRawBufferPointer) -> (PixelSize, hasAlpha: Bool)? {
        var features = WebPBitstreamFeatures()
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard WebPGetFeatures(start, bytes.count, &features) == VP8_STATUS_OK else { return nil }
        return (
            PixelSize(width: Int(features.width), height: Int(features.height)),
            features.has_alpha != 0
        )
    }

    /// Decodes a still picture or a frame's bitstream, scaled to `size`, as straight RGBA; `memory` has
    /// exactly that size.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, scaledTo size: PixelSize,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(ImagingError) {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else {
            throw .engineUnavailable(reason: "libwebp has another version than its header")
        }
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = memory.bindMemory(to: UInt8.self).baseAddress
        config.output.u.RGBA.stride = Int32(clamping: size.width * 4)
        config.output.u.RGBA.size = memory.count
        if size != Self.size(of: bytes) {
            config.options.use_scaling = 1
            config.options.scaled_width = Int32(clamping: size.width)
            config.options.scaled_height = Int32(clamping: size.height)
        }
        let status = WebPDecode(
            bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &config)
        WebPFreeDecBuffer(&config.output)
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(bytes: memory.count)
        case VP8_STATUS_NOT_ENOUGH_DATA:
            throw .corrupt(format: .webp, reason: "the data of a picture are incomplete")
        default: throw .corrupt(format: .webp, reason: "the data of a picture are invalid")
        }
    }
}
