/// A picture that is brought to a size and then cut to a shape: what ``ScaleFilter`` or ``FillFilter`` and
/// ``RoundedCornersFilter`` or ``CircleFilter`` do, one after the other.
public struct SizedShapeFilter: ImageFilter, Hashable {
    /// How the picture gets its size.
    public enum Sizing: String, Sendable, Hashable, CaseIterable {
        /// Stretched, whatever the aspect.
        case scaled
        /// Keeps the aspect, with a centred crop.
        case fill
    }

    /// What is then cut out.
    public enum Shape: Sendable, Hashable {
        /// The largest centred circle.
        case circle
        /// All but the corners; a radius of more than half of the shorter side counts as half.
        case rounded(radius: Double, unit: LengthUnit)
    }

    /// How the picture gets its size.
    public let sizing: Sizing
    /// The size.
    public let size: FilterSize
    /// What is then cut out.
    public let shape: Shape

    /// A filter; its values are checked when it is applied.
    public init(_ sizing: Sizing, to size: FilterSize, as shape: Shape) {
        self.sizing = sizing
        self.size = size
        self.shape = shape
    }

    /// For example "fillCircle(100.0,80.0)" or "scaledRounded(100.0,80.0,12.0,points)".
    public var identifier: String {
        switch shape {
        case .circle:
            "\(sizing.rawValue)Circle(\(size.identifier))"
        case .rounded(let radius, let unit):
            "\(sizing.rawValue)Rounded(\(size.identifier),\(radius),\(unit.rawValue))"
        }
    }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive, a negative
    ///   radius, or what is too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let sized =
            switch sizing {
            case .scaled: try ScaleFilter(size).apply(to: frame, scale: scale)
            case .fill: try FillFilter(size).apply(to: frame, scale: scale)
            }
        return switch shape {
        case .circle: try CircleFilter().apply(to: sized, scale: scale)
        case .rounded(let radius, let unit):
            try RoundedCornersFilter(radius: radius, unit: unit).apply(to: sized, scale: scale)
        }
    }

    /// The same for a view of this size.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        SizedShapeFilter(sizing, to: size.resolved(viewSize), as: shape)
    }
}

extension ImageFilter where Self == SizedShapeFilter {
    /// Stretched to exactly width × height points, with rounded corners.
    public static func scaledRounded(
        width: Double, height: Double, radius: Double, unit: LengthUnit = .points
    ) -> SizedShapeFilter {
        scaledRounded(.points(width: width, height: height), radius: radius, unit: unit)
    }

    /// Stretched to exactly a size, with rounded corners.
    public static func scaledRounded(
        _ size: FilterSize, radius: Double, unit: LengthUnit = .points
    ) -> SizedShapeFilter {
        SizedShapeFilter(.scaled, to: size, as: .rounded(radius: radius, unit: unit))
    }

    /// Exactly width × height points with a centred crop, and rounded corners.
    public static func fillRounded(
        width: Double, height: Double, radius: Double, unit: LengthUnit = .points
    ) -> SizedShapeFilter {
        fillRounded(.points(width: width, height: height), radius: radius, unit: unit)
    }

    /// Exactly a size with a centred crop, and rounded corners.
    public static func fillRounded(
        _ size: FilterSize, radius: Double, unit: LengthUnit = .points
    ) -> SizedShapeFilter {
        SizedShapeFilter(.fill, to: size, as: .rounded(radius: radius, unit: unit))
    }

    /// Stretched to exactly width × height points, and of that the largest centred circle.
    public static func scaledCircle(width: Double, height: Double) -> SizedShapeFilter {
        scaledCircle(.points(width: width, height: height))
    }

    /// Stretched to exactly a size, and of that the largest centred circle.
    public static func scaledCircle(_ size: FilterSize) -> SizedShapeFilter {
        SizedShapeFilter(.scaled, to: size, as: .circle)
    }

    /// Exactly width × height points with a centred crop, and of that the largest centred circle.
    public static func fillCircle(width: Double, height: Double) -> SizedShapeFilter {
        fillCircle(.points(width: width, height: height))
    }

    /// Exactly a size with a centred crop, and of that the largest centred circle.
    public static func fillCircle(_ size: FilterSize) -> SizedShapeFilter {
        SizedShapeFilter(.fill, to: size, as: .circle)
    }
}
