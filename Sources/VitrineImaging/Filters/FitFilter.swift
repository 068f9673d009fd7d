/// Makes a picture as large as fits into a size; keeps the aspect, and enlarges only if asked.
///
/// Each side is rounded to the nearest pixel and is at least 1.
public struct FitFilter: ImageFilter, Hashable {
    /// The size that it does not exceed.
    public let size: FilterSize
    /// Whether a smaller picture is enlarged.
    public let upscales: Bool

    /// A filter; its values are checked when it is applied.
    public init(_ size: FilterSize, upscales: Bool = false) {
        self.size = size
        self.upscales = upscales
    }

    /// A filter; its values, in points, are checked when it is applied.
    public init(width: Double, height: Double, upscales: Bool = false) {
        self.init(.points(width: width, height: height), upscales: upscales)
    }

    /// For example "fit(600.0,400.0)" or "fit(600.0,400.0,upscales)".
    public var identifier: String { "fit(\(size.identifier)\(upscales ? ",upscales" : ""))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try Self.fitted(frame, into: size.pixels(scale: scale), upscales: upscales)
    }

    /// The same for a view of this size.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        FitFilter(size.resolved(viewSize), upscales: upscales)
    }

    static func fitted(
        _ frame: PixelBuffer, into box: PixelSize, upscales: Bool
    ) throws -> PixelBuffer {
        let source = frame.size
        let plan: ResizePlan
        if upscales, source.width < box.width, source.height < box.height {
            let factor = min(
                Double(box.width) / Double(source.width),
                Double(box.height) / Double(source.height))
            func side(_ length: Int, _ limit: Int) -> Int {
                max(1, min(limit, Int((Double(length) * factor).rounded())))
            }
            let size = PixelSize(
                width: side(source.width, box.width), height: side(source.height, box.height))
            plan = ResizePlan(exactly: size, source: source)
        } else {
            plan = ResizePlan(.fit(width: box.width, height: box.height), source: source)
        }
        return try VipsResizer.resize(frame, by: plan)
    }
}

extension ImageFilter where Self == FitFilter {
    /// As large as fits into width × height points; keeps the aspect, and enlarges only if asked.
    public static func fit(
        width: Double, height: Double, upscales: Bool = false
    ) -> FitFilter {
        FitFilter(width: width, height: height, upscales: upscales)
    }

    /// As large as fits into a size; keeps the aspect, and enlarges only if asked.
    public static func fit(_ size: FilterSize, upscales: Bool = false) -> FitFilter {
        FitFilter(size, upscales: upscales)
    }
}
