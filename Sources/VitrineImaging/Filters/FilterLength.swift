/// Lengths and numbers of filters: points in, pixels out, checked.
enum FilterLength {
    /// The longest side that a filter makes or is told, in pixels; libvips' own bound.
    static let maximum = 10_000_000

    /// A side of a picture in whole pixels, rounded to the nearest and at least 1.
    static func side(_ points: Double, scale: Double, name: String) throws(ImagingError) -> Int {
        try check(positive: points, name: name)
        let pixels = try rounded(points, scale: scale, name: name)
        guard pixels <= Double(maximum) else {
            throw .tooLarge(
                what: .dimension, found: Int(exactly: pixels) ?? Int.max, limit: maximum)
        }
        return max(1, Int(pixels))
    }

    /// A length that is no side of a picture, in whole pixels, rounded to the nearest and at least 1.
    static func length(_ points: Double, scale: Double, name: String) throws(ImagingError) -> Int {
        try check(positive: points, name: name)
        return max(1, try pixels(points, scale: scale, name: name))
    }

    /// A radius in whole pixels, rounded to the nearest; may be 0.
    static func radius(_ points: Double, scale: Double, name: String) throws(ImagingError) -> Int {
        guard points >= 0 else {
            throw .invalidArgument(name: name, reason: "\(points) is negative or not a number")
        }
        return try pixels(points, scale: scale, name: name)
    }

    /// A position or an offset in whole pixels, rounded to the nearest; may be negative.
    static func offset(_ points: Double, scale: Double, name: String) throws(ImagingError) -> Int {
        try pixels(points, scale: scale, name: name)
    }

    /// The standard deviation of a blur in pixels, not rounded; may be 0.
    static func deviation(
        _ points: Double, scale: Double, name: String
    ) throws(ImagingError) -> Double {
        guard points >= 0, points.isFinite else {
            throw .invalidArgument(
                name: name, reason: "\(points) is negative, infinite or not a number")
        }
        try check(scale: scale)
        guard points * scale <= GaussianBlur.maximumDeviation else {
            throw .invalidArgument(
                name: name,
                reason: "\(points) is more than \(GaussianBlur.maximumDeviation) pixels")
        }
        return points * scale
    }

    /// A number within bounds.
    static func number(
        _ value: Double, in range: ClosedRange<Double>, name: String
    ) throws(ImagingError) -> Double {
        guard range.contains(value) else {
            throw .invalidArgument(
                name: name,
                reason: "\(value) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    static func check(scale: Double) throws(ImagingError) {
        guard scale.isFinite, scale > 0 else {
            throw .invalidArgument(name: "scale", reason: "\(scale) is not a positive number")
        }
    }

    private static func check(positive points: Double, name: String) throws(ImagingError) {
        guard points > 0 else {
            throw .invalidArgument(name: name, reason: "\(points) is not a positive number")
        }
    }

    private static func pixels(
        _ points: Double, scale: Double, name: String
    ) throws(ImagingError) -> Int {
        let pixels = try rounded(points, scale: scale, name: name)
        guard abs(pixels) <= Double(maximum) else {
            throw .invalidArgument(
                name: name, reason: "\(points) is beyond \(maximum) pixels")
        }
        return Int(pixels)
    }

    private static func rounded(
        _ points: Double, scale: Double, name: String
    ) throws(ImagingError) -> Double {
        guard points.isFinite else {
            throw .invalidArgument(name: name, reason: "\(points) is not finite")
        }
        try check(scale: scale)
        return (points * scale).rounded()
    }
}

/// In what a length is given.
public enum LengthUnit: String, Sendable, Hashable, CaseIterable {
    /// Points: pixels divided by the picture's scale.
    case points
    /// Pixels, whatever the scale.
    case pixels
}
