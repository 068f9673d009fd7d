/// Takes the colours out of a picture, as CSS's grayscale() does (Filter Effects Module Level 1), with
/// the weights of Rec. 709: 0.2126, 0.7152, 0.0722.
///
/// Alpha stays as it is. About 1 ms a million pixels.
public struct GreyscaleFilter: ImageFilter, Hashable {
    /// From 0, no change, to 1, grey.
    public let intensity: Double

    /// A filter; its value is checked when it is applied.
    public init(intensity: Double = 1) {
        self.intensity = intensity
    }

    /// For example "greyscale(1.0)".
    public var identifier: String { "greyscale(\(intensity))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let intensity = try FilterLength.number(intensity, in: Self.bounds, name: "intensity")
        guard intensity > 0 else { return frame }
        let weights: SIMD3 = [0.2126, 0.7152, 0.0722]
        return try ColorMatrix([weights, weights, weights], intensity: intensity).apply(to: frame)
    }

    static let bounds = 0.0...1.0
}

extension ImageFilter where Self == GreyscaleFilter {
    /// Without colours; an intensity of 0 changes nothing.
    public static func greyscale(intensity: Double = 1) -> GreyscaleFilter {
        GreyscaleFilter(intensity: intensity)
    }
}
