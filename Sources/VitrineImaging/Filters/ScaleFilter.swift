/// Stretches a picture to exactly a size, whatever its aspect.
public struct ScaleFilter: ImageFilter, Hashable {
    /// The size.
    public let size: FilterSize

    /// A filter; its values are checked when it is applied.
    public init(_ size: FilterSize) {
        self.size = size
    }

    /// A filter; its values, in points, are checked when it is applied.
    public init(width: Double, height: Double) {
        self.init(.points(width: width, height: height))
    }

    /// For example "scaled(320.0,200.0)".
    public var identifier: String { "scaled(\(size.identifier))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let size = try size.pixels(scale: scale)
        return try VipsResizer.resize(frame, by: ResizePlan(exactly: size, source: frame.size))
    }

    /// The same for a view of this size.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        ScaleFilter(size.resolved(viewSize))
    }
}

extension ImageFilter where Self == ScaleFilter {
    /// Exactly width × height points, whatever the aspect.
    public static func scaled(width: Double, height: Double) -> ScaleFilter {
        ScaleFilter(width: width, height: height)
    }

    /// Exactly a size, whatever the aspect.
    public static func scaled(_ size: FilterSize) -> ScaleFilter { ScaleFilter(size) }
}
