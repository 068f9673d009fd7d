/// Puts a picture into the middle of a canvas of exactly width × height points: as large as fits, and
/// transparent where nothing is.
///
/// Where the bars cannot be equal, the right or lower one is a pixel wider.
public struct FitCanvasFilter: ImageFilter, Hashable {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double
    /// Whether a smaller picture is enlarged until it meets two edges.
    public let upscales: Bool

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double, upscales: Bool = true) {
        self.width = width
        self.height = height
        self.upscales = upscales
    }

    /// For example "fitCanvas(600.0,400.0,upscales)" or "fitCanvas(600.0,400.0)".
    public var identifier: String { "fitCanvas(\(width),\(height)\(upscales ? ",upscales" : ""))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let canvas = PixelSize(
            width: try FilterLength.side(width, scale: scale, name: "width"),
            height: try FilterLength.side(height, scale: scale, name: "height"))
        try DecodeLimits().check(result: canvas)
        let picture = try FitFilter.fitted(frame, into: canvas, upscales: upscales)
        guard picture.size != canvas else { return picture }
        let left = (canvas.width - picture.size.width) / 2
        let top = (canvas.height - picture.size.height) / 2
        return try PixelBuffer(words: canvas, isOpaque: false) { target in
            picture.copyAll(to: target, width: canvas.width, left: left, top: top)
        }
    }
}

extension ImageFilter where Self == FitCanvasFilter {
    /// In the middle of exactly width × height points, transparent where nothing is.
    public static func fitCanvas(
        width: Double, height: Double, upscales: Bool = true
    ) -> FitCanvasFilter {
        FitCanvasFilter(width: width, height: height, upscales: upscales)
    }
}
