/// The size at which a filter aims.
public enum FilterSize: Sendable, Hashable {
    /// So many points across and down.
    case points(width: Double, height: Double)
    /// The size at which a view shows the picture.
    ///
    /// Whoever binds a picture to a view puts the real size in its place, by
    /// ``ImageFilter/resolved(viewSize:)``. Without a view it is an error.
    case viewSize

    /// "600.0,400.0" or "viewSize", for identifiers.
    var identifier: String {
        switch self {
        case .points(let width, let height): "\(width),\(height)"
        case .viewSize: "viewSize"
        }
    }

    /// The size in whole pixels, each side rounded to the nearest and at least 1.
    func pixels(scale: Double) throws(ImagingError) -> PixelSize {
        switch self {
        case .points(let width, let height):
            PixelSize(
                width: try FilterLength.side(width, scale: scale, name: "width"),
                height: try FilterLength.side(height, scale: scale, name: "height"))
        case .viewSize:
            throw .invalidArgument(
                name: "size", reason: "there is no view whose size could be taken")
        }
    }

    /// The same with the size of a view, in points, where that is wanted.
    func resolved(_ viewSize: PointSize) -> FilterSize {
        self == .viewSize ? .points(width: viewSize.width, height: viewSize.height) : self
    }
}
