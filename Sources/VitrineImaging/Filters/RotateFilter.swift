import Glibc

/// Turns a picture clockwise around its centre.
///
/// Quarter turns only move pixels. By any other angle the picture grows, so that all of it is seen, with
/// transparent corners and smooth edges; colours are weighed by alpha and interpolated (bicubic, by
/// libvips), about 150 ms a million pixels.
public struct RotateFilter: ImageFilter, Hashable {
    /// Degrees clockwise; negative ones turn the other way.
    public let degrees: Double

    /// A filter; its value is checked when it is applied.
    public init(degrees: Double) {
        self.degrees = degrees
    }

    /// For example "rotate(90.0)".
    public var identifier: String { "rotate(\(degrees))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for an angle that is not finite,
    ///   ``ImagingError/tooLarge(what:found:limit:)``, ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        guard degrees.isFinite else {
            throw ImagingError.invalidArgument(
                name: "degrees", reason: "\(degrees) is not finite")
        }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let angle = rest < 0 ? rest + 360 : rest
        switch angle {
        case 0, 360: return frame
        case 90: return try Self.turned(frame, clockwise: true)
        case 180: return try Self.reversed(frame)
        case 270: return try Self.turned(frame, clockwise: false)
        default:
            let radians = angle * .pi / 180
            return try VipsRotator.rotate(frame, cosine: cos(radians), sine: sin(radians))
        }
    }

    private static func reversed(_ frame: PixelBuffer) throws -> PixelBuffer {
        try frame.transformed(isOpaque: frame.isOpaque) { source, target in
            for index in 0..<target.count {
                target[index] = source[target.count &- 1 &- index]
            }
        }
    }

    private static func turned(_ frame: PixelBuffer, clockwise: Bool) throws -> PixelBuffer {
        let (width, height) = (frame.size.width, frame.size.height)
        return try PixelBuffer(unclearedWords: frame.size.transposed, isOpaque: frame.isOpaque) {
            target in
            frame.withWords { source in
                // Squares that fit into the processor's cache: one side is read across its rows.
                let side = 32
                for top in stride(from: 0, to: height, by: side) {
                    for left in stride(from: 0, to: width, by: side) {
                        for row in top..<min(height, top + side) {
                            for column in left..<min(width, left + side) {
                                let index =
                                    clockwise
                                    ? column &* height &+ (height &- 1 &- row)
                                    : (width &- 1 &- column) &* height &+ row
                                target[index] = source[row &* width &+ column]
                            }
                        }
                    }
                }
            }
        }
    }
}

extension ImageFilter where Self == RotateFilter {
    /// Turned clockwise; by other angles than quarter turns with transparent corners.
    public static func rotate(degrees: Double) -> RotateFilter {
        RotateFilter(degrees: degrees)
    }
}
