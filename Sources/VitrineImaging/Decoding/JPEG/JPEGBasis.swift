import Glibc

/// What each coefficient of a block adds to its samples, where a block becomes fewer samples than 64.
///
/// Each sample is the mean of the ones that it stands for, as in libjpeg's scaled decoding. That mean
/// is linear in the coefficients, so samples are sums of rows of this table, one for each coefficient
/// that is not zero; most are. The quantization is in the numbers. Owns its memory.
final class JPEGBasis {
    /// Samples across and down.
    let width: Int
    let height: Int
    /// 80 rows of width × height numbers, in zigzag order; those from 64 on are zero, for a coefficient may
    /// claim a place up to 16 behind the last before that is noticed.
    let rows: UnsafeMutableRawPointer

    /// `width` and `height` are 1, 2, 4 or 8; `quantization` has 64 numbers.
    init(width: Int, height: Int, quantization: [UInt16]) {
        self.width = width
        self.height = height
        let area = width * height
        // That of the widest vector by which it is read.
        rows = .allocate(byteCount: 80 * area * 4, alignment: 64)
        let numbers = rows.bindMemory(to: Float.self, capacity: 80 * area)
        numbers.initialize(repeating: 0, count: 80 * area)
        let across = Self.means(width)
        let down = Self.means(height)
        for (index, place) in Self.zigzag.enumerated() {
            for y in 0..<height {
                for x in 0..<width {
                    numbers[index * area + y * width + x] = Float(
                        Double(quantization[index]) * down[y][place >> 3] * across[x][place & 7])
                }
            }
        }
    }

    deinit { rows.deallocate() }

    /// For each of `count` samples: the weights of eight coefficients (A.3.3), mean of 8 / `count` samples.
    private static func means(_ count: Int) -> [[Double]] {
        let group = 8 / count
        return (0..<count).map { sample in
            (0..<8).map { coefficient in
                let sum = (0..<group).reduce(0.0) { sum, index in
                    let x = Double(sample * group + index)
                    return sum + cos((2 * x + 1) * Double(coefficient) * .pi / 16)
                }
                return sum / Double(group) / 2 * (coefficient == 0 ? 0.5.squareRoot() : 1)
            }
        }
    }

    /// The place of each coefficient in its block, row by row (figure A.6).
    private static let zigzag: [Int] = {
        var order: [Int] = []
        for diagonal in 0..<15 {
            let rows = max(0, diagonal - 7)...min(7, diagonal)
            // Even diagonals go up, odd ones down.
            let path = diagonal % 2 == 0 ? Array(rows.reversed()) : Array(rows)
            order += path.map { $0 * 8 + diagonal - $0 }
        }
        return order
    }()
}
