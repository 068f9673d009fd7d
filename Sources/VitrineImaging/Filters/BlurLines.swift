import Glibc

/// Four rows or columns of pixels side by side, small enough for the processor's cache: the samples at
/// one position of all four lie together, so that each step of a blur is the same few instructions on
/// neighbours.
///
/// Samples are floats that hold whole numbers of 16 bits: no step has to convert between integers and
/// floats, which would take half of the time. Their sums are exact up to 2^24, that is for windows of up to
/// 258 pixels, and begin anew from time to time, so that the errors of larger ones do not grow.
final class BlurLines {
    /// How many lines there are.
    static let count = 4
    /// Four samples of each line.
    private typealias Samples = SIMD16<Float>

    private let length: Int
    private var current: BlurMemory<Samples>
    private var next: BlurMemory<Samples>

    /// Lines of up to `length` pixels, of which there must be one.
    init(length: Int) throws {
        self.length = length
        current = try BlurMemory(count: length)
        next = try BlurMemory(count: length)
        // Lines that are never written take part in every step, too; what is no number would slow it.
        for memory in [current, next] { memory.start.initialize(repeating: Samples()) }
    }

    /// Writes the first `length` pixels of the first `lines` lines.
    @inline(__always)
    func write(
        _ length: Int, lines: Int, _ samples: (_ position: Int, _ line: Int) -> SIMD4<Float>
    ) {
        forEach(length, lines) { $0[$1 &* Self.count &+ $2] = samples($1, $2) }
    }

    /// Reads the first `length` pixels of the first `lines` lines.
    @inline(__always)
    func read(
        _ length: Int, lines: Int,
        _ body: (_ position: Int, _ line: Int, _ samples: SIMD4<Float>) -> Void
    ) {
        forEach(length, lines) { body($1, $2, $0[$1 &* Self.count &+ $2]) }
    }

    @inline(__always)
    private func forEach(
        _ length: Int, _ lines: Int,
        _ body: (UnsafeMutableBufferPointer<SIMD4<Float>>, _ position: Int, _ line: Int) -> Void
    ) {
        current.start.prefix(length).withMemoryRebound(to: SIMD4<Float>.self) { pixels in
            guard lines == Self.count else {
                for position in 0..<length {
                    for line in 0..<lines { body(pixels, position, line) }
                }
                return
            }
            // A number that the compiler knows, so that it writes out all four.
            for position in 0..<length {
                for line in 0..<Self.count { body(pixels, position, line) }
            }
        }
    }

    /// One box blur of the first `length` positions: in full `reach` pixels on each side, and the next
    /// one by its own weight.
    func pass(length: Int, reach: Int, weight: Float, edgeWeight: Float) {
        guard length > 0, length <= self.length else { return }
        let (source, target) = (current.start, next.start)
        let last = length - 1
        for start in stride(from: 0, to: length, by: 4096) {
            var sum = Self.window(around: start, reach, source, last)
            for position in start..<min(length, start + 4096) {
                let entering = source[min(last, position &+ reach &+ 1)]
                let edges = source[max(0, position &- reach &- 1)] + entering
                target[position] = Sample.whole(sum * weight + edges * edgeWeight)
                sum += entering - source[max(0, position &- reach)]
            }
        }
        swap(&current, &next)
    }

    /// The sum of all pixels that are at most `reach` away; what lies outside counts as the pixel at the
    /// edge.
    private static func window(
        around position: Int, _ reach: Int, _ source: UnsafeMutableBufferPointer<Samples>,
        _ last: Int
    ) -> Samples {
        var sum = source[0] * Float(max(0, reach - position))
        for index in max(0, position - reach)...min(last, position + reach) { sum += source[index] }
        return sum + source[last] * Float(max(0, position + reach - last))
    }
}

/// Memory for samples.
final class BlurMemory<Element: BitwiseCopyable> {
    let start: UnsafeMutableBufferPointer<Element>

    init(count: Int) throws(ImagingError) {
        let (bytes, overflows) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        var memory: UnsafeMutableRawPointer?
        guard !overflows, posix_memalign(&memory, 64, max(1, bytes)) == 0, let memory else {
            throw .outOfMemory(bytes: overflows ? Int.max : bytes)
        }
        start = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: Element.self, capacity: count), count: count)
    }

    deinit { free(start.baseAddress) }
}
