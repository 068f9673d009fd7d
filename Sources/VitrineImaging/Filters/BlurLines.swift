import Glibc

/// Eight rows or columns of pixels side by side, small enough for the processor's cache: the samples at
/// one position of all eight lie together, so that the inner loop runs over neighbours.
final class BlurLines {
    /// How many lines there are.
    static let count = 8
    private static let samples = count * 4

    private let length: Int
    private var current: BlurMemory<UInt64>
    private var next: BlurMemory<UInt64>
    private let sums: BlurMemory<Int32>

    /// Lines of up to `length` pixels.
    init(length: Int) throws {
        self.length = length
        current = try BlurMemory(count: length * Self.count)
        next = try BlurMemory(count: length * Self.count)
        sums = try BlurMemory(count: Self.samples)
    }

    /// Four samples of one pixel; `position` and `line` must lie within.
    @inline(__always)
    func get(_ position: Int, _ line: Int) -> UInt64 {
        current.start[position &* Self.count &+ line]
    }

    @inline(__always)
    func set(_ position: Int, _ line: Int, _ samples: UInt64) {
        current.start[position &* Self.count &+ line] = samples
    }

    /// One box blur of the first `length` positions.
    func pass(length: Int, reach: Int, weight: Float, edgeWeight: Float) {
        guard length > 0, length <= self.length else { return }
        let width = Self.samples
        let bytes = length * Self.count * 8
        let source = UnsafeRawPointer(current.start.baseAddress)?.bindMemory(
            to: UInt16.self, capacity: bytes / 2)
        let target = UnsafeMutableRawPointer(next.start.baseAddress)?.bindMemory(
            to: UInt16.self, capacity: bytes / 2)
        guard let source, let target, let sums = sums.start.baseAddress else { return }
        let last = length - 1
        let inside = min(reach, last)
        for sample in 0..<width {
            // The window of the first position: what lies before it counts as the first pixel.
            var sum = Int32(source[sample]) * Int32(reach + 1)
            for position in stride(from: 1, through: inside, by: 1) {
                sum &+= Int32(source[position * width + sample])
            }
            sums[sample] = sum + Int32(source[last * width + sample]) * Int32(reach - inside)
        }
        for position in 0..<length {
            let before = source + max(0, position - reach - 1) * width
            let leaving = source + max(0, position - reach) * width
            let after = source + min(last, position + reach + 1) * width
            let result = target + position * width
            for sample in 0..<width {
                let entering = Int32(after[sample])
                let edges = Int32(before[sample]) &+ entering
                let sum = sums[sample]
                result[sample] = UInt16(
                    truncatingIfNeeded: Self.rounded(
                        Float(sum) * weight + Float(edges) * edgeWeight))
                sums[sample] = sum &+ entering &- Int32(leaving[sample])
            }
        }
        swap(&current, &next)
    }

    /// A number from 0 to 65,535, rounded to the nearest: a float of 2^23 and more has whole numbers
    /// only, in its lowest bits. Unlike the usual conversion this has no check and can be vectorised.
    @inline(__always)
    static func rounded(_ value: Float) -> UInt32 {
        (value + 8_388_608).bitPattern & 0xFFFF
    }
}

/// Memory for samples.
final class BlurMemory<Element: BitwiseCopyable> {
    let start: UnsafeMutableBufferPointer<Element>

    init(count: Int) throws(ImagingError) {
        let bytes = count * MemoryLayout<Element>.stride
        guard let memory = malloc(max(1, bytes)) else { throw .outOfMemory(bytes: bytes) }
        start = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: Element.self, capacity: count), count: count)
    }

    deinit { free(start.baseAddress) }
}
