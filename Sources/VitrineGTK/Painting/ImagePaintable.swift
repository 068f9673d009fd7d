public import CGTK
import VitrineBase
import VitrineImaging

/// What draws pictures in GTK: a `GdkPaintable` for still and animated pictures and placeholders, with
/// content fit, scale, transitions, and a size that does not depend on what has arrived.
///
/// ```swift
/// let paintable = ImagePaintable()
/// paintable.contentFit = .cover
/// paintable.layout = .fixed(PointSize(width: 200, height: 150))
/// paintable.attach(to: picture)
/// gtk_picture_set_paintable(OpaquePointer(picture), paintable.pointer)
/// gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_FILL)
/// paintable.show(.image(image), transition: .crossDissolve())
/// ```
///
/// Any number of widgets may show it. Those to which it is attached lend it their frame clock: transitions
/// and animations move while one of them is mapped, and nothing is done while none is. GTK may hold it
/// longer than Swift does, or the other way round; all of it lives as long as either does.
@MainActor public final class ImagePaintable {
    /// The `GdkPaintable`. It is borrowed; GTK's setters take a reference of their own.
    public var pointer: OpaquePointer { held.pointer }

    private let held: HeldObject
    let core: PaintableCore

    /// A paintable that shows nothing.
    public init() {
        (held, core) = PaintableObject.make()
    }

    /// The paintable behind a pointer, as a widget has it for example; nil if it is not one of these.
    public init?(_ pointer: OpaquePointer) {
        guard let core = PaintableObject.core(of: pointer) else { return nil }
        held = HeldObject(pointer)
        self.core = core
    }

    // MARK: - Content

    /// What is shown, or will be as soon as its pixels are ready.
    public var content: ImageContent { core.content }

    /// Shows another content in place of the one so far.
    ///
    /// An opaque picture, and one of up to a million pixels, is there when this returns. A larger one that
    /// is not opaque is prepared by another thread first; until then the content so far stays.
    ///
    /// There is no transition if no widget is mapped to which this is attached, if people do not want
    /// things to move (`gtk-enable-animations`), or if a picture takes the place of its preview.
    public func show(_ content: ImageContent, transition: ImageTransition = .none) {
        core.show(content, transition: transition)
    }

    // MARK: - Look

    /// How pictures lie in the area; by default all of it is seen.
    ///
    /// The widget must leave the whole area to the paintable: a `GtkPicture` has a content fit of its own,
    /// which has to be `GTK_CONTENT_FIT_FILL`.
    public var contentFit: ContentFit {
        get { core.fit }
        set { core.fit = newValue }
    }

    /// Pixels of pictures for each logical pixel; nil, the default, is each picture's own scale. What is
    /// no positive number counts as nil.
    public var scale: Double? {
        get { core.scale }
        set { core.scale = newValue }
    }

    /// The size for which widgets are asked; by default that of the picture.
    public var layout: ImageLayout {
        get { core.layout }
        set { core.layout = newValue }
    }

    // MARK: - Time

    /// Whether animations stand still although they are seen.
    public var isPaused: Bool {
        get { core.isPaused }
        set { core.isPaused = newValue }
    }

    /// The frame of an animation that shows, counted from 0; 0 for everything else.
    public var frameIndex: Int { core.frameIndex }

    /// Whether a transition or an animation runs just now.
    public var isMoving: Bool { core.isMoving }

    /// Lets the widget's frame clock drive what moves; without a mapped one nothing does. Neither keeps
    /// the other alive.
    public func attach(to widget: UnsafeMutablePointer<GtkWidget>) {
        core.attach(WidgetClock.of(widget))
    }

    /// Ends what ``attach(to:)`` began.
    public func detach(from widget: UnsafeMutablePointer<GtkWidget>) {
        core.detach(WidgetClock.of(widget))
    }

    /// Calls `body` with the size, in logical pixels, of the area in which a widget draws this, whenever
    /// that has changed; while GTK draws, so that nothing may be changed in it.
    func whenDrawn(_ body: @escaping (PointSize) -> Void) { core.areaChanged = body }

    /// Takes the time from elsewhere than from frames, for tests.
    var time: TimeSource? {
        get { core.time }
        set { core.time = newValue }
    }
}
