/// Puts a frame of one colour around a picture, which grows by twice its width.
public struct BorderFilter: ImageFilter, Hashable {
    /// The width on each side in points; 0 changes nothing.
    public let width: Double
    /// The colour; it may be transparent.
    public let color: Pixel

    /// A filter; its values are checked when it is applied.
    public init(width: Double, color: Pixel) {
        self.width = width
        self.color = color
    }

    /// For example "border(2.0,000000ff)".
    public var identifier: String { "border(\(width),\(color.hex))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a width that is negative or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let width = try FilterLength.radius(width, scale: scale, name: "width")
        guard width > 0 else { return frame }
        let size = PixelSize(
            width: frame.size.width + 2 * width, height: frame.size.height + 2 * width)
        try DecodeLimits().check(result: size)
        let opaque = frame.isOpaque && color.alpha == 255
        return try PixelBuffer(unclearedWords: size, isOpaque: opaque) { target in
            // The upper border, both sides as one run from row to row, and the lower border.
            let word = color.word
            let inner = frame.size.width
            target[..<(width * size.width + width)].update(repeating: word)
            for row in width..<width + frame.size.height - 1 {
                let start = row * size.width + width + inner
                target[start..<start + 2 * width].update(repeating: word)
            }
            target[((size.height - width) * size.width - width)...].update(repeating: word)
            frame.copyAll(to: target, width: size.width, left: width, top: width)
        }
    }
}

extension ImageFilter where Self == BorderFilter {
    /// A frame of one colour around the picture; its width is in points.
    public static func border(width: Double, color: Pixel) -> BorderFilter {
        BorderFilter(width: width, color: color)
    }
}
