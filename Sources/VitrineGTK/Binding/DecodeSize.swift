import VitrineImaging

/// At what size a picture is decoded for an area on screen: a pure rule.
///
/// Sides are rounded up by steps of a quarter to an eighth of their length, so that one who drags the
/// edge of a window does not load a picture anew with each pixel, and no picture is more than a
/// quarter longer and wider than it need be.
struct DecodeSize: Hashable {
    /// In device pixels.
    var target: TargetSize
    /// Device pixels for each logical one.
    var scale: Double

    /// No side is longer, whatever is asked for: more than any screen has.
    static let longestSide = 16_384

    /// What an area needs; nil where pictures are shown as large as they are, or nothing can be seen.
    ///
    /// - Parameters:
    ///   - area: in logical pixels.
    ///   - hasFixedShape: whether the area has the same ratio of its sides whatever its size.
    ///   - own: the size of the whole picture, if it is known.
    init?(
        area: PointSize, scale: Double, fit: ContentFit, hasFixedShape: Bool, own: PixelSize? = nil
    ) {
        let factor = scale.isFinite && scale > 0 ? scale : 1
        guard area.width > 0, area.height > 0, area.width.isFinite, area.height.isFinite else {
            return nil
        }
        let width = area.width * factor
        let height = area.height * factor
        self.scale = factor
        switch fit {
        case .none: return nil
        case .contain, .scaleDown:
            target = .fit(width: Self.step(above: width), height: Self.step(above: height))
        case .cover where hasFixedShape:
            // Cut off as it will be shown; another shape would cut off the wrong part.
            let longer = max(width, height)
            let growth = Double(Self.step(above: longer)) / longer
            target = .fill(
                width: Self.whole((width * growth).rounded()),
                height: Self.whole((height * growth).rounded()))
        case .cover, .fill:
            guard let own, own.width > 0, own.height > 0 else {
                // Enough for pictures up to half as wide again as the area.
                let side = Self.step(above: max(width, height) * 1.5)
                target = .fit(width: side, height: side)
                return
            }
            let across = width / Double(own.width)
            let down = height / Double(own.height)
            let growth = max(across, down)
            target = .fit(
                width: Self.step(above: Double(own.width) * growth),
                height: Self.step(above: Double(own.height) * growth))
        }
    }

    /// Whether a picture of this size can stay where that one would be decoded: it is as large, and not
    /// more than twice as large.
    func isEnough(for needed: DecodeSize) -> Bool {
        guard scale == needed.scale else { return false }
        switch (target, needed.target) {
        case (.fit(let width, let height), .fit(let neededWidth, let neededHeight)):
            return Self.isEnough(width, height, neededWidth, neededHeight)
        case (.fill(let width, let height), .fill(let neededWidth, let neededHeight)):
            // The same shape, but for the rounding to whole pixels.
            return abs(width * neededHeight - height * neededWidth) <= max(width, height)
                && Self.isEnough(width, height, neededWidth, neededHeight)
        default: return target == needed.target
        }
    }

    /// Whether it is at most half as long and wide.
    func isHalf(of other: DecodeSize) -> Bool {
        let (width, height) = Self.sides(target)
        let (otherWidth, otherHeight) = Self.sides(other.target)
        return 2 * width <= otherWidth && 2 * height <= otherHeight
    }

    private static func sides(_ target: TargetSize) -> (width: Int, height: Int) {
        switch target {
        case .fit(let width, let height), .fill(let width, let height): (width, height)
        case .maximum(let side): (side, side)
        }
    }

    private static func isEnough(
        _ width: Int, _ height: Int, _ neededWidth: Int, _ neededHeight: Int
    ) -> Bool {
        width >= neededWidth && height >= neededHeight
            && (width <= 2 * neededWidth || height <= 2 * neededHeight)
    }

    /// The next step: a multiple of a quarter of the power of two below, at least 16.
    static func step(above length: Double) -> Int {
        let length = whole(length)
        var power = 64
        while power * 2 <= length { power *= 2 }
        let step = power / 4
        return min((length + step - 1) / step * step, longestSide)
    }

    private static func whole(_ length: Double) -> Int {
        Int(min(max(length.rounded(.up), 1), Double(longestSide)))
    }
}
