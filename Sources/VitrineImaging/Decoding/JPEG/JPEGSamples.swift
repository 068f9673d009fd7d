/// The samples of a block, all at once, row by row.
protocol JPEGSamples {
    /// All of them the same.
    init(repeating value: Float)

    /// Adds `factor` times the other samples.
    mutating func add(_ other: Self, times factor: Float)
}

extension SIMD2<Float>: JPEGSamples {
    @inline(__always) mutating func add(_ other: Self, times factor: Float) {
        self += other * factor
    }
}

extension SIMD4<Float>: JPEGSamples {
    @inline(__always) mutating func add(_ other: Self, times factor: Float) {
        self += other * factor
    }
}

extension SIMD8<Float>: JPEGSamples {
    @inline(__always) mutating func add(_ other: Self, times factor: Float) {
        self += other * factor
    }
}

extension SIMD16<Float>: JPEGSamples {
    @inline(__always) mutating func add(_ other: Self, times factor: Float) {
        self += other * factor
    }
}

/// Twice as many samples; the wider vectors of the standard library are loops, a hundred times slower.
struct JPEGTwice<Half: JPEGSamples>: JPEGSamples {
    private var low: Half
    private var high: Half

    @inline(__always) init(repeating value: Float) {
        low = Half(repeating: value)
        high = Half(repeating: value)
    }

    @inline(__always) mutating func add(_ other: Self, times factor: Float) {
        low.add(other.low, times: factor)
        high.add(other.high, times: factor)
    }
}
