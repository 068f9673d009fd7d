public import CGTK
public import Vitrine

/// The picture in a slot of a ``URLImage``: a value that says how it is shown, and makes the widget that
/// shows it.
///
/// ```swift
/// URLImage(url) { picture in
///     picture.contentFit(.cover).fixedSize(width: 96, height: 96).accessibilityLabel("Portrait")
/// }
/// ```
///
/// The widget is a `GtkPicture`. Animations play in it while it is seen; when its size or scale changes it
/// is given the picture in the right size, without being made anew. In a slot for progress it shows what
/// has arrived, as soon as there is something.
@MainActor public struct URLImagePicture: WidgetConvertible {
    let feed: PictureFeed
    private let response: ImageResponse?
    var style: PictureStyle

    init(_ feed: PictureFeed, response: ImageResponse? = nil, style: PictureStyle) {
        self.feed = feed
        self.response = response
        self.style = style
    }

    // MARK: - What it is

    /// The picture, in the size in which it is shown just now; nil for a preview that has not come yet.
    public var image: RasterImage? { feed.image ?? response?.image }

    /// The `GdkTexture` of its first frame, which is the one that is drawn and not another copy.
    ///
    /// Blocks, in proportion to its pixels, if they are not opaque and not shown yet.
    public var texture: ImageTexture? { image.flatMap { ImageTexture.shared(for: $0) } }

    /// The bytes of its file, as they were received; nil for a preview, and if the picture came from
    /// memory.
    public var data: Data? { response?.data }

    // MARK: - How it is shown

    /// How it lies in its widget; that of the ``URLImage`` unless it is told here.
    public func contentFit(_ fit: ContentFit) -> Self { with { $0.contentFit = fit } }

    /// A size for the widget that does not change, in logical pixels.
    public func fixedSize(width: Double, height: Double) -> Self {
        with { $0.layout = .fixed(PointSize(width: width, height: height)) }
    }

    /// A ratio of width to height that does not change: the container says how wide the widget is.
    public func aspectRatio(_ ratio: Double) -> Self { with { $0.layout = .aspectRatio(ratio) } }

    /// What size the widget asks for.
    public func layout(_ layout: ImageLayout) -> Self { with { $0.layout = layout } }

    /// How it appears, if people have waited for it; that of the ``URLImage`` unless it is told here.
    public func transition(_ transition: ImageTransition) -> Self {
        with { $0.transition = transition }
    }

    /// What it shows, for people who do not see it: the name of the widget, and its description unless that
    /// is another one.
    public func accessibilityLabel(_ label: String, description: String? = nil) -> Self {
        with {
            $0.label = label
            $0.description = description
        }
    }

    private func with(_ change: (inout PictureStyle) -> Void) -> Self {
        var picture = self
        change(&picture.style)
        return picture
    }

    // MARK: - Widget

    /// Makes a widget that shows it.
    public func makeWidget() -> UnsafeMutablePointer<GtkWidget> {
        let widget: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        // The widget owns it, which the compiler does not see.
        let viewer = PictureViewer(widget, style, feed)
        withExtendedLifetime(viewer) { viewer.begin() }
        return widget
    }
}

/// How a picture of a slot is shown.
struct PictureStyle {
    var contentFit: ContentFit
    var layout: ImageLayout
    var transition: ImageTransition
    /// Whether one pixel of the file is one logical pixel, since the picture is decoded for the place
    /// where it is shown.
    var asksForOwnSize: Bool
    var label: String?
    var description: String?
}
