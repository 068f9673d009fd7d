/// Cuts the largest centred circle out of a picture: a square of the shorter side, transparent outside
/// the circle, with an anti-aliased edge.
public struct CircleFilter: ImageFilter, Hashable {
    /// A filter.
    public init() {}

    /// Always "circle".
    public var identifier: String { "circle" }

    /// - Throws: ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let side = min(frame.size.width, frame.size.height)
        let square = try frame.cropped(to: PixelSize(width: side, height: side))
        return try CornerMask.round(square, radius: Double(side) / 2)
    }
}

extension ImageFilter where Self == CircleFilter {
    /// The largest centred circle, on a square of the shorter side.
    public static var circle: CircleFilter { CircleFilter() }
}
