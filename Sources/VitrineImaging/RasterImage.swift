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
    let source: any FrameSource

    /// Pixels for each point.
    public let scale: Double
    /// What the file was from which the picture came. For a picture made from pixels: what it would be
    /// as a PNG file, with a `byteCount` of 0.
    public let info: ImageInfo
    /// False if the file was cut short or damaged, or has not arrived yet, and this is the part that
    /// could be read (``DecodeOptions/DamageHandling/readablePart``, ``IncrementalDecoder``).
    ///
    /// Damage within a later frame of an animation is not known beforehand.
    public let isComplete: Bool

    package init(
        _ source: any FrameSource, scale: Double, info: ImageInfo, isComplete: Bool = true
    ) {
        self.source = source
        self.isComplete = isComplete
        self.scale = scale.isFinite && scale > 0 ? scale : 1
        self.info = info
    }

    /// Decodes a file of any ``RasterFormat``.
    ///
    /// Blocks for as long as decoding takes, so call it off the main thread and off Swift's
    /// cooperative pool. The bytes are borrowed, not copied. Of an animation (GIF, APNG, WebP, AVIF) the
    /// first frame is decoded now, and the others when ``frame(at:)`` asks for them, for which the
    /// bytes are kept; damage within a later frame shows only then.
    ///
    /// - Throws: ``ImagingError`` for what is no picture, truncated, corrupt, beyond the limits or of
    ///   a format that cannot be decoded, and ``ImagingError/cancelled`` once `cancellation` says so.
    ///   Nothing partial is returned unless ``DecodeOptions/damage`` asks for it.
    public init(
        decoding data: Data, options: DecodeOptions = DecodeOptions(),
        cancellation: DecodeCancellation = DecodeCancellation()
    ) throws(ImagingError) {
        try cancellation.check()
        let (decoder, format) = try DecoderRegistry.standard.decoder(for: data)
        do throws(ImagingError) {
            self = try decoder.decode(
                data, format: format, options: options, cancellation: cancellation)
        } catch {
            guard options.damage == .readablePart, error.saysThatBytesAreDamaged else {
                throw error
            }
            let part = try? ReadablePart.decode(
                data, format: format, options: options, cancellation: cancellation)
            try cancellation.check()
            guard let part else { throw error }
            self = part
        }
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

    /// An animation from pixels, all of which it holds; `loopCount` nil is for ever.
    ///
    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` unless there is a frame, a duration of
    ///   0 or more for each, one size for all, and a positive loop count.
    public init(
        frames: [PixelBuffer], durations: [Duration], loopCount: Int? = nil, scale: Double = 1
    ) throws(ImagingError) {
        let source = try FrameListSource(frames, durations: durations, loopCount: loopCount)
        self.init(
            source, scale: scale,
            info: ImageInfo(
                format: .png, pixelSize: source.posterFrame.size, frameCount: frames.count,
                hasAlpha: frames.contains { !$0.isOpaque }, byteCount: 0))
    }

    /// The first frame.
    public var posterFrame: PixelBuffer { source.posterFrame }

    /// The frames that this picture holds; at least 1.
    public var frameCount: Int { source.durations.count }

    /// How long each frame shows, one entry a frame; zero for a still.
    ///
    /// As browsers do it: what the file shows for 10 ms or less is shown for 100 ms.
    public var durations: [Duration] { source.durations }

    /// How long the file says that each frame shows; zero for a still.
    public var rawDurations: [Duration] { source.rawDurations }

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

    /// Most bytes that the picture holds in memory: those of its pixels, or of an animation its file
    /// and ``DecodeOptions/animationMemory``, or less if all its frames need less.
    public var cost: Int { source.cost }

    /// The frame at `index`, counted from 0.
    ///
    /// The first one and those that are kept are there at once. Others are drawn on threads of this
    /// module: the next one in order costs one frame, any other one also those between it and the last
    /// frame before it that covers the picture. All copies of the picture share what is drawn.
    ///
    /// - Throws: ``ImagingError/frameOutOfRange(index:count:)``, ``ImagingError`` for a damaged frame,
    ///   what filters throw, and `CancellationError`.
    public func frame(at index: Int) async throws -> PixelBuffer {
        guard source.durations.indices.contains(index) else {
            throw ImagingError.frameOutOfRange(index: index, count: frameCount)
        }
        return try await source.frame(at: index)
    }

    /// Whether the other picture is this one, or a copy of it: all of their frames are the same objects.
    package func hasSameFrames(as other: RasterImage) -> Bool {
        source.hasSameFrames(as: other.source)
    }

    /// Gives `body` each frame in order, and how long it shows.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool. Holds one frame at a time.
    ///
    /// - Throws: as ``frame(at:)``, and what `body` throws.
    public func forEachFrame(_ body: (PixelBuffer, Duration) throws -> Void) throws {
        let durations = durations
        try source.forEachFrame { try body($0, durations[$1]) }
    }

    /// This picture with the filters applied one after the other.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool. Of an animation the first
    /// frame is filtered now, and each other one when it is asked for.
    ///
    /// A filter that has begun ends before `cancellation` counts.
    ///
    /// - Throws: `ImagingError` and `CancellationError` as the filters throw them; any other error
    ///   as ``ImagingError/filterFailed(identifier:reason:)``; ``ImagingError/cancelled`` once
    ///   `cancellation` says so.
    public func applying(
        _ filters: [any ImageFilter], cancellation: DecodeCancellation = DecodeCancellation()
    ) throws -> RasterImage {
        let scale = scale
        // One by one, so that what later frames go through knows nothing of this cancellation.
        let filtered = try filters.reduce(source) { source, filter in
            try cancellation.check()
            return try source.mapped { try filter.applyReportingFailure(to: $0, scale: scale) }
        }
        return RasterImage(filtered, scale: scale, info: info, isComplete: isComplete)
    }

    /// This picture with the filters applied one after the other.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool.
    ///
    /// - Throws: as the form that takes a list.
    public func applying(_ filters: any ImageFilter...) throws -> RasterImage {
        try applying(filters)
    }

    /// The picture as a file, without metadata unless ``EncodeOptions/metadata`` has some: of an animation all frames in formats that
    /// ``EncodingFormat/keepsAnimation``, and the first one in others.
    ///
    /// Blocks; call it off the main thread and off Swift's cooperative pool. Frames are decoded,
    /// filtered and written one after the other.
    ///
    /// - Throws: ``ImagingError/tooLarge(what:found:limit:)`` if a side is longer than the format
    ///   allows, ``ImagingError/invalidArgument(name:reason:)`` for an option out of its bounds or one
    ///   that the format does not have, ``ImagingError/encodingFailed(format:reason:)``, and what
    ///   decoding and filtering later frames throws.
    public func encoded(
        as format: EncodingFormat, options: EncodeOptions = EncodeOptions()
    ) throws(ImagingError) -> Data {
        try options.check(for: format)
        try options.checkMetadata(for: format, frames: frameCount)
        try ImageEncoder.check(pixelSize, format)
        guard frameCount > 1, format.keepsAnimation else {
            return try ImageEncoder.encode(posterFrame, as: format, options: options)
        }
        return try AnimationEncoder.encode(source, as: format, options: options)
    }
}
