import CGTK
public import VitrineImaging

/// What an ``ImagePaintable`` shows.
public struct ImageContent {
    enum Kind {
        case empty
        case image(RasterImage, size: PointSize?, isPreview: Bool)
        case paintable(HeldObject, fit: ContentFit?)
    }

    let kind: Kind

    /// Nothing: what is behind it is seen.
    public static var empty: ImageContent { ImageContent(kind: .empty) }

    /// A picture; an animation plays while it is seen.
    public static func image(_ image: RasterImage) -> ImageContent {
        ImageContent(kind: .image(image, size: nil, isPreview: false))
    }

    /// A picture for the time being. Whatever picture follows takes its place without a transition.
    ///
    /// - Parameter size: that of the picture which is expected, in points, so that the layout stays as it
    ///   is when that comes; nil if it will be as large as this one.
    public static func preview(_ image: RasterImage, size: PointSize? = nil) -> ImageContent {
        ImageContent(kind: .image(image, size: size, isPreview: true))
    }

    /// What GTK draws by itself: a texture, an icon, anything that is a `GdkPaintable`. A reference is
    /// taken as long as the content lives.
    ///
    /// A symbolic icon takes the text colour of the widget to which the paintable is attached.
    ///
    /// - Parameter fit: how it lies in the area; nil as pictures do.
    public static func paintable(_ paintable: OpaquePointer, fit: ContentFit? = nil) -> ImageContent
    {
        ImageContent(kind: .paintable(HeldObject(paintable), fit: fit))
    }

    /// An icon: as ``paintable(_:fit:)``, in its own size in the middle of the area, or smaller if that
    /// is small.
    public static func icon(_ icon: OpaquePointer) -> ImageContent {
        .paintable(icon, fit: .scaleDown)
    }

    /// The picture; nil if there is none.
    public var image: RasterImage? {
        if case .image(let image, _, _) = kind { return image }
        return nil
    }

    /// Whether there is nothing.
    public var isEmpty: Bool {
        if case .empty = kind { return true }
        return false
    }

    /// Whether a better picture is expected.
    public var isPreview: Bool {
        if case .image(_, _, true) = kind { return true }
        return false
    }
}
