import FoundationEssentials

/// Decodes GIF, animated PNG and animated WebP; still PNG goes on to libvips.
struct AnimationDecoder: ImageDecoder {
    private let still = VipsDecoder()

    var formats: Set<RasterFormat> { [.gif, .png, .webp] }

    func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try limits.check(bytes: data.count)
        guard let outline = try outline(of: data, format, limits) else {
            return try still.probe(data, format: format, limits: limits)
        }
        return try info(data, format, outline, limits)
    }

    func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        try options.limits.check(bytes: data.count)
        guard let outline = try outline(of: data, format, options.limits) else {
            return format == .webp
                ? try WebPStill.decode(data, options: options)
                : try still.decode(data, format: format, options: options)
        }
        let info = try info(data, format, outline, options.limits)
        var finish = FrameFinish(target: options.targetSize, orientation: info.orientation)
        try options.limits.check(result: finish.size(of: outline.canvas))
        let end = data.withUnsafeBytes { FileOutline(of: $0, format: format).end }
        guard end != .missing else { throw .truncated(format: format) }
        if format == .webp, info.hasColorProfile { finish.profile = WebPStill.profile(of: data) }
        let file = AnimationFile(
            format: format, bytes: data, outline: outline,
            codec: codec(for: format, options.limits), finish: finish)
        let poster = try Self.poster(file)
        guard outline.frameCount > 1, options.frames == .all else {
            return RasterImage(poster, info: info, scale: options.scale)
        }
        let source = AnimationSource(
            file, posterFrame: poster, memory: options.animationMemory)
        return RasterImage(source, scale: options.scale, info: info)
    }

    private static func poster(_ file: AnimationFile) throws(ImagingError) -> PixelBuffer {
        let reader = try FrameReader(file)
        try reader.advance()
        do { return try reader.snapshot() } catch let error as ImagingError { throw error } catch {
            throw .corrupt(format: file.format, reason: "\(error)")
        }
    }

    /// The structure of an animation; nil if this is none.
    private func outline(
        of data: Data, _ format: RasterFormat, _ limits: DecodeLimits
    ) throws(ImagingError) -> AnimationOutline? {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            switch format {
            case .png:
                return try AnimationOutline(png: bytes, storing: limits.maximumFrames)
            case .webp:
                return try AnimationOutline(webp: bytes, storing: limits.maximumFrames)
            default:
                guard let outline = AnimationOutline(gif: bytes, storing: limits.maximumFrames)
                else { throw .truncated(format: .gif) }
                guard outline.frameCount > 0 else {
                    let end = FileOutline(of: bytes, format: .gif).end
                    throw end == .missing
                        ? .truncated(format: .gif)
                        : .corrupt(format: .gif, reason: "it has no picture")
                }
                return outline
            }
        }
    }

    private func codec(for format: RasterFormat, _ limits: DecodeLimits) -> any FrameCodec {
        switch format {
        case .png: PNGCodec()
        case .webp: WebPCodec()
        default: GIFCodec(limits: limits)
        }
    }

    private func info(
        _ data: Data, _ format: RasterFormat, _ outline: AnimationOutline, _ limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        guard outline.canvas.pixelCount != nil else {
            throw .corrupt(format: format, reason: "it has no size")
        }
        try limits.check(source: outline.canvas, frames: outline.frameCount)
        try limits.check(animation: outline.canvas, frames: outline.frameCount)
        guard format == .gif else {
            var info = try still.probe(data, format: format, limits: limits)
            info.frameCount = outline.frameCount
            outline.describe(&info)
            return info
        }
        var info = ImageInfo(
            format: .gif, pixelSize: outline.canvas, frameCount: outline.frameCount,
            hasAlpha: outline.hasAlpha, byteCount: data.count)
        info.colorModel = .palette
        // The flags of the first frame's descriptor (GIF89a, 20).
        if let first = outline.frames.first {
            info.isProgressive = data.withUnsafeBytes {
                (ByteReader($0)[first.payload.lowerBound + 9] & 0x40) != 0
            }
        }
        outline.describe(&info)
        return info
    }
}
