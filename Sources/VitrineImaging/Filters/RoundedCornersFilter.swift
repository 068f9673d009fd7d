/// Makes the corners of a picture transparent outside quarter circles.
///
/// Edges are anti-aliased; only the pixels of the corners change, and of these only the alpha.
public struct RoundedCornersFilter: ImageFilter, Hashable {
    /// The radius in points; more than half of the shorter side counts as half.
    public let radius: Double

    /// A filter; its value is checked when it is applied.
    public init(radius: Double) {
        self.radius = radius
    }

    /// For example "roundedCorners(20.0)".
    public var identifier: String { "roundedCorners(\(radius))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a radius that is negative or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let radius = try FilterLength.radius(radius, scale: scale, name: "radius")
        return try CornerMask.round(frame, radius: Double(radius))
    }
}

extension ImageFilter where Self == RoundedCornersFilter {
    /// Transparent outside quarter circles of this radius, in points.
    public static func roundedCorners(radius: Double) -> RoundedCornersFilter {
        RoundedCornersFilter(radius: radius)
    }
}
