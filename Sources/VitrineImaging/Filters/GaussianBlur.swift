/// A Gaussian blur as three box blurs along each axis, at a cost that does not depend on the radius.
///
/// Each box covers a whole number of pixels and a share of the next one on both sides, so that the
/// variance of the three together is exactly that of the Gaussian (Gwosdek et al., "Theoretical
/// foundations of Gaussian convolution by extended box filtering", 2011); at any pixel the kernels
/// differ by some percent. For each pass, what lies outside counts as the nearest pixel of the edge.
/// Colours are weighed by alpha, so that hidden colours leave no fringe.
///
/// Between the passes a value has 16 bits.
struct GaussianBlur {
    /// More would be one colour for any picture, and cost more.
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
        // What is between lies in strips of four columns, since whole lines of the cache are written
        // and read so.
        let strips = (width + BlurLines.count - 1) / BlurLines.count
        let between = try BlurMemory<UInt64>(count: strips * BlurLines.count * height)
        let lines = try BlurLines(length: max(width, height))
        frame.withWords { source in
            for first in stride(from: 0, to: height, by: BlurLines.count) {
                let rows = min(BlurLines.count, height - first)
                let start = first * width
                lines.write(width, lines: rows) { column, line in
                    Self.samples(source[start &+ line &* width &+ column])
                }
                blur(lines, width)
                lines.read(width, lines: rows) { column, line, samples in
                    let strip = (column & ~3) &* height
                    between.start[strip &+ (first &+ line) &* 4 &+ column & 3] =
                        Sample.packed(samples)
                }
            }
        }
        return try PixelBuffer(
            unclearedWords: frame.size, isOpaque: frame.isOpaque ? true : nil
        ) { target in
            for first in stride(from: 0, to: width, by: BlurLines.count) {
                let columns = min(BlurLines.count, width - first)
                let start = first * height
                lines.write(height, lines: columns) { row, line in
                    Sample.floats(between.start[start &+ row &* 4 &+ line])
                }
                blur(lines, height)
                if frame.isOpaque {
                    lines.read(height, lines: columns) { row, line, samples in
                        target[row &* width &+ first &+ line] = Self.opaque(samples)
                    }
                } else {
                    lines.read(height, lines: columns) { row, line, samples in
                        target[row &* width &+ first &+ line] = Self.straight(samples)
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

    /// A pixel as four samples: the colours times alpha, and alpha times 255.
    @inline(__always)
    private static func samples(_ word: UInt32) -> SIMD4<Float> {
        let word = UInt64(word)
        let levels = Sample.floats(
            word & 0xFF | (word & 0xFF00) << 24, word >> 16 & 0xFF | 255 << 32)
        let alpha = Sample.float(UInt32(truncatingIfNeeded: word >> 24))
        return levels * alpha
    }

    /// The pixel that four samples make.
    @inline(__always)
    private static func straight(_ samples: SIMD4<Float>) -> UInt32 {
        let level = Sample.rounded(samples.w * (1 / 255))
        guard level > 0 else { return 0 }
        let colors = samples * (255 / samples.w)
        return Sample.level(colors.x) | Sample.level(colors.y) << 8 | Sample.level(colors.z) << 16
            | level << 24
    }

    /// The pixel that four samples make whose alpha is known to be 255.
    @inline(__always)
    private static func opaque(_ samples: SIMD4<Float>) -> UInt32 {
        let levels = Sample.packed(samples * (1 / 255))
        let pairs = levels | levels >> 8
        return UInt32(truncatingIfNeeded: pairs & 0xFFFF | pairs >> 16 & 0xFF_0000) | 0xFF00_0000
    }
}
