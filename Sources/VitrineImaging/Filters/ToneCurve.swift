/// One curve for red, green and blue, as a table; alpha stays as it is.
struct ToneCurve {
    private let table: [UInt32]

    /// A curve from `value`, which maps 0…1 to 0…1; what leaves these bounds is clamped, and what is
    /// between two levels is rounded to the nearest.
    init(_ value: (Double) -> Double) {
        table = (0...255).map { level in
            let result = value(Double(level) / 255) * 255
            return UInt32(max(0, min(255, result)).rounded())
        }
    }

    /// The straight line slope × value + intercept, as CSS filters have it.
    init(slope: Double, intercept: Double) {
        self.init { slope * $0 + intercept }
    }

    func apply(to frame: PixelBuffer) throws -> PixelBuffer {
        try table.withUnsafeBufferPointer { table in
            try frame.transformed(isOpaque: frame.isOpaque) { source, target in
                for index in 0..<target.count {
                    let word = source[index]
                    target[index] =
                        table[Int(word & 0xFF)] | table[Int(word >> 8 & 0xFF)] << 8
                        | table[Int(word >> 16 & 0xFF)] << 16 | word & 0xFF00_0000
                }
            }
        }
    }
}
