public import FoundationEssentials

/// Decodes XBM, the bitmaps of the X Window System, as X11 writes them and as X10 did.
///
/// Pure Swift over checked bytes. Set bits are black and others transparent, as browsers showed it. The
/// hot spot of a cursor is ignored.
public struct XBMDecoder: ImageDecoder {
    /// A decoder; it has no state.
    public init() {}

    /// XBM alone.
    public var formats: Set<RasterFormat> { [.xbm] }

    /// Reads the text before the values.
    public func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try data.withReader { (bytes) throws(ImagingError) in
            try XBMFile(bytes, limits: limits).info
        }
    }

    /// Decodes the picture; the size is checked before there is memory for pixels.
    public func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        return try data.withReader { (bytes) throws(ImagingError) in
            let file = try XBMFile(bytes, limits: options.limits)
            let plan = try options.checkedPlan(for: file.info.pixelSize)
            let frame = try file.drawn(cancellation).resized(by: plan, of: .xbm)
            return RasterImage(frame, info: file.info, scale: options.scale)
        }
    }
}
