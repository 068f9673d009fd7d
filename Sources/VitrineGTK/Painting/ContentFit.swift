public import VitrineImaging

/// How a picture lies in an area of another size or shape.
///
/// The names and rules are those of `object-fit` (CSS Images Level 3, section 5.5) and of GTK 4.8's
/// content fit.
public enum ContentFit: Sendable, Hashable, CaseIterable {
    /// It is stretched to the whole area.
    case fill
    /// As large as possible with all of it seen, centred.
    case contain
    /// As small as possible with the area covered, centred; what stands over is cut off.
    case cover
    /// As ``contain``, but never larger than it is.
    case scaleDown
    /// As large as it is, centred; what stands over is cut off.
    case none

    /// A rectangle in logical pixels; the area's top left corner is at 0, 0.
    public struct Rectangle: Sendable, Hashable {
        /// Left edge; negative where the picture stands over.
        public var x: Double
        /// Top edge.
        public var y: Double
        /// From left to right.
        public var width: Double
        /// From top to bottom.
        public var height: Double

        /// A rectangle; nothing is checked here.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        /// The part of it that lies in the area; it may be empty.
        func intersection(with area: PointSize) -> Rectangle {
            let (left, top) = (max(x, 0), max(y, 0))
            let (right, bottom) = (min(x + width, area.width), min(y + height, area.height))
            return Rectangle(
                x: left, y: top, width: x >= 0 && right == x + width ? width : max(right - left, 0),
                height: y >= 0 && bottom == y + height ? height : max(bottom - top, 0))
        }
    }

    /// Where a picture of this size lies in the area; nil where nothing can be seen, since a side of
    /// either is not positive, is no number, or so far from the other that the result is none.
    public func rectangle(for picture: PointSize, in area: PointSize) -> Rectangle? {
        guard Self.isVisible(picture), Self.isVisible(area) else { return nil }
        let across = area.width / picture.width
        let down = area.height / picture.height
        let factor: (x: Double, y: Double) =
            switch self {
            case .fill: (across, down)
            case .contain: (min(across, down), min(across, down))
            case .cover: (max(across, down), max(across, down))
            case .scaleDown: (min(across, down, 1), min(across, down, 1))
            case .none: (1, 1)
            }
        let size = PointSize(width: picture.width * factor.x, height: picture.height * factor.y)
        guard Self.isVisible(size) else { return nil }
        return Rectangle(
            x: (area.width - size.width) / 2, y: (area.height - size.height) / 2,
            width: size.width, height: size.height)
    }

    private static func isVisible(_ size: PointSize) -> Bool {
        size.width > 0 && size.height > 0 && size.width.isFinite && size.height.isFinite
    }
}
