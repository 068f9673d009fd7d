/// Puts a picture into the middle of a canvas of exactly a size: as large as fits, and transparent where
/// nothing is.
///
/// Where the bars cannot be equal, the right or lower one is a pixel wider.
public struct FitCanvasFilter: ImageFilter, Hashable {
    /// The size of the canvas.
    public let size: FilterSize
    /// Whether a smaller picture is enlarged until it meets two edges.
    public let upscales: Bool

    /// A filter; its values are checked when it is applied.
    public init(_ size: FilterSize, upscales: Bool = true) {
        self.size = size
        self.upscales = upscales
    }

    /// A filter; its values, in points, are checked when it is applied.
    public init(width: Double, height: Double, upscales: Bool = true) {
        self.init(.points(width: width, height: height), upscales: upscales)
    }

    /// For example "fitCanvas(600.0,400.0,upscales)" or "fitCanvas(600.0,400.0)".
    public var identifier: String { "fitCanvas(\(size.identifier)\(upscales ? ",upscales" : ""))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let canvas = try size.pixels(scale: scale)
        try DecodeLimits().check(result: canvas)
        let picture = try FitFilter.fitted(frame, into: canvas, upscales: upscales)
        guard picture.size != canvas else { return picture }
        let left = (canvas.width - picture.size.width) / 2
        let top = (canvas.height - picture.size.height) / 2
        return try PixelBuffer(words: canvas, isOpaque: false) { target in
            picture.copyAll(to: target, width: canvas.width, left: left, top: top)
        }
    }

    /// The same for a view of this size.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        FitCanvasFilter(size.resolved(viewSize), upscales: upscales)
    }
}

extension ImageFilter where Self == FitCanvasFilter {
    /// In the middle of exactly width × height points, transparent where nothing is.
    public static func fitCanvas(
        width: Double, height: Double, upscales: Bool = true
    ) -> FitCanvasFilter {
        FitCanvasFilter(width: width, height: height, upscales: upscales)
    }

    /// In the middle of exactly a size, transparent where nothing is.
    public static func fitCanvas(_ size: FilterSize, upscales: Bool = true) -> FitCanvasFilter {
        FitCanvasFilter(size, upscales: upscales)
    }
}
