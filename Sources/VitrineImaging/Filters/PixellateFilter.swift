/// Makes a picture of large square blocks, each of the mean of its pixels.
///
/// Blocks start in the top left corner; the last ones of a row or column may be smaller. Colours are
/// weighed by alpha. About 1.5 ms a million pixels.
public struct PixellateFilter: ImageFilter, Hashable {
    /// The side of a block in points; it is rounded to whole pixels, at least 1.
    public let size: Double

    /// A filter; its value is checked when it is applied.
    public init(size: Double = 8) {
        self.size = size
    }

    /// For example "pixellate(8.0)".
    public var identifier: String { "pixellate(\(size))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` for a size that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let side = try FilterLength.length(size, scale: scale, name: "size")
        guard side > 1 else { return frame }
        let (width, height) = (frame.size.width, frame.size.height)
        return try frame.transformed(isOpaque: frame.isOpaque ? true : nil) { source, target in
            var sums = ColumnSums()
            for top in stride(from: 0, to: height, by: side) {
                let rows = top..<min(height, top + side)
                var block = SIMD4<UInt64>()
                var start = 0
                for left in stride(from: 0, to: width, by: ColumnSums.count) {
                    let columns = left..<min(width, left + ColumnSums.count)
                    sums.take(source, width: width, rows: rows, columns: columns)
                    for column in columns {
                        block &+= sums[column - left]
                        let end = column + 1
                        guard end - start == side || end == width else { continue }
                        let mean = Self.mean(block, count: rows.count * (end - start))
                        for index in top * width + start..<top * width + end {
                            target[index] = mean
                        }
                        block = SIMD4()
                        start = end
                    }
                }
                for row in rows.dropFirst() {
                    PixelBuffer.copy(
                        width, from: PixelWords(target), top * width, to: target, row * width)
                }
            }
        }
    }

    /// The pixel of a block from its sums.
    private static func mean(_ block: SIMD4<UInt64>, count: Int) -> UInt32 {
        let alpha = block.w
        guard alpha > 0 else { return 0 }
        let count = UInt64(count)
        let level = (alpha + count / 2) / count
        guard level > 0 else { return 0 }
        let half = alpha / 2
        let colors =
            ((block.x + half) / alpha) | ((block.y + half) / alpha) << 8
            | ((block.z + half) / alpha) << 16
        return UInt32(truncatingIfNeeded: colors | level << 24)
    }
}

extension ImageFilter where Self == PixellateFilter {
    /// Square blocks of this side, in points.
    public static func pixellate(size: Double = 8) -> PixellateFilter {
        PixellateFilter(size: size)
    }
}
