/// Lengths of filters: points in, pixels out, checked.
enum FilterLength {
    /// The longest side that a filter makes or is told, in pixels; libvips' own bound.
    static let maximum = 10_000_000

    /// A side in whole pixels, rounded to the nearest and at least 1.
    static func side(_ points: Double, scale: Double, name: String) throws(ImagingError) -> Int {
        guard points > 0 else {
            throw .invalidArgument(name: name, reason: "\(points) is not a positive number")
        }
        return max(1, try pixels(points, scale: scale, name: name))
    }

    /// A radius in whole pixels, rounded to the nearest; may be 0.
    static func radius(_ points: Double, scale: Double, name: String) throws(ImagingError) -> Int {
        guard points >= 0 else {
            throw .invalidArgument(name: name, reason: "\(points) is negative or not a number")
        }
        return try pixels(points, scale: scale, name: name)
    }

    private static func pixels(
        _ points: Double, scale: Double, name: String
    ) throws(ImagingError) -> Int {
        guard points.isFinite else {
            throw .invalidArgument(name: name, reason: "\(points) is not finite")
        }
        guard scale.isFinite, scale > 0 else {
            throw .invalidArgument(name: "scale", reason: "\(scale) is not a positive number")
        }
        let pixels = (points * scale).rounded()
        guard pixels <= Double(maximum) else {
            throw .tooLarge(
                what: .dimension, found: Int(exactly: pixels) ?? Int.max, limit: maximum)
        }
        return Int(pixels)
    }
}
