/// A Gaussian blur as three box blurs along each axis, at a cost that does not depend on the radius.
///
/// Each box covers a whole number of pixels and a share of the next one on both sides, so that the
/// variance of the three together is exactly that of the Gaussian (Gwosdek et al., "Theoretical
/// foundations of Gaussian convolution by extended box filtering", 2011); at any pixel the kernels
/// differ by some percent. For each pass, what lies outside counts as the nearest pixel of the edge.
/// Colours are weighed by alpha, so that hidden colours leave no fringe.
///
/// Sums are kept in integers, which do not drift; between the passes a value has 16 bits.
struct GaussianBlur {
    /// More does not fit into the sums.
    static let maximumDeviation = 16_000.0

    /// Pixels that count in full on each side of the centre.
    private let reach: Int
    /// The weight of each of these.
    private let weight: Float
    /// The weight of the next pixel on each side.
    private let edgeWeight: Float

    /// A blur by a standard deviation in pixels, from 0 to ``maximumDeviation``.
    init(deviation: Double) {
        // The variance of one box.
        let variance = deviation * deviation / 3
        let radius = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
        let share =
            (2 * radius + 1) * (variance - radius * (radius + 1) / 3)
            / (2 * ((radius + 1) * (radius + 1) - variance))
        reach = Int(radius)
        weight = Float(1 / (2 * radius + 1 + 2 * share))
        edgeWeight = Float(share / (2 * radius + 1 + 2 * share))
    }

    func apply(to frame: PixelBuffer) throws -> PixelBuffer {
        let (width, height) = (frame.size.width, frame.size.height)
        let between = try BlurMemory<UInt64>(count: frame.size.width * frame.size.height)
        let lines = try BlurLines(length: max(width, height))
        frame.withWords { source in
            // Eight rows at once, then eight columns at once.
            for first in stride(from: 0, to: height, by: BlurLines.count) {
                let rows = min(BlurLines.count, height - first)
                for line in 0..<BlurLines.count {
                    let start = (first + min(line, rows - 1)) * width
                    for column in 0..<width {
                        lines.set(column, line, Self.premultiplied(source[start &+ column]))
                    }
                }
                blur(lines, width)
                for row in 0..<rows {
                    let start = (first + row) * width
                    for column in 0..<width {
                        between.start[start &+ column] = lines.get(column, row)
                    }
                }
            }
        }
        return try PixelBuffer(words: frame.size, isOpaque: frame.isOpaque ? true : nil) { target in
            for first in stride(from: 0, to: width, by: BlurLines.count) {
                let columns = min(BlurLines.count, width - first)
                for row in 0..<height {
                    let start = row * width + first
                    for line in 0..<BlurLines.count {
                        lines.set(row, line, between.start[start &+ min(line, columns &- 1)])
                    }
                }
                blur(lines, height)
                for row in 0..<height {
                    let start = row * width + first
                    for column in 0..<columns {
                        let samples = lines.get(row, column)
                        target[start &+ column] =
                            frame.isOpaque ? Self.opaque(samples) : Self.straight(samples)
                    }
                }
            }
        }
    }

    private func blur(_ lines: BlurLines, _ length: Int) {
        for _ in 0..<3 {
            lines.pass(length: length, reach: reach, weight: weight, edgeWeight: edgeWeight)
        }
    }

    /// A pixel as four samples of 16 bits: the colours times alpha, and alpha times 255.
    @inline(__always)
    private static func premultiplied(_ word: UInt32) -> UInt64 {
        let alpha = word >> 24
        let low = (word & 0xFF) &* alpha | ((word >> 8 & 0xFF) &* alpha) << 16
        let high = (word >> 16 & 0xFF) &* alpha | (alpha &* 255) << 16
        return UInt64(low) | UInt64(high) << 32
    }

    /// The pixel that four samples make.
    @inline(__always)
    private static func straight(_ samples: UInt64) -> UInt32 {
        let alpha = UInt32(truncatingIfNeeded: samples >> 48)
        let level = dividedBy255(alpha)
        guard level > 0 else { return 0 }
        let factor = 255 / Float(alpha)
        var word = level << 24
        for channel: UInt64 in 0..<3 {
            let sample = UInt32(truncatingIfNeeded: samples >> (channel &* 16)) & 0xFFFF
            word |= min(255, BlurLines.rounded(Float(sample) * factor)) << UInt32(channel &* 8)
        }
        return word
    }

    /// The pixel that four samples make whose alpha is known to be 255.
    @inline(__always)
    private static func opaque(_ samples: UInt64) -> UInt32 {
        let red = dividedBy255(UInt32(truncatingIfNeeded: samples) & 0xFFFF)
        let green = dividedBy255(UInt32(truncatingIfNeeded: samples >> 16) & 0xFFFF)
        let blue = dividedBy255(UInt32(truncatingIfNeeded: samples >> 32) & 0xFFFF)
        return red | green << 8 | blue << 16 | 0xFF00_0000
    }
}
