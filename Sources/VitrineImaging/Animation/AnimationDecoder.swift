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
            return try header(of: data, format, limits)
        }
        return try info(data, format, outline, limits)
    }

    func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        try options.limits.check(bytes: data.count)
        guard let outline = try outline(of: data, format, options.limits) else {
            return format == .webp
                ? try WebPStill.decode(data, options: options, cancellation: cancellation)
                : try still.decode(
                    data, format: format, options: options, cancellation: cancellation)
        }
        let end = data.withUnsafeBytes { FileOutline(of: $0, format: format).end }
        guard end != .missing else { throw .truncated(format: format) }
        return try image(
            data, format, outline, codec(for: format, options.limits), options, cancellation)
    }

    /// The whole frames of an animation that is cut short or damaged, or the upper rows of the first
    /// frame of a GIF.
    ///
    /// - Throws: ``ImagingError/truncated(format:)`` also if this is no animation.
    func part(
        of data: Data, format: RasterFormat, options: DecodeOptions,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        guard let outline = try outline(of: data, format, options.limits, acceptsPart: true),
            outline.frameCount > 0
        else { throw .truncated(format: format) }
        let codec = codec(for: format, options.limits, acceptsPart: true)
        return try image(
            data, format, outline, codec, options, cancellation, isComplete: false)
    }

    private func image(
        _ data: Data, _ format: RasterFormat, _ outline: AnimationOutline, _ codec: any FrameCodec,
        _ options: DecodeOptions, _ cancellation: DecodeCancellation, isComplete: Bool = true
    ) throws(ImagingError) -> RasterImage {
        let info = try info(data, format, outline, options.limits)
        var finish = FrameFinish(target: options.targetSize, orientation: info.orientation)
        try options.limits.check(result: finish.size(of: outline.canvas))
        if format == .webp {
            if info.profileCounts { finish.profile = WebPStill.profile(of: data) }
            finish.converter = info.converter
        }
        let file = AnimationFile(
            format: format, bytes: data, outline: outline, codec: codec, finish: finish)
        return try file.image(
            info: info, options: options, cancellation: cancellation, isComplete: isComplete)
    }

    /// The structure of an animation; nil if this is none.
    private func outline(
        of data: Data, _ format: RasterFormat, _ limits: DecodeLimits, acceptsPart: Bool = false
    ) throws(ImagingError) -> AnimationOutline? {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            switch format {
            case .png:
                return try AnimationOutline(
                    png: bytes, storing: limits.maximumFrames, acceptsPart: acceptsPart)
            case .webp:
                return try AnimationOutline(webp: bytes, storing: limits.maximumFrames)
            default:
                guard
                    let outline = AnimationOutline(
                        gif: bytes, storing: limits.maximumFrames, acceptsPart: acceptsPart)
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

    /// What the chunks of a PNG or WebP say; libvips takes 20 times as long for that, and is not started.
    private func header(
        of data: Data, _ format: RasterFormat, _ limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            format == .png
                ? try PNGHeader(bytes).info(bytes, limits: limits)
                : try WebPHeader(bytes).info(byteCount: bytes.count, limits: limits)
        }
    }

    private func codec(
        for format: RasterFormat, _ limits: DecodeLimits, acceptsPart: Bool = false
    ) -> any FrameCodec {
        switch format {
        case .png: PNGCodec()
        case .webp: WebPCodec()
        default: GIFCodec(limits: limits, acceptsPart: acceptsPart)
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
            var info = try header(of: data, format, limits)
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
