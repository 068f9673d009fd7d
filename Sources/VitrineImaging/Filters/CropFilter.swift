/// Cuts a rectangle out of a picture.
///
/// Its edges are rounded to the nearest pixels, so that neighbours in points are neighbours in pixels, and
/// it has at least one pixel. What of it lies outside the picture is left away.
public struct CropFilter: ImageFilter, Hashable {
    /// Points from the left edge of the picture.
    public let x: Double
    /// Points from the upper edge of the picture.
    public let y: Double
    /// Points across.
    public let width: Double
    /// Points down.
    public let height: Double

    /// A filter; its values are checked when it is applied.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// For example "crop(10.0,0.0,50.0,80.0)".
    public var identifier: String { "crop(\(x),\(y),\(width),\(height))" }

    /// - Throws: ``ImagingError/invalidArgument(name:reason:)`` or
    ///   ``ImagingError/tooLarge(what:found:limit:)`` for a length that is not positive or too large, and
    ///   for a rectangle that lies outside the picture.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        _ = try FilterLength.side(width, scale: scale, name: "width")
        _ = try FilterLength.side(height, scale: scale, name: "height")
        let columns = try Self.range(x, width, of: frame.size.width, scale, "x")
        let rows = try Self.range(y, height, of: frame.size.height, scale, "y")
        return try frame.cropped(
            left: columns.lowerBound, top: rows.lowerBound,
            to: PixelSize(width: columns.count, height: rows.count))
    }

    private static func range(
        _ start: Double, _ length: Double, of side: Int, _ scale: Double, _ name: String
    ) throws(ImagingError) -> Range<Int> {
        let first = try FilterLength.offset(start, scale: scale, name: name)
        let end = try FilterLength.offset(start + length, scale: scale, name: name)
        let range = max(0, first)..<max(0, first, min(side, max(end, first + 1)))
        guard !range.isEmpty, range.lowerBound < side else {
            throw .invalidArgument(
                name: name, reason: "the rectangle at \(start) lies outside the picture")
        }
        return range
    }
}

extension ImageFilter where Self == CropFilter {
    /// A rectangle of the picture, in points from its upper left corner.
    public static func crop(x: Double, y: Double, width: Double, height: Double) -> CropFilter {
        CropFilter(x: x, y: y, width: width, height: height)
    }
}
