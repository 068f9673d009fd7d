/// A filter from a closure.
public struct CustomFilter: ImageFilter {
    /// The name of what the closure does, exactly as given; it must differ from those of other filters
    /// that do something else.
    public let identifier: String
    private let transform: @Sendable (PixelBuffer, Double) throws -> PixelBuffer

    /// A filter that applies `transform` to the pixels; its second argument is the scale, pixels for
    /// each point.
    public init(
        identifier: String,
        _ transform: @escaping @Sendable (PixelBuffer, Double) throws -> PixelBuffer
    ) {
        self.identifier = identifier
        self.transform = transform
    }

    /// - Throws: what the closure throws.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try transform(frame, scale)
    }
}

extension ImageFilter where Self == CustomFilter {
    /// A filter from a closure, which gets the pixels and the scale.
    public static func custom(
        identifier: String,
        _ transform: @escaping @Sendable (PixelBuffer, Double) throws -> PixelBuffer
    ) -> CustomFilter {
        CustomFilter(identifier: identifier, transform)
    }
}
