import FoundationEssentials

/// What can be shown of a file that is cut short or damaged, or whose end has not arrived yet.
///
/// The formats' decoders need not know of it: it is asked when they have refused a file, or instead of
/// them where a preview is wanted.
enum ReadablePart {
    /// The formats of which a part can be shown.
    static let formats: Set<RasterFormat> = [.jpeg, .png, .gif, .webp, .bmp]

    /// The part that can be read; what is missing is transparent.
    ///
    /// - Throws: ``ImagingError/truncated(format:)`` or ``ImagingError/corrupt(format:reason:)`` if
    ///   there is none, and otherwise what decoding the whole throws.
    static func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        try options.limits.check(bytes: data.count)
        switch format {
        case .gif:
            return try AnimationDecoder().part(
                of: data, format: format, options: options, cancellation)
        case .png, .webp:
            do throws(ImagingError) {
                return try AnimationDecoder().part(
                    of: data, format: format, options: options, cancellation)
            } catch {
                // It has no whole frame, or is no animation.
                guard error.saysThatBytesAreDamaged else { throw error }
            }
            return format == .webp
                ? try WebPStill.part(of: data, options: options, cancellation)
                : try rows(of: data, format, options, cancellation)
        case .jpeg:
            try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
                try JPEGOutline.checkScans(bytes)
            }
            if let image = try scans(of: data, options, cancellation) { return image }
            return try rows(of: data, format, options, cancellation)
        case .bmp:
            return try data.withReader { (bytes) throws(ImagingError) in
                let file = try BMPFile(bytes, limits: options.limits)
                return RasterImage(
                    try file.frame(options, cancellation, acceptsPart: true), info: file.info,
                    scale: options.scale, isComplete: false)
            }
        case .tiff, .heic, .avif, .jpegXL, .jpeg2000, .ico, .xbm, .svg:
            throw .truncated(format: format)
        }
    }

    /// The upper rows, by libvips.
    private static func rows(
        of data: Data, _ format: RasterFormat, _ options: DecodeOptions,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            let loader = try VipsLoader(bytes, format: format, limits: options.limits)
            let frame = try loader.upperRows(options: options, cancellation: cancellation)
            return RasterImage(
                frame, info: loader.info, scale: options.scale, isComplete: false)
        }
    }

    /// A progressive JPEG after the last whole scan before the damage: with an end marker behind that it
    /// is a whole JPEG. Nil if it is not progressive or has no such scan.
    private static func scans(
        of data: Data, _ options: DecodeOptions, _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage? {
        var scans = JPEGScans()
        data.withUnsafeBytes { scans.advance(over: $0) }
        guard scans.kind == .progressive else { return nil }
        // Nearly always all of them; else halving finds the most that can be read.
        var wanted = scans.ends.count
        var (readable, damaged) = (0, wanted + 1)
        var best: RasterImage?
        while wanted > readable {
            do throws(ImagingError) {
                best = try VipsDecoder().decode(
                    data.prefix(scans.ends[wanted - 1]) + [0xFF, 0xD9], format: .jpeg,
                    options: options, cancellation: cancellation)
                readable = wanted
            } catch {
                guard error.saysThatBytesAreDamaged else { throw error }
                damaged = wanted
            }
            wanted = (readable + damaged) / 2
        }
        guard let best else { return nil }
        var info = best.info
        info.byteCount = data.count
        return RasterImage(
            best.posterFrame, info: info, scale: options.scale, isComplete: false)
    }
}

extension RasterImage {
    /// A still picture of which a part may be missing.
    init(_ frame: PixelBuffer, info: ImageInfo, scale: Double, isComplete: Bool) {
        self.init(
            StillSource(posterFrame: frame), scale: scale, info: info, isComplete: isComplete)
    }
}
