import Glibc

/// Which samples of a row or column each sample of a smaller one is made of, and with which weights:
/// the Lanczos kernel of three lobes, as much wider as the picture becomes smaller.
///
/// Centres are aligned. What lies beyond an edge counts as the sample at the edge.
struct LanczosWeights {
    /// The first sample that counts, for each of the result.
    let first: [Int]
    /// The one behind the last that counts.
    let end: [Int]
    /// `capacity` weights for each, zeros behind the last; they add up to 1.
    let weights: [Float]
    /// The most samples that count, rounded up to whole vectors of four.
    let capacity: Int

    /// Weights that make `count` samples of `source` ones, each of the stretch `scale`, which is 1 or more;
    /// the first stretch begins at `start`, where the middle of the first sample is at 0.5. All are positive,
    /// or 0 for the start, and the stretches end within the samples.
    init(from source: Int, start origin: Double = 0, scale: Double, to count: Int) {
        let reach = 3 * scale
        capacity = min(source, Int(2 * reach) + 2) / 4 * 4 + 4
        var first: [Int] = []
        var end: [Int] = []
        var weights = [Float](repeating: 0, count: count * capacity)
        var window = [Double](repeating: 0, count: capacity)
        for index in 0..<count {
            let centre = origin + (Double(index) + 0.5) * scale - 0.5
            let low = Int((centre - reach).rounded(.up))
            let high = Int((centre + reach).rounded(.down))
            let start = min(max(0, low), source - 1)
            let last = max(start, min(source - 1, high))
            for slot in 0..<capacity { window[slot] = 0 }
            var sum = 0.0
            for place in low...high {
                let weight = Self.kernel((Double(place) - centre) / scale)
                window[min(max(place, start), last) - start] += weight
                sum += weight
            }
            for slot in 0...last - start {
                weights[index * capacity + slot] = Float(window[slot] / sum)
            }
            first.append(start)
            end.append(last + 1)
        }
        self.first = first
        self.end = end
        self.weights = weights
    }

    private static func kernel(_ x: Double) -> Double {
        guard abs(x) > 1e-9 else { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = Double.pi * x / 3
        let third = sin(angle)
        // sin 3a, from sin a.
        return third * (3 * third - 4 * third * third * third) / (3 * angle * angle)
    }
}
