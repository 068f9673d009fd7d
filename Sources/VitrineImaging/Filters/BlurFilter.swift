/// Blurs a picture by a Gaussian.
///
/// The size stays. What lies outside the picture counts as the nearest pixel of its edge, so that an
/// opaque picture stays opaque. Colours are weighed by alpha: hidden colours leave no fringe. Three box
/// blurs along each axis come within some percent of the Gaussian, in 15 to 20 ms a million pixels,
/// whatever the radius.
public struct BlurFilter: ImageFilter, Hashable {
    /// The standard deviation in points, as in CSS's blur() and Core Image; details smaller than twice
    /// of it vanish. 0 changes nothing; at most 16,000 pixels.
    public let radius: Double

    /// A filter; its value is checked when it is applied.
    public init(radius: Double = 10) {
        self.radius = radius
    }

    /// For example "blur(10.0)".
    public var identifier: String { "blur(\(radius))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a value out of bounds, and
    ///   ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let deviation = try FilterLength.deviation(radius, scale: scale, name: "radius")
        guard deviation > 0 else { return frame }
        return try GaussianBlur(deviation: deviation).apply(to: frame)
    }
}

extension ImageFilter where Self == BlurFilter {
    /// Blurred by a Gaussian of this standard deviation, in points.
    public static func blur(radius: Double = 10) -> BlurFilter {
        BlurFilter(radius: radius)
    }
}
