import VitrineImaging

/// How far two pictures are apart, in levels of 0…255. Two transparent pixels are alike.
struct Difference {
    private(set) var largest = 0
    private(set) var mean = 0.0
    /// Share of channels that differ by more than 2.
    private(set) var beyond2 = 0.0

    /// Nil if the sizes differ.
    init?(_ one: PixelBuffer, _ other: PixelBuffer) {
        guard one.size == other.size else { return nil }
        var sum = 0
        var beyond = 0
        var largest = 0
        one.withUnsafeBytes { first in
            other.withUnsafeBytes { second in
                for offset in stride(from: 0, to: min(first.count, second.count), by: 4)
                where first[offset + 3] != 0 || second[offset + 3] != 0 {
                    for channel in offset..<offset + 4 {
                        let distance = abs(Int(first[channel]) - Int(second[channel]))
                        sum += distance
                        if distance > 2 { beyond += 1 }
                        if distance > largest { largest = distance }
                    }
                }
            }
        }
        self.largest = largest
        mean = Double(sum) / Double(one.byteCount)
        beyond2 = Double(beyond) / Double(one.byteCount)
    }

    var text: String {
        largest == 0
            ? "exact"
            : "differs by up to \(largest), \(rounded(mean)) on average"
    }
}

/// With two digits behind the point.
func rounded(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

extension RasterImage {
    /// Whether the first frame is as `reference`, and in words how far apart they are.
    func compared(_ reference: PixelBuffer, within tolerance: Int) -> (Bool, String) {
        guard let difference = Difference(posterFrame, reference) else {
            return (false, "is \(pixelSize), not \(reference.size)")
        }
        return (difference.largest <= tolerance, difference.text)
    }
}
