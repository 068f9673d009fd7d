/// Stretches a picture to exactly width × height points, whatever its aspect.
public struct ScaleFilter: ImageFilter, Hashable {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// For example "scaled(320.0,200.0)".
    public var identifier: String { "scaled(\(width),\(height))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let size = PixelSize(
            width: try FilterLength.side(width, scale: scale, name: "width"),
            height: try FilterLength.side(height, scale: scale, name: "height"))
        return try VipsResizer.resize(frame, by: ResizePlan(exactly: size, source: frame.size))
    }
}

extension ImageFilter where Self == ScaleFilter {
    /// Exactly width × height points, whatever the aspect.
    public static func scaled(width: Double, height: Double) -> ScaleFilter {
        ScaleFilter(width: width, height: height)
    }
}
