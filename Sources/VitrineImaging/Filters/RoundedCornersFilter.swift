/// Makes the corners of a picture transparent outside quarter circles.
///
/// Edges are anti-aliased; only the pixels of the corners change, and of these only the alpha.
public struct RoundedCornersFilter: ImageFilter, Hashable {
    /// The radius; more than half of the shorter side counts as half.
    public let radius: Double
    /// In what the radius is given.
    public let unit: LengthUnit

    /// A filter; its value is checked when it is applied. In ``LengthUnit/pixels`` the radius is the same
    /// at every scale of the picture.
    public init(radius: Double, unit: LengthUnit = .points) {
        self.radius = radius
        self.unit = unit
    }

    /// For example "roundedCorners(20.0)" or "roundedCorners(20.0,pixels)".
    public var identifier: String {
        unit == .points ? "roundedCorners(\(radius))" : "roundedCorners(\(radius),\(unit.rawValue))"
    }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a radius that is negative or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let scale = unit == .points ? scale : 1
        let radius = try FilterLength.radius(radius, scale: scale, name: "radius")
        return try CornerMask.round(frame, radius: Double(radius))
    }
}

extension ImageFilter where Self == RoundedCornersFilter {
    /// Transparent outside quarter circles of this radius.
    public static func roundedCorners(
        radius: Double, unit: LengthUnit = .points
    ) -> RoundedCornersFilter {
        RoundedCornersFilter(radius: radius, unit: unit)
    }
}
