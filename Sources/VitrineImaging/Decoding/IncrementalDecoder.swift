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
/// the bytes. Of other files no preview is made, and none of their bytes are kept. The final picture
/// is decoded from the whole, by ``RasterImage/init(decoding:options:)``.
public struct IncrementalDecoder: Sendable {
    private let options: DecodeOptions
    private var bytes = Data()
    private var scans = JPEGScans()
    private var shown = 0

    /// A decoder that has seen nothing; every preview meets the options.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
    }

    /// Takes the next bytes. Looks at each once; decodes nothing.
    public mutating func append(_ chunk: Data) {
        guard scans.kind != .other else { return }
        bytes.append(chunk)
        bytes.withUnsafeBytes { scans.advance(over: $0) }
        if scans.kind == .other || bytes.count > options.limits.maximumBytes { bytes = Data() }
    }

    /// Whether ``preview()`` would give a better picture than the last one.
    public var hasPreview: Bool { scans.complete > shown && !bytes.isEmpty }

    /// The picture as far as it can be shown, if that is further than the last time.
    ///
    /// Blocks for as long as decoding takes: about as long as the whole at the same target size. If
    /// several scans have come since the last time, only the newest state is made, so that a caller
    /// who is slower than the bytes is never behind.
    ///
    /// - Throws: ``ImagingError``, as decoding the whole would.
    public mutating func preview() throws(ImagingError) -> RasterImage? {
        guard hasPreview else { return nil }
        shown = scans.complete
        // With an end marker behind it, the part is a whole JPEG of fewer scans.
        let part = bytes.prefix(scans.completeLength) + [0xFF, 0xD9]
        return try RasterImage(decoding: part, options: options)
    }
}
