public import VitrineImaging

/// What size a paintable asks for, so that a layout need not jump when its picture arrives.
public enum ImageLayout: Sendable, Hashable {
    /// That of the picture, in logical pixels; none while there is no picture.
    case natural
    /// None: the widget's own size request and expansion decide.
    case none
    /// Always this one, in logical pixels, whatever is shown.
    case fixed(PointSize)
    /// Always this ratio of width to height, from 1:16,384 to 16,384:1; the widget decides how large.
    case aspectRatio(Double)

    /// What is asked for; zero is no wish.
    struct Wish: Hashable {
        var width: Double = 0
        var height: Double = 0
        var aspectRatio: Double = 0
    }

    /// The wish for a picture of this size, nil if there is none. What is no positive number is no wish, nor is
    /// a ratio out of bounds.
    func wish(for picture: PointSize?) -> Wish {
        switch self {
        case .natural: picture.map(Self.wish) ?? Wish()
        case .none: Wish()
        case .fixed(let size): Self.wish(of: size)
        case .aspectRatio(let ratio): Wish(aspectRatio: Self.ratio(ratio) ?? 0)
        }
    }

    /// The longest side that a widget is given, in logical pixels; more than a window has.
    static let longest = 16_384.0

    /// The ratio, if a widget can have it; one that would leave it no width or no height is no wish.
    static func ratio(_ ratio: Double) -> Double? {
        (1 / longest...longest).contains(ratio) ? ratio : nil
    }

    private static func wish(of size: PointSize) -> Wish {
        guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else {
            return Wish()
        }
        let ratio = size.width / size.height
        return Wish(
            width: size.width, height: size.height,
            aspectRatio: ratio.isFinite && ratio > 0 ? ratio : 0)
    }
}
