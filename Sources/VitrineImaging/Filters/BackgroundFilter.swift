/// Lays a colour under a picture; with an opaque one the result is opaque.
public struct BackgroundFilter: ImageFilter, Hashable {
    /// The colour; it may be translucent.
    public let color: Pixel

    /// A filter.
    public init(color: Pixel) {
        self.color = color
    }

    /// For example "background(ffffffff)".
    public var identifier: String { "background(\(color.hex))" }

    /// Takes 1 to 3 ms a million pixels, and nothing for an opaque picture.
    ///
    /// - Throws: ``ImagingError/outOfMemory(bytes:)``.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        guard !frame.isOpaque, color.alpha > 0 else { return frame }
        let below = color.word
        guard color.alpha == 255 else {
            return try frame.transformed(isOpaque: nil) { source, target in
                for index in 0..<target.count {
                    target[index] = Compositing.over(source[index], below)
                }
            }
        }
        return try frame.transformed(isOpaque: true) { source, target in
            for index in 0..<target.count {
                target[index] = Compositing.overOpaque(source[index], below)
            }
        }
    }
}

extension ImageFilter where Self == BackgroundFilter {
    /// A colour under the picture.
    public static func background(_ color: Pixel) -> BackgroundFilter {
        BackgroundFilter(color: color)
    }
}
