/// A matrix of 3 × 3 over red, green and blue in 16.16 fixed point; alpha stays as it is.
///
/// Results are rounded to the nearest and clamped. Coefficients must lie within ±40, so that nothing
/// overflows 32 bits.
struct ColorMatrix {
    private let rows: [[Int32]]

    /// A matrix of three rows of three coefficients: how much red, green and blue gives red, and so on.
    init(_ rows: [[Double]]) {
        self.rows = rows.map { $0.map { Int32((max(-40, min(40, $0)) * 65_536).rounded()) } }
    }

    /// From no change at 0 to `rows` at 1.
    init(_ rows: [[Double]], intensity: Double) {
        self.init(
            rows.enumerated().map { index, row in
                row.enumerated().map { column, value in
                    value * intensity + (index == column ? 1 - intensity : 0)
                }
            })
    }

    func apply(to frame: PixelBuffer) throws -> PixelBuffer {
        let (m00, m01, m02) = (rows[0][0], rows[0][1], rows[0][2])
        let (m10, m11, m12) = (rows[1][0], rows[1][1], rows[1][2])
        let (m20, m21, m22) = (rows[2][0], rows[2][1], rows[2][2])
        return try frame.transformed(isOpaque: frame.isOpaque) { source, target in
            if rows[0] == rows[1], rows[1] == rows[2] {
                // To grey one sum is enough.
                for index in 0..<target.count {
                    let word = source[index]
                    let red = Int32(bitPattern: word & 0xFF)
                    let green = Int32(bitPattern: word >> 8 & 0xFF)
                    let blue = Int32(bitPattern: word >> 16 & 0xFF)
                    let grey = level(m00 &* red &+ m01 &* green &+ m02 &* blue)
                    target[index] = grey | grey << 8 | grey << 16 | word & 0xFF00_0000
                }
                return
            }
            for index in 0..<target.count {
                let word = source[index]
                let red = Int32(bitPattern: word & 0xFF)
                let green = Int32(bitPattern: word >> 8 & 0xFF)
                let blue = Int32(bitPattern: word >> 16 & 0xFF)
                let newRed = level(m00 &* red &+ m01 &* green &+ m02 &* blue)
                let newGreen = level(m10 &* red &+ m11 &* green &+ m12 &* blue)
                let newBlue = level(m20 &* red &+ m21 &* green &+ m22 &* blue)
                target[index] = newRed | newGreen << 8 | newBlue << 16 | word & 0xFF00_0000
            }
        }
    }
}

/// A sum in 16.16 fixed point as a level from 0 to 255.
@inline(__always)
private func level(_ sum: Int32) -> UInt32 {
    UInt32(bitPattern: max(0, min(255, (sum &+ 32_768) >> 16)))
}
