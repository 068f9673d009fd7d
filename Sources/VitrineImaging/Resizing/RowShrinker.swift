/// Makes a picture smaller while its rows arrive, by ``LanczosWeights``.
///
/// Rows are weighed into the few rows of the result that they count for, and when one of these has all
/// it needs, its columns are. So no more is in memory than these few rows, however large the picture
/// is. Samples are floating-point numbers; nothing is rounded on the way. Owns its memory.
final class RowShrinker {
    private let planes: Int
    private let width: Int
    private let size: PixelSize
    private let across: LanczosWeights
    private let down: LanczosWeights
    /// Rows of the result under way, in turns; all planes of a row side by side.
    private let rows: UnsafeMutablePointer<Float>
    private let slots: Int
    /// All planes of a row; behind the last row is room for weights of zero.
    private let stride: Int
    private let result: UnsafeMutablePointer<Float>
    /// Rows that have come.
    private var count = 0
    /// The first row of the result that is not complete.
    private var next = 0

    /// Shrinks `planes` planes, whose rows have `width` samples, as the weights say.
    init(across: LanczosWeights, down: LanczosWeights, width: Int, planes: Int) {
        self.across = across
        self.down = down
        self.width = width
        self.planes = planes
        size = PixelSize(width: across.first.count, height: down.first.count)
        var most = 1
        var open = 0
        for row in 0..<size.height {
            while down.end[open] <= down.first[row] { open += 1 }
            most = max(most, row - open + 1)
        }
        slots = most
        stride = planes * width
        let room = slots * stride + across.capacity
        rows = .allocate(capacity: room)
        rows.initialize(repeating: 0, count: room)
        result = .allocate(capacity: planes * size.width)
        result.initialize(repeating: 0, count: planes * size.width)
    }

    deinit {
        rows.deallocate()
        result.deallocate()
    }

    /// Takes the next row, all planes side by side, and gives `body` each row of the result that is
    /// complete with it: its number, and all planes side by side. Rows that count for nothing do nothing.
    func add(
        _ row: UnsafePointer<Float>, _ body: (_ row: Int, _ samples: UnsafePointer<Float>) -> Void
    ) {
        var index = next
        while index < size.height, down.first[index] <= count {
            let weight = down.weights[index * down.capacity + count - down.first[index]]
            let sum = rows + index % slots * stride
            for column in 0..<stride { sum[column] += row[column] * weight }
            index += 1
        }
        count += 1
        while next < size.height, down.end[next] <= count {
            let sum = rows + next % slots * stride
            shrink(sum)
            body(next, result)
            sum.update(repeating: 0, count: stride)
            next += 1
        }
    }

    /// The columns of a row.
    private func shrink(_ row: UnsafePointer<Float>) {
        across.weights.withUnsafeBufferPointer { weights in
            for plane in 0..<planes {
                let source = UnsafeRawPointer(row + plane * width)
                for column in 0..<size.width {
                    var sum = SIMD4<Float>.zero
                    let samples = source + across.first[column] &* 4
                    for slot in Swift.stride(from: 0, to: across.capacity, by: 4) {
                        let start = column &* across.capacity &+ slot
                        let factors = SIMD4(
                            weights[start], weights[start &+ 1], weights[start &+ 2],
                            weights[start &+ 3])
                        sum +=
                            factors
                            * (samples + slot &* 4).loadUnaligned(as: SIMD4<Float>.self)
                    }
                    result[plane &* size.width &+ column] = (sum.x + sum.z) + (sum.y + sum.w)
                }
            }
        }
    }
}
