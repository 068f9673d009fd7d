/// A place within a picture.
public enum ImageAlignment: String, Sendable, Hashable, CaseIterable {
    case topLeft, top, topRight
    case left, center, right
    case bottomLeft, bottom, bottomRight

    /// Where a part begins; in the middle rounded towards the upper left.
    func origin(of part: PixelSize, in whole: PixelSize) -> (left: Int, top: Int) {
        let across = whole.width - part.width
        let down = whole.height - part.height
        let left =
            switch self {
            case .topLeft, .left, .bottomLeft: 0
            case .top, .center, .bottom: across >> 1
            case .topRight, .right, .bottomRight: across
            }
        let top =
            switch self {
            case .topLeft, .top, .topRight: 0
            case .left, .center, .right: down >> 1
            case .bottomLeft, .bottom, .bottomRight: down
            }
        return (left, top)
    }
}
