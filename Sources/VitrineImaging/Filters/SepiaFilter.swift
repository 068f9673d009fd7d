/// Turns a picture brown like an old photograph, as CSS's sepia() does (Filter Effects Module Level 1).
///
/// Alpha stays as it is. About 2 ms a million pixels.
public struct SepiaFilter: ImageFilter, Hashable {
    /// From 0, no change, to 1.
    public let intensity: Double

    /// A filter; its value is checked when it is applied.
    public init(intensity: Double = 1) {
        self.intensity = intensity
    }

    /// For example "sepia(0.8)".
    public var identifier: String { "sepia(\(intensity))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let intensity = try FilterLength.number(intensity, in: Self.bounds, name: "intensity")
        guard intensity > 0 else { return frame }
        return try ColorMatrix(
            [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]],
            intensity: intensity
        ).apply(to: frame)
    }

    static let bounds = 0.0...1.0
}

extension ImageFilter where Self == SepiaFilter {
    /// Brown like an old photograph; an intensity of 0 changes nothing.
    public static func sepia(intensity: Double = 1) -> SepiaFilter {
        SepiaFilter(intensity: intensity)
    }
}
