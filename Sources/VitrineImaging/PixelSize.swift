/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int

    /// A size; neither value is checked here.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// For example "640 × 480".
    public var description: String { "\(width) × \(height)" }

    /// Width × height, or nil if a side is not positive or the product does not fit.
    package var pixelCount: Int? {
        guard width > 0, height > 0 else { return nil }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : count
    }

    /// The same size with its sides exchanged.
    package var transposed: PixelSize { PixelSize(width: height, height: width) }
}
