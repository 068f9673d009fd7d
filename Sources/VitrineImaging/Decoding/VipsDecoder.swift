public import FoundationEssentials

/// Decodes by means of libvips.
///
/// The loader is chosen by the first bytes, never by libvips' own guess, which would hand some files
/// to ImageMagick; ImageMagick stays blocked for the whole process.
public struct VipsDecoder: ImageDecoder {
    /// A decoder; it has no state.
    public init() {}

    /// Those of ``RasterFormat`` that the installed libvips was built with, among those that are left
    /// to it; starts libvips.
    public var formats: Set<RasterFormat> {
        let isRunning = (try? VipsRuntime.start()) != nil
        return Set(
            RasterFormat.allCases.filter { format in
                guard let operation = VipsLoader.operation(for: format) else { return false }
                return !isRunning || VipsRuntime.has(operation, of: format)
            })
    }

    /// Reads the header; see ``ImageInfo/init(probing:limits:)``.
    public func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try Self.borrow(data) { (bytes) throws(ImagingError) in
            try VipsLoader(bytes, format: format, limits: limits).info
        }
    }

    /// Decodes the first frame; see ``RasterImage/init(decoding:options:cancellation:)``.
    public func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        return try Self.borrow(data) { (bytes) throws(ImagingError) in
            let loader = try VipsLoader(bytes, format: format, limits: options.limits)
            if format == .jpeg { try JPEGOutline.checkScans(bytes) }
            let frame = try loader.frame(options: options, cancellation: cancellation)
            return RasterImage(frame, info: loader.info, scale: options.scale)
        }
    }

    /// The bytes in place: libvips reads them where they are.
    static func borrow<R>(
        _ data: Data, _ body: (UnsafeRawBufferPointer) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        let result = data.withUnsafeBytes { bytes -> Result<R, ImagingError> in
            do throws(ImagingError) { return .success(try body(bytes)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
