/// The sums of some neighbouring columns of pixels: red, green and blue, each times alpha, and alpha.
///
/// Sums down the columns run over neighbours in memory, which can be vectorised, whatever the shape of
/// what is summed.
struct ColumnSums {
    /// The most columns.
    static let count = 256
    /// So many products of two levels fit into 32 bits.
    private static let rows = 65_536

    private var parts = [UInt32](repeating: 0, count: 4 * count)
    private var totals = [UInt64](repeating: 0, count: 4 * count)

    /// The sums of one column, counted from the first one taken.
    subscript(column: Int) -> SIMD4<UInt64> {
        SIMD4(
            totals[column], totals[Self.count + column], totals[2 * Self.count + column],
            totals[3 * Self.count + column])
    }

    /// Sums up some rows of up to ``count`` columns.
    mutating func take(_ source: PixelWords, width: Int, rows: Range<Int>, columns: Range<Int>) {
        for index in totals.indices { totals[index] = 0 }
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.rows) {
            for index in parts.indices { parts[index] = 0 }
            parts.withUnsafeMutableBufferPointer { parts in
                for row in first..<min(rows.upperBound, first + Self.rows) {
                    let start = row * width + columns.lowerBound
                    for column in 0..<columns.count {
                        let word = source[start &+ column]
                        let alpha = word >> 24
                        parts[column] &+= (word & 0xFF) &* alpha
                        parts[Self.count &+ column] &+= (word >> 8 & 0xFF) &* alpha
                        parts[2 &* Self.count &+ column] &+= (word >> 16 & 0xFF) &* alpha
                        parts[3 &* Self.count &+ column] &+= alpha
                    }
                }
            }
            for index in totals.indices { totals[index] += UInt64(parts[index]) }
        }
    }
}
