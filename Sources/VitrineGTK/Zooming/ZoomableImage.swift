public import CGTK

/// A picture that zooms and pans: a widget for the view of one picture.
///
/// ```swift
/// let detail = ZoomableImage()
/// gtk_window_set_child(window, detail.widget)
/// detail.show(.image(image))
/// ```
///
/// The wheel and two fingers zoom about the pointer, dragging moves the picture, a double click changes
/// between all of it and its own size. By keyboard `+` and `-` zoom, `0` shows all, `1` its own size, and the
/// arrows move it; arrows at the picture's edge are left to whoever else listens, so that they can lead to
/// the next picture.
///
/// The widget owns what it needs; this object may go before it.
@MainActor public final class ZoomableImage {
    /// A `GtkPicture`, which can be focused.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// What it shows; its content fit has no effect here.
    public let paintable: ImagePaintable
    let controller: ZoomController
    private let held: HeldObject

    /// A widget that shows nothing.
    public init() {
        paintable = ImagePaintable()
        paintable.layout = .none
        paintable.contentFit = .scaleDown
        widget = cgtk_picture_new(paintable.pointer)
        held = HeldObject(widget.opaque)
        gtk_picture_set_content_fit(widget.opaque, GTK_CONTENT_FIT_FILL)
        gtk_widget_set_focusable(widget, 1)
        gtk_widget_set_hexpand(widget, 1)
        gtk_widget_set_vexpand(widget, 1)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        paintable.attach(to: widget)
        controller = ZoomController(paintable.core)
        controller.listen(to: widget)
        setBelonging(controller, of: widget, name: "vitrine-zoom")
    }

    /// Shows another content. All of it is seen, unless it is a better picture in place of a preview:
    /// then zoom and place stay.
    public func show(_ content: ImageContent, transition: ImageTransition = .none) {
        if !(paintable.content.isPreview && content.image != nil) { controller.change { $0.fit() } }
        paintable.show(content, transition: transition)
    }

    /// Logical pixels for each of the picture; 1 is its own size.
    ///
    /// Setting it zooms about the middle, within what is sensible: not smaller than all of it, nor larger
    /// than 16.
    public var zoom: Double {
        get { controller.viewport.scale }
        set { controller.change { $0.zoom(to: newValue) } }
    }

    /// Called when ``zoom`` or ``isFitted`` have changed, by whatever: a person, a call, another picture,
    /// or another size of the widget; and once the first picture is seen, whatever they are. Never called
    /// while GTK draws; nil by default.
    public var zoomChanged: (@MainActor () -> Void)? {
        get { controller.zoomChanged }
        set { controller.zoomChanged = newValue }
    }

    /// Whether all of the picture is seen, whatever size the widget has.
    public var isFitted: Bool { controller.viewport.isFitted }

    /// Shows all of the picture.
    public func zoomToFit() { controller.change { $0.fit() } }
}
