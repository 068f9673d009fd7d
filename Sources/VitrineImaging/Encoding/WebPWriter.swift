import CWebP
import FoundationEssentials

/// Writes an animated WebP by means of libwebpmux, which finds out what changes between frames.
final class WebPWriter {
    /// The longest that a frame may show (RFC 9649, 2.7.1.3): 24 bits of milliseconds.
    private static let longest = 0xFF_FFFF

    private let encoder: OpaquePointer
    private let size: PixelSize
    private var config: WebPConfig
    private var time = 0

    init(size: PixelSize, loopCount: Int?, options: EncodeOptions) throws(ImagingError) {
        guard cwebp_load() != nil, cwebp_load_mux() != nil else {
            throw .engineUnavailable(
                reason: "libwebpmux, which writes animated WebP, is not installed")
        }
        var settings = WebPAnimEncoderOptions()
        var config = WebPConfig()
        guard cwebp_init_animation(&settings) != 0, cwebp_init_encoder(&config) != 0 else {
            throw .encodingFailed(
                format: .webp, reason: "libwebp has another version than its header")
        }
        settings.anim_params.loop_count = loopCount.map { Int32(clamping: min($0, 65_535)) } ?? 0
        settings.anim_params.bgcolor = 0
        config.lossless = options.lossless ? 1 : 0
        // Of lossless files this is the effort too.
        config.quality = Float(options.lossless ? 75 : options.quality(for: .webp))
        config.method = Int32(options.effort(6, of: 6))
        guard
            let encoder = cwebp_new_animation(
                Int32(clamping: size.width), Int32(clamping: size.height), &settings)
        else { throw .encodingFailed(format: .webp, reason: "there is no memory for it") }
        self.encoder = encoder
        self.size = size
        self.config = config
    }

    deinit { cwebpAnimEncoderDelete()(encoder) }

    func add(_ frame: PixelBuffer, duration: Duration) throws(ImagingError) {
        guard frame.size == size else {
            throw .encodingFailed(format: .webp, reason: "its frames differ in size")
        }
        var picture = WebPPicture()
        guard cwebp_init_picture(&picture) != 0 else { throw failure() }
        defer { cwebpPictureFree()(&picture) }
        picture.use_argb = 1
        picture.width = Int32(clamping: size.width)
        picture.height = Int32(clamping: size.height)
        let isDone = frame.withUnsafeBytes { pixels in
            cwebpPictureImportRGBA()(
                &picture, pixels.bindMemory(to: UInt8.self).baseAddress,
                Int32(clamping: size.width * 4)) != 0
                && cwebpAnimEncoderAdd()(encoder, &picture, Int32(clamping: time), &config) != 0
        }
        guard isDone else { throw failure() }
        time += min(duration.count(ofMilliseconds: 1), Self.longest)
        guard time <= Int32.max else {
            throw .encodingFailed(format: .webp, reason: "it plays longer than 24 days")
        }
    }

    func finish() throws(ImagingError) -> Data {
        var file = WebPData()
        defer { cwebpFree()(UnsafeMutableRawPointer(mutating: file.bytes)) }
        guard cwebpAnimEncoderAdd()(encoder, nil, Int32(clamping: time), nil) != 0,
            cwebpAnimEncoderAssemble()(encoder, &file) != 0
        else { throw failure() }
        return Data(UnsafeRawBufferPointer(start: file.bytes, count: file.size))
    }

    private func failure() -> ImagingError {
        let reason = cwebpAnimEncoderGetError()(encoder).map { String(cString: $0) } ?? ""
        return .encodingFailed(
            format: .webp, reason: reason.isEmpty ? "libwebp does not say why" : reason)
    }
}
