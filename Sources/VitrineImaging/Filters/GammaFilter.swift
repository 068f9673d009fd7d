import Glibc

/// Bends the curve of brightness: black and white stay, what is between becomes darker or brighter.
///
/// Each channel becomes its 1 / ``value`` th power, on a scale from 0 to 1. Alpha stays as it is. About
/// 1 ms a million pixels.
public struct GammaFilter: ImageFilter, Hashable {
    /// 1 is no change, more is brighter, less is darker; from 0.01 to 100.
    public let value: Double

    /// A filter; its value is checked when it is applied.
    public init(value: Double) {
        self.value = value
    }

    /// For example "gamma(2.2)".
    public var identifier: String { "gamma(\(value))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let value = try FilterLength.number(value, in: Self.bounds, name: "value")
        guard value != 1 else { return frame }
        return try ToneCurve { pow($0, 1 / value) }.apply(to: frame)
    }

    static let bounds = 0.01...100.0
}

extension ImageFilter where Self == GammaFilter {
    /// Brighter between black and white with a value above 1, darker below it.
    public static func gamma(value: Double) -> GammaFilter {
        GammaFilter(value: value)
    }
}
