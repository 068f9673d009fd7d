import CGTK
import Vitrine
import VitrineImaging

/// Brings the pictures of one slot to the widgets that show them, however often that is.
@MainActor final class PictureFeed {
    /// Where a picture is seen, and how.
    struct Place: Equatable {
        var area: PointSize
        var contentFit: ContentFit
        var layout: ImageLayout
    }

    private(set) var image: RasterImage?
    private let isPreview: Bool
    private var viewers: [WeakViewer] = []
    private var place: Place?
    /// Told the largest place, when it has changed; while GTK draws, so that nothing may be changed in it.
    var placeChanged: (Place?) -> Void = { _ in }

    private struct WeakViewer { weak var viewer: PictureViewer? }

    init(isPreview: Bool) { self.isPreview = isPreview }

    /// Everyone shows the picture from now on; nil for none.
    func show(_ image: RasterImage?, withTransition: Bool = false) {
        self.image = image
        for viewer in living { viewer.show(content, withTransition: withTransition) }
    }

    var content: ImageContent {
        guard let image else { return .empty }
        return isPreview ? .preview(image) : .image(image)
    }

    func add(_ viewer: PictureViewer) {
        viewers.removeAll { $0.viewer == nil }
        viewers.append(WeakViewer(viewer: viewer))
    }

    private var living: [PictureViewer] { viewers.compactMap(\.viewer) }

    func viewerDrawn() {
        let places = living.compactMap(\.place)
        let largest = places.max {
            $0.area.width * $0.area.height < $1.area.width * $1.area.height
        }
        guard largest != place else { return }
        place = largest
        placeChanged(largest)
    }
}

/// What shows the pictures of a slot in one widget, which owns it.
@MainActor final class PictureViewer {
    private static let name = "vitrine-picture-viewer"
    private let paintable = ImagePaintable()
    private let style: PictureStyle
    private let feed: PictureFeed
    private(set) var place: PictureFeed.Place?

    /// - Parameter widget: a `GtkPicture` without a picture.
    init(_ widget: UnsafeMutablePointer<GtkWidget>, _ style: PictureStyle, _ feed: PictureFeed) {
        self.style = style
        self.feed = feed
        setBelonging(self, of: widget, name: Self.name)
        paintable.contentFit = style.contentFit
        paintable.layout = style.layout
        paintable.attach(to: widget)
        gtk_picture_set_paintable(widget.opaque, paintable.pointer)
        gtk_picture_set_content_fit(widget.opaque, GTK_CONTENT_FIT_FILL)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        if case .fixed(let size) = style.layout {
            gtk_widget_set_size_request(
                widget, gint(pixels: size.width), gint(pixels: size.height))
            gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        }
        if style.layout == .none {
            // The room is that of the slot: beside labels and bars the picture takes what they leave.
            gtk_widget_set_hexpand(widget, 1)
            gtk_widget_set_vexpand(widget, 1)
        }
        if let label = style.label {
            widget.vitrine.alternativeText = label
            if let description = style.description {
                gtk_picture_set_alternative_text(widget.opaque, description)
            }
        }
    }

    /// Shows what there is by now, and what will come.
    func begin() {
        feed.add(self)
        paintable.whenDrawn { [weak self] area in self?.drawn(area) }
        show(feed.content, withTransition: false)
    }

    func show(_ content: ImageContent, withTransition: Bool) {
        if style.asksForOwnSize, style.layout == .natural, let size = content.image?.info.pixelSize
        {
            paintable.layout = .fixed(
                PointSize(width: Double(size.width), height: Double(size.height)))
        }
        paintable.show(content, transition: withTransition ? style.transition : .none)
    }

    private func drawn(_ area: PointSize) {
        place = PictureFeed.Place(area: area, contentFit: style.contentFit, layout: style.layout)
        feed.viewerDrawn()
    }
}
