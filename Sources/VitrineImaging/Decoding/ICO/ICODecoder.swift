public import FoundationEssentials

/// Decodes ICO and CUR: the largest picture in it, the deepest of equals, or the one that fits a target
/// size best; each may be a bitmap with a mask, one with an alpha channel, or a PNG.
///
/// Pure Swift over checked bytes, but for a PNG inside. The mask of a bitmap of 32 bits counts only if
/// its alpha channel is empty. What a mask would invert is transparent.
public struct ICODecoder: ImageDecoder {
    /// A decoder; it has no state.
    public init() {}

    /// ICO, which stands for CUR too.
    public var formats: Set<RasterFormat> { [.ico] }

    /// Reads the directory and the header of each picture; the information is that of the largest.
    public func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try data.withReader { (bytes) throws(ImagingError) in
            try Self.read(bytes, limits: limits).info
        }
    }

    /// Decodes one of the pictures.
    public func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        return try data.withReader { (bytes) throws(ImagingError) in
            let (directory, info) = try Self.read(bytes, limits: options.limits)
            let plan = try options.checkedPlan(for: info.pixelSize)
            let entry =
                options.targetSize == nil
                ? directory.largest : directory.best(for: plan.resized)
            let frame = try Self.frame(entry, bytes, options, cancellation)
            // The size is that of the largest picture brought to the target, whichever is taken.
            var exact = ResizePlan(exactly: plan.result, source: frame.size)
            if case .fill(let width, let height) = options.targetSize {
                exact = ResizePlan(.fill(width: width, height: height), source: frame.size)
            }
            return RasterImage(
                try frame.resized(by: exact, of: .ico), info: info, scale: options.scale)
        }
    }

    private static func read(
        _ bytes: ByteReader, limits: DecodeLimits
    ) throws(ImagingError) -> (directory: IconDirectory, info: ImageInfo) {
        try limits.check(bytes: bytes.count)
        let directory = try IconDirectory(bytes)
        let largest = directory.largest
        var info = ImageInfo(
            format: .ico, pixelSize: largest.size, hasAlpha: true,
            bitsPerSample: largest.depth <= 8 ? largest.depth : largest.depth == 64 ? 16 : 8,
            byteCount: bytes.count)
        info.colorModel = largest.depth <= 8 ? .palette : .rgb
        try limits.check(source: info.pixelSize, frames: 1)
        return (directory, info)
    }

    private static func frame(
        _ entry: IconDirectory.Entry, _ bytes: ByteReader, _ options: DecodeOptions,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> PixelBuffer {
        try options.limits.check(source: entry.size, frames: 1)
        guard let data = bytes.part(at: entry.offset, count: entry.length) else {
            throw .truncated(format: .ico)
        }
        guard entry.isPNG else {
            do throws(ImagingError) { return try IconBitmap(data).drawn(cancellation) } catch {
                throw Self.error(error)
            }
        }
        let picture = try EmbeddedPicture(.png, data, in: .ico, limits: options.limits)
        return try picture.frame(DecodeOptions(limits: options.limits), cancellation)
    }

    /// An error of a bitmap as one of the icon around it.
    static func error(_ error: ImagingError) -> ImagingError {
        switch error {
        case .truncated(.bmp): .truncated(format: .ico)
        case .corrupt(.bmp, let reason): .corrupt(format: .ico, reason: reason)
        case .unsupportedFormat: .corrupt(format: .ico, reason: "the bitmap in it is compressed")
        default: error
        }
    }
}
