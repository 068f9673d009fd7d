/// Makes a picture exactly width × height points; keeps the aspect, cuts off what is too much evenly
/// on both sides, and enlarges if it must.
public struct FillFilter: ImageFilter, Hashable {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// For example "fill(100.0,100.0)".
    public var identifier: String { "fill(\(width),\(height))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let target = TargetSize.fill(
            width: try FilterLength.side(width, scale: scale, name: "width"),
            height: try FilterLength.side(height, scale: scale, name: "height"))
        return try VipsResizer.resize(frame, by: ResizePlan(target, source: frame.size))
    }
}

extension ImageFilter where Self == FillFilter {
    /// Exactly width × height points; keeps the aspect, with a centred crop.
    public static func fill(width: Double, height: Double) -> FillFilter {
        FillFilter(width: width, height: height)
    }
}
