/// Makes a picture darker or brighter by a factor, as CSS's brightness() does (Filter Effects Module
/// Level 1).
///
/// Alpha stays as it is. About 1 ms a million pixels.
public struct BrightnessFilter: ImageFilter, Hashable {
    /// 0 is black, 1 is no change, 2 is twice as bright; at most 16.
    public let factor: Double

    /// A filter; its value is checked when it is applied.
    public init(factor: Double) {
        self.factor = factor
    }

    /// For example "brightness(1.2)".
    public var identifier: String { "brightness(\(factor))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let factor = try FilterLength.number(factor, in: Self.bounds, name: "factor")
        guard factor != 1 else { return frame }
        return try ToneCurve(slope: factor, intercept: 0).apply(to: frame)
    }

    static let bounds = 0.0...16.0
}

extension ImageFilter where Self == BrightnessFilter {
    /// Darker with a factor below 1, brighter above it.
    public static func brightness(factor: Double) -> BrightnessFilter {
        BrightnessFilter(factor: factor)
    }
}
