/// Exactly width × height points with a centred crop, and of that the largest centred circle.
///
/// What ``FillFilter`` and ``CircleFilter`` do, one after the other.
public struct FillCircleFilter: ImageFilter, Hashable {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// For example "fillCircle(100.0,80.0)".
    public var identifier: String { "fillCircle(\(width),\(height))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is
    ///   not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let sized = try FillFilter(width: width, height: height).apply(to: frame, scale: scale)
        return try CircleFilter().apply(to: sized, scale: scale)
    }
}

extension ImageFilter where Self == FillCircleFilter {
    /// Exactly width × height points with a centred crop, and of that the largest centred circle.
    public static func fillCircle(
        width: Double, height: Double
    ) -> FillCircleFilter {
        FillCircleFilter(width: width, height: height)
    }
}
