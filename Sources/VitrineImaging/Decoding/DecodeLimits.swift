/// What a file may ask for, checked from its header before any pixel is decoded.
public struct DecodeLimits: Sendable, Hashable {
    /// Most bytes of the file; 536,870,912 (512 MB) by default.
    public var maximumBytes: Int
    /// Longest side of the file's picture, in pixels; 65,535 by default.
    public var maximumDimension: Int
    /// Most pixels of one frame of the file; 268,435,456 (16,384 × 16,384) by default.
    public var maximumSourcePixels: Int
    /// Most pixels of the result, which takes 4 bytes for each; 100,000,000 by default.
    public var maximumResultPixels: Int
    /// Most frames or pages; 10,000 by default.
    public var maximumFrames: Int
    /// Most pixels of all frames of an animation together, each counted as large as the whole picture;
    /// 4,294,967,296 by default. It bounds the work of playing it once, not memory.
    public var maximumAnimationPixels: Int
    /// Most bytes of an embedded ICC profile; 4,194,304 by default. A file with a larger one is refused:
    /// without it, its colours would be wrong.
    public var maximumProfileBytes: Int
    /// Whether SVG is rendered; false by default, for a drawing can ask for much work in few bytes. What
    /// is rendered all the same, and how that is bounded, says ``SVGDecoder``.
    public var allowsSVG: Bool
    /// Longest time that an SVG is rendered for; 5 seconds by default. It is looked at about once a
    /// second, so that it may be passed by that much.
    public var maximumRenderTime: Duration

    /// The default limits, or some of them changed.
    public init(
        maximumBytes: Int = 536_870_912, maximumDimension: Int = 65_535,
        maximumSourcePixels: Int = 268_435_456, maximumResultPixels: Int = 100_000_000,
        maximumFrames: Int = 10_000, maximumAnimationPixels: Int = 4_294_967_296,
        maximumProfileBytes: Int = 4_194_304, allowsSVG: Bool = false,
        maximumRenderTime: Duration = .seconds(5)
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDimension = maximumDimension
        self.maximumSourcePixels = maximumSourcePixels
        self.maximumResultPixels = maximumResultPixels
        self.maximumFrames = maximumFrames
        self.maximumAnimationPixels = maximumAnimationPixels
        self.maximumProfileBytes = maximumProfileBytes
        self.allowsSVG = allowsSVG
        self.maximumRenderTime = maximumRenderTime
    }

    func check(bytes: Int) throws(ImagingError) {
        try check(.bytes, bytes, maximumBytes)
    }

    func check(profileBytes count: Int) throws(ImagingError) {
        try check(.profileBytes, count, maximumProfileBytes)
    }

    func check(source size: PixelSize, frames: Int) throws(ImagingError) {
        try check(.dimension, max(size.width, size.height), maximumDimension)
        try check(.sourcePixels, size.pixelCount ?? Int.max, maximumSourcePixels)
        try check(.frames, frames, maximumFrames)
    }

    func check(sourcePixels count: Int) throws(ImagingError) {
        try check(.sourcePixels, count, maximumSourcePixels)
    }

    func check(animation size: PixelSize, frames: Int) throws(ImagingError) {
        let (pixels, overflow) = (size.pixelCount ?? 0).multipliedReportingOverflow(by: frames)
        try check(.animationPixels, overflow ? Int.max : pixels, maximumAnimationPixels)
    }

    func check(result size: PixelSize) throws(ImagingError) {
        try check(.resultPixels, size.pixelCount ?? Int.max, maximumResultPixels)
    }

    private func check(
        _ what: ImagingError.Measure, _ found: Int, _ limit: Int
    ) throws(ImagingError) {
        guard found <= limit else { throw .tooLarge(what: what, found: found, limit: limit) }
    }
}
