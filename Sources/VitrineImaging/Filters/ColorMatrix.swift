/// A matrix of 3 × 3 over red, green and blue; alpha stays as it is.
///
/// Results are rounded to the nearest and clamped. The sums are floats: multiplying them is one
/// instruction for four, on every processor, while four products of 32-bit integers take six.
struct ColorMatrix {
    private let rows: [SIMD3<Float>]

    /// A matrix of three rows of three coefficients: how much red, green and blue gives red, and so on.
    init(_ rows: [SIMD3<Double>]) {
        self.rows = rows.map { SIMD3<Float>($0) }
    }

    /// From no change at 0 to `rows` at 1.
    init(_ rows: [SIMD3<Double>], intensity: Double) {
        let identity: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        self.init(zip(rows, identity).map { $0 * intensity + $1 * (1 - intensity) })
    }

    func apply(to frame: PixelBuffer) throws -> PixelBuffer {
        let (first, second, third) = (rows[0], rows[1], rows[2])
        let (m00, m01, m02) = (first.x, first.y, first.z)
        let (m10, m11, m12) = (second.x, second.y, second.z)
        let (m20, m21, m22) = (third.x, third.y, third.z)
        return try frame.transformed(isOpaque: frame.isOpaque) { source, target in
            if first == second, second == third {
                // To grey one sum is enough.
                for index in 0..<target.count {
                    let word = source[index]
                    let grey = Sample.level(
                        m00 * Sample.float(word & 0xFF) + m01 * Sample.float(word >> 8 & 0xFF) + m02
                            * Sample.float(word >> 16 & 0xFF))
                    target[index] = grey &* 0x01_0101 | word & 0xFF00_0000
                }
                return
            }
            for index in 0..<target.count {
                let word = source[index]
                let red = Sample.float(word & 0xFF)
                let green = Sample.float(word >> 8 & 0xFF)
                let blue = Sample.float(word >> 16 & 0xFF)
                let newRed = Sample.level(m00 * red + m01 * green + m02 * blue)
                let newGreen = Sample.level(m10 * red + m11 * green + m12 * blue)
                let newBlue = Sample.level(m20 * red + m21 * green + m22 * blue)
                target[index] = newRed | newGreen << 8 | newBlue << 16 | word & 0xFF00_0000
            }
        }
    }
}
