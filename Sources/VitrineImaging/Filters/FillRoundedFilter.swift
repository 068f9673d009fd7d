/// Exactly width × height points with a centred crop, and rounded corners.
///
/// What ``FillFilter`` and ``RoundedCornersFilter`` do, one after the other.
public struct FillRoundedFilter: ImageFilter, Hashable {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double
    /// The radius; more than half of the shorter side counts as half.
    public let radius: Double
    /// In what the radius is given.
    public let unit: LengthUnit

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double, radius: Double, unit: LengthUnit = .points) {
        self.width = width
        self.height = height
        self.radius = radius
        self.unit = unit
    }

    /// For example "fillRounded(100.0,80.0,12.0,points)".
    public var identifier: String { "fillRounded(\(width),\(height),\(radius),\(unit.rawValue))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is
    ///   not positive, a negative radius, or what is too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let sized = try FillFilter(width: width, height: height).apply(to: frame, scale: scale)
        return try RoundedCornersFilter(radius: radius, unit: unit).apply(to: sized, scale: scale)
    }
}

extension ImageFilter where Self == FillRoundedFilter {
    /// Exactly width × height points with a centred crop, and rounded corners.
    public static func fillRounded(
        width: Double, height: Double, radius: Double, unit: LengthUnit = .points
    ) -> FillRoundedFilter {
        FillRoundedFilter(width: width, height: height, radius: radius, unit: unit)
    }
}
