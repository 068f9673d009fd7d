public import FoundationEssentials

/// A decoded picture: upright, 8-bit RGBA, sRGB.
///
/// A value over frames that all its copies share, so that copying it costs nothing.
///
/// ```swift
/// let image = try RasterImage(decoding: data, options: DecodeOptions(targetSize: .maximum(800)))
/// let avatar = try image.applying(.fill(width: 100, height: 100), .circle)
/// let png = try avatar.encoded(as: .png)
/// ```
public struct RasterImage: Sendable {
    private let source: any FrameSource

    /// Pixels for each point.
    public let scale: Double
    /// What the file was from which the picture came. For a picture made from pixels: what it would be
    /// as a PNG file, with a `byteCount` of 0.
    public let info: ImageInfo

    package init(_ source: any FrameSource, scale: Double, info: ImageInfo) {
        self.source = source
        self.scale = scale.isFinite && scale > 0 ? scale : 1
        self.info = info
    }

    /// Decodes a file of any ``RasterFormat``.
    ///
    /// Blocks for as long as decoding takes, so call it off the main thread and off Swift's
    /// cooperative pool. The bytes are borrowed, not copied. Of an animation the first frame is
    /// decoded; `info.frameCount` says how many the file has.
    ///
    /// - Throws: ``ImagingError`` for what is no picture, truncated, corrupt, beyond the limits or of
    ///   a format that cannot be decoded. Nothing partial is returned.
    public init(
        decoding data: Data, options: DecodeOptions = DecodeOptions()
    ) throws(ImagingError) {
        let (decoder, format) = try DecoderRegistry.standard.decoder(for: data)
        self = try decoder.decode(data, format: format, options: options)
    }

    /// A still picture from pixels; a scale that is no positive number counts as 1.
    public init(_ frame: PixelBuffer, scale: Double = 1) {
        self.init(
            frame,
            info: ImageInfo(
                format: .png, pixelSize: frame.size, hasAlpha: !frame.isOpaque, byteCount: 0),
            scale: scale)
    }

    /// A still picture from pixels and what is known of their file, for a decoder of one's own.
    public init(_ frame: PixelBuffer, info: ImageInfo, scale: Double = 1) {
        self.init(StillSource(posterFrame: frame), scale: scale, info: info)
    }

    /// The first frame.
    public var posterFrame: PixelBuffer { source.posterFrame }

    /// The frames that this picture holds; at least 1.
    public var frameCount: Int { source.durations.count }

    /// How long each frame shows, one entry a frame; zero for a still.
    public var durations: [Duration] { source.durations }

    /// How often the frames are played: nil is for ever, 1 for a still.
    public var loopCount: Int? { source.loopCount }

    /// Width and height in pixels.
    public var pixelSize: PixelSize { source.posterFrame.size }

    /// Width and height in points: pixels divided by ``scale``.
    public var size: PointSize {
        PointSize(
            width: Double(pixelSize.width) / scale, height: Double(pixelSize.height) / scale)
    }

    /// True if every pixel of the first frame is opaque.
    public var isOpaque: Bool { source.posterFrame.isOpaque }

    /// Bytes that the picture holds in memory.
    public var cost: Int { source.cost }

    /// The frame at `index`, counted from 0; of a still the only one, at once.
    ///
    /// - Throws: ``ImagingError/frameOutOfRange(index:count:)``.
    public func frame(at index: Int) async throws -> PixelBuffer {
        guard source.durations.indices.contains(index) else {
            throw ImagingError.frameOutOfRange(index: index, count: frameCount)
        }
        return try await source.frame(at: index)
    }

    /// This picture with the filters applied one after the other.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool.
    ///
    /// - Throws: `ImagingError` and `CancellationError` as the filters throw them; any other error
    ///   as ``ImagingError/filterFailed(identifier:reason:)``.
    public func applying(_ filters: [any ImageFilter]) throws -> RasterImage {
        guard !filters.isEmpty else { return self }
        let scale = scale
        let filtered = try source.mapped { frame in
            try filters.reduce(frame) { try $1.applyReportingFailure(to: $0, scale: scale) }
        }
        return RasterImage(filtered, scale: scale, info: info)
    }

    /// This picture with the filters applied one after the other.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool.
    ///
    /// - Throws: as the form that takes a list.
    public func applying(_ filters: any ImageFilter...) throws -> RasterImage {
        try applying(filters)
    }

    /// The first frame as a file, without metadata.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool.
    ///
    /// - Throws: ``ImagingError/tooLarge(what:found:limit:)`` if a side is longer than the format
    ///   allows, ``ImagingError/invalidArgument(name:reason:)`` for a quality outside 1…100,
    ///   ``ImagingError/encodingFailed(format:reason:)``.
    public func encoded(
        as format: EncodingFormat, options: EncodeOptions = EncodeOptions()
    ) throws(ImagingError) -> Data {
        try ImageEncoder.encode(posterFrame, as: format, options: options)
    }
}
