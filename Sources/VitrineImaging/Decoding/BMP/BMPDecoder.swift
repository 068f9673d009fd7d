public import FoundationEssentials

/// Decodes BMP: 1, 2, 4, 8, 16, 24, 32 and 64 bits a pixel, bit fields, run lengths, every version of
/// the header, and JPEG or PNG inside.
///
/// Pure Swift over checked bytes, but for what is embedded. An alpha channel counts if the header has
/// a mask for it and any pixel is not transparent, as browsers hold it; pixels that runs skip are
/// transparent. An embedded colour profile is applied; a linked one is not looked for.
public struct BMPDecoder: ImageDecoder {
    /// A decoder; it has no state.
    public init() {}

    /// BMP alone.
    public var formats: Set<RasterFormat> { [.bmp] }

    /// Reads the headers: no more than 150 bytes, unless a JPEG or PNG is inside.
    public func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try data.withReader { (bytes) throws(ImagingError) in
            try BMPFile(bytes, limits: limits).info
        }
    }

    /// Decodes the picture; the size is checked before there is memory for pixels.
    public func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        return try data.withReader { (bytes) throws(ImagingError) in
            let file = try BMPFile(bytes, limits: options.limits)
            let frame = try file.frame(options, cancellation)
            return RasterImage(frame, info: file.info, scale: options.scale)
        }
    }
}
