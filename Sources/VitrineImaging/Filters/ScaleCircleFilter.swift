/// Stretched to exactly width × height points, and of that the largest centred circle.
///
/// What ``ScaleFilter`` and ``CircleFilter`` do, one after the other.
public struct ScaleCircleFilter: ImageFilter, Hashable {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// For example "scaledCircle(100.0,80.0)".
    public var identifier: String { "scaledCircle(\(width),\(height))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is
    ///   not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let sized = try ScaleFilter(width: width, height: height).apply(to: frame, scale: scale)
        return try CircleFilter().apply(to: sized, scale: scale)
    }
}

extension ImageFilter where Self == ScaleCircleFilter {
    /// Stretched to exactly width × height points, and of that the largest centred circle.
    public static func scaledCircle(
        width: Double, height: Double
    ) -> ScaleCircleFilter {
        ScaleCircleFilter(width: width, height: height)
    }
}
