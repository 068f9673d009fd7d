/// A width and a height in points, that is pixels divided by a picture's scale.
public struct PointSize: Sendable, Hashable, CustomStringConvertible {
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double

    /// A size; neither value is checked here.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// For example "320.0 × 240.5".
    public var description: String { "\(width) × \(height)" }
}
