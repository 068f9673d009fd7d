public import FoundationEssentials

/// Makes previews of a picture whose bytes are still arriving.
///
/// ```swift
/// var decoder = IncrementalDecoder(options: DecodeOptions(targetSize: .maximum(400)))
/// for try await chunk in response.body {
///     decoder.append(chunk)
///     if let preview = try decoder.preview() { show(preview) }
/// }
/// ```
///
/// Progressive JPEG (ITU-T T.81) gives one after each of its scans, the first usually with a tenth of
/// the bytes. Baseline JPEG, PNG that is not interlaced, WebP and BMP give the rows that are there, again
/// whenever a quarter more bytes have come; GIF, animated PNG and animated WebP their first frame. What
/// is missing is transparent. Of other files no preview is made, and none of their bytes are kept. The final
/// picture is decoded from the whole, by ``RasterImage/init(decoding:options:cancellation:)``.
public struct IncrementalDecoder: Sendable {
    private let options: DecodeOptions
    private var picture: ArrivingPicture

    /// A decoder that has seen nothing; every preview meets the options.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
        picture = ArrivingPicture(limits: options.limits)
    }

    /// Takes the next bytes. Looks at each once; decodes nothing.
    public mutating func append(_ chunk: Data) { picture.append(chunk) }

    /// Whether ``preview(cancellation:)`` is likely to give a better picture than the last one.
    public var hasPreview: Bool { picture.hasNews }

    /// The picture as far as it can be shown, if that is further than the last time; a still one, whose
    /// ``RasterImage/isComplete`` is false.
    ///
    /// Blocks for as long as decoding takes: about as long as what has come at the same target size. Only
    /// the newest state is made, so that a caller who is slower than the bytes is never behind.
    ///
    /// - Throws: ``ImagingError``, as decoding the whole would.
    public mutating func preview(
        cancellation: DecodeCancellation = DecodeCancellation()
    ) throws(ImagingError) -> RasterImage? {
        try picture.takePart()?.decode(options: options, cancellation: cancellation)
    }
}
