/// Makes a picture as large as fits into width × height points; keeps the aspect, never enlarges.
///
/// Each side is rounded to the nearest pixel and is at least 1.
public struct FitFilter: ImageFilter, Hashable {
    /// The most points across.
    public let width: Double
    /// The most points down.
    public let height: Double

    /// A filter; its values are checked when it is applied.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// For example "fit(600.0,400.0)".
    public var identifier: String { "fit(\(width),\(height))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let target = TargetSize.fit(
            width: try FilterLength.side(width, scale: scale, name: "width"),
            height: try FilterLength.side(height, scale: scale, name: "height"))
        return try VipsResizer.resize(frame, by: ResizePlan(target, source: frame.size))
    }
}

extension ImageFilter where Self == FitFilter {
    /// As large as fits into width × height points; keeps the aspect, never enlarges.
    public static func fit(width: Double, height: Double) -> FitFilter {
        FitFilter(width: width, height: height)
    }
}
