public import FoundationEssentials

/// Turns the bytes of some formats into pictures.
///
/// Its methods block; they are called off the main thread and off Swift's cooperative pool.
public protocol ImageDecoder: Sendable {
    /// The formats that it can decode in this process.
    var formats: Set<RasterFormat> { get }

    /// Reads the header of `data`, which begins like `format`, and holds it against `limits`.
    func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo

    /// Decodes `data`, which begins like `format`: upright, in sRGB, with the size that `options` ask
    /// for. Asks `cancellation` for each row that it makes, or as often as it can.
    func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions, cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage
}

extension ImageDecoder {
    /// Decodes without a way to stop it.
    public func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions
    ) throws(ImagingError) -> RasterImage {
        try decode(data, format: format, options: options, cancellation: DecodeCancellation())
    }
}
