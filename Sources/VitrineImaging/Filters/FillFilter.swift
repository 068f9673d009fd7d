/// Makes a picture exactly a size; keeps the aspect, cuts off what is too much, and enlarges if it must.
public struct FillFilter: ImageFilter, Hashable {
    /// What is kept of a picture of another aspect.
    public enum Crop: String, Sendable, Hashable, CaseIterable {
        /// The middle: what is too much goes evenly on both sides.
        case center
        /// What is likely to draw the eye: edges, skin tones and saturated colours, as libvips weighs
        /// them. A few milliseconds a million pixels.
        case attention
        /// Where most happens: the part with the highest entropy, as libvips finds it. Some ten
        /// milliseconds a million pixels.
        case entropy
    }

    /// The size.
    public let size: FilterSize
    /// What is kept; the same picture always keeps the same.
    public let crop: Crop

    /// A filter; its values are checked when it is applied.
    public init(_ size: FilterSize, crop: Crop = .center) {
        self.size = size
        self.crop = crop
    }

    /// A filter; its values, in points, are checked when it is applied.
    public init(width: Double, height: Double, crop: Crop = .center) {
        self.init(.points(width: width, height: height), crop: crop)
    }

    /// For example "fill(100.0,100.0)" or "fill(100.0,100.0,attention)".
    public var identifier: String {
        "fill(\(size.identifier)\(crop == .center ? "" : ",\(crop.rawValue)"))"
    }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        let size = try size.pixels(scale: scale)
        let plan = ResizePlan(.fill(width: size.width, height: size.height), source: frame.size)
        return try VipsResizer.resize(frame, by: plan, crop: crop)
    }

    /// The same for a view of this size.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        FillFilter(size.resolved(viewSize), crop: crop)
    }
}

extension ImageFilter where Self == FillFilter {
    /// Exactly width × height points; keeps the aspect, with a centred crop.
    public static func fill(width: Double, height: Double) -> FillFilter {
        FillFilter(width: width, height: height)
    }

    /// Exactly a size; keeps the aspect, with a centred crop.
    public static func fill(_ size: FilterSize) -> FillFilter { FillFilter(size) }

    /// Exactly width × height points; keeps the aspect, and of the picture what counts most.
    public static func smartFill(
        width: Double, height: Double, crop: FillFilter.Crop = .attention
    ) -> FillFilter {
        FillFilter(width: width, height: height, crop: crop)
    }

    /// Exactly a size; keeps the aspect, and of the picture what counts most.
    public static func smartFill(
        _ size: FilterSize, crop: FillFilter.Crop = .attention
    ) -> FillFilter {
        FillFilter(size, crop: crop)
    }
}
