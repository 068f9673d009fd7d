import CGTK
import Vitrine
import VitrineGTK

/// Shows one picture, which can be made larger and moved about.
@MainActor final class ZoomPane {
    /// A `GtkScrolledWindow`.
    let widget: Widget
    private let picture: Widget
    private let paintable = ImagePaintable()
    private(set) var level = ZoomLevel.fit
    /// Of the picture, in its own pixels; nil while there is none.
    private var size: PixelSize?
    /// The point that stays in the middle, in shares of the picture, while its size changes.
    private var middle: (x: Double, y: Double)?
    private var dragged: (x: Double, y: Double) = (0, 0)
    /// Called when the zoom has changed, also since the window has.
    var changed: () -> Void = {}

    init() {
        widget = gtk_scrolled_window_new()
        picture = gtk_picture_new()
        gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_FILL)
        gtk_picture_set_paintable(picture.opaque, paintable.pointer)
        paintable.layout = .none
        paintable.attach(to: picture)
        gtk_scrolled_window_set_child(widget.opaque, picture)
        gtk_scrolled_window_set_kinetic_scrolling(widget.opaque, 1)
        gtk_widget_set_focusable(widget, 1)
        watchPointer()
        for adjustment in [across, down] {
            connect(adjustment?.opaque, "changed") { [weak self] _ in self?.settle() }
        }
        apply()
    }

    /// Shows a picture as the window has room, or nothing.
    func show(_ content: ImageContent, transition: ImageTransition = .none) {
        let old = size
        size = content.image?.info.pixelSize
        // A picture takes the place of its preview, at which one may have looked closely.
        if size != old { level = .fit }
        paintable.show(content, transition: transition)
        apply()
    }

    /// The name for assistive technology, and what it shows.
    func name(_ name: String, description: String?) { picture.name(name, description: description) }

    // MARK: - Zoom

    /// What fitting comes to just now.
    var fitted: Double {
        guard let size, size.width > 0, size.height > 0 else { return 1 }
        let factor = scaleFactor
        let share = min(
            Double(gtk_widget_get_width(widget)) * factor / Double(size.width),
            Double(gtk_widget_get_height(widget)) * factor / Double(size.height))
        return share > 0 ? min(share, 1) : 1
    }

    var percent: String { level.percent(fitted: fitted) }

    func zoom(_ change: (ZoomLevel, Double) -> ZoomLevel) {
        guard let size else { return }
        let next = change(level, fitted)
            .bounded(longerSide: Double(max(size.width, size.height)) / scaleFactor)
        guard next != level else { return }
        middle = level == .fit ? (0.5, 0.5) : (Self.middle(of: across), Self.middle(of: down))
        level = next
        apply()
    }

    func zoomIn() { zoom { $0.zoomedIn(fitted: $1) } }
    func zoomOut() { zoom { $0.zoomedOut(fitted: $1) } }

    /// Moves the picture, by shares of what is seen; false if all of it is in sight.
    func pan(_ x: Double, _ y: Double) -> Bool {
        guard level != .fit else { return false }
        Self.move(across, by: x * (across.map { gtk_adjustment_get_page_size($0) } ?? 0))
        Self.move(down, by: y * (down.map { gtk_adjustment_get_page_size($0) } ?? 0))
        return true
    }

    private var scaleFactor: Double { Double(gtk_widget_get_scale_factor(widget)) }
    private var across: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_hadjustment(widget.opaque)
    }
    private var down: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_vadjustment(widget.opaque)
    }

    private func apply() {
        if let factor = level.factor, let size {
            let logical = factor / scaleFactor
            paintable.contentFit = .fill
            gtk_scrolled_window_set_policy(
                widget.opaque, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
            gtk_widget_set_size_request(
                picture, Int32((Double(size.width) * logical).rounded(.up)),
                Int32((Double(size.height) * logical).rounded(.up)))
            picture.placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        } else {
            paintable.contentFit = .scaleDown
            gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_NEVER)
            gtk_widget_set_size_request(picture, -1, -1)
            picture.placed(GTK_ALIGN_FILL, GTK_ALIGN_FILL)
        }
        gtk_widget_set_cursor_from_name(widget, level == .fit ? nil : "grab")
        changed()
    }

    /// The area has got its new size: the same point goes to the middle.
    private func settle() {
        if let middle, level != .fit {
            // Both have to be known; each tells of itself.
            Self.move(across, middle: middle.x)
            Self.move(down, middle: middle.y)
        }
        changed()
    }

    private static func middle(of adjustment: UnsafeMutablePointer<GtkAdjustment>?) -> Double {
        guard let adjustment else { return 0.5 }
        let length = gtk_adjustment_get_upper(adjustment)
        let centre =
            gtk_adjustment_get_value(adjustment) + gtk_adjustment_get_page_size(adjustment) / 2
        return length > 0 ? centre / length : 0.5
    }

    private static func move(
        _ adjustment: UnsafeMutablePointer<GtkAdjustment>?, middle: Double
    ) {
        guard let adjustment else { return }
        gtk_adjustment_set_value(
            adjustment,
            middle * gtk_adjustment_get_upper(adjustment)
                - gtk_adjustment_get_page_size(adjustment) / 2)
    }

    private static func move(
        _ adjustment: UnsafeMutablePointer<GtkAdjustment>?, by distance: Double
    ) {
        guard let adjustment else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance)
    }

    // MARK: - Pointer

    private func watchPointer() {
        let drag: OpaquePointer = gtk_gesture_drag_new()
        connect(drag, "drag-begin") { [weak self] _ in
            self?.dragged = (0, 0)
            self?.middle = nil
        }
        connect(drag, "drag-update") { [weak self] arguments in
            guard let self, let x = arguments.number(at: 1), let y = arguments.number(at: 2),
                self.level != .fit
            else { return }
            Self.move(self.across, by: self.dragged.x - x)
            Self.move(self.down, by: self.dragged.y - y)
            self.dragged = (x, y)
        }
        gtk_widget_add_controller(widget, drag)

        let click: OpaquePointer = gtk_gesture_click_new()
        connect(click, "pressed") { [weak self] arguments in
            guard arguments.count(at: 1) == 2 else { return }
            self?.zoom { $0.toggled(fitted: $1) }
        }
        gtk_widget_add_controller(widget, click)

        let wheel: OpaquePointer = gtk_event_controller_scroll_new(
            GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
        connectAnswering(wheel, "scroll") { [weak self] arguments in
            let keys = gtk_event_controller_get_current_event_state(wheel)
            guard let self, keys.rawValue & GDK_CONTROL_MASK.rawValue != 0,
                let distance = arguments.number(at: 2), distance != 0
            else { return false }
            if distance < 0 { self.zoomIn() } else { self.zoomOut() }
            return true
        }
        // Before the area scrolls.
        gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, wheel)
    }
}
