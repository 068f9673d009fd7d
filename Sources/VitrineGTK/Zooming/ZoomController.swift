import CGTK
import Glibc
import VitrineImaging

/// Turns what people do with a zoomable picture into what is seen of it.
@MainActor final class ZoomController {
    private(set) var viewport = ZoomViewport()
    private weak var core: PaintableCore?
    private var pointer: (x: Double, y: Double)?
    private var lastDrag = (x: 0.0, y: 0.0)
    private var pinchStart = 1.0
    /// Called when the zoom is another one, and never while GTK draws.
    var zoomChanged: (@MainActor () -> Void)?
    /// What was told last; nil before there was a picture in an area.
    private var told: (scale: Double, isFitted: Bool)?

    /// One step of the wheel or a key.
    private static let step = 1.25
    /// What an arrow moves, in logical pixels.
    private static let arrow = 48.0

    init(_ core: PaintableCore) {
        self.core = core
        core.placement = { [weak self] area, picture in
            guard let self else { return nil }
            viewport.resize(to: area)
            if let picture { viewport.replacePicture(size: picture) }
            if hasNews {
                onMainLoop { [weak self] in self?.tell() }
            }
            return viewport.rectangle
        }
    }

    /// Changes what is seen, and draws it if it is another thing.
    func change(_ body: (inout ZoomViewport) -> Void) {
        let before = viewport
        body(&viewport)
        if viewport != before { core?.invalidateContents() }
        tell()
    }

    private var hasNews: Bool {
        guard viewport.rectangle != nil else { return false }
        return told.map { $0 != (viewport.scale, viewport.isFitted) } ?? true
    }

    private func tell() {
        guard hasNews else { return }
        told = (viewport.scale, viewport.isFitted)
        zoomChanged?()
    }

    /// The widget owns the controllers that are made here.
    func listen(to widget: UnsafeMutablePointer<GtkWidget>) {
        listenToPointer(widget)
        listenToScrolling(widget)
        listenToDragging(widget)
        listenToPinching(widget)
        listenToKeys(widget)
    }

    private func listenToPointer(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let motion = gtk_event_controller_motion_new() else { return }
        for signal in ["enter", "motion"] {
            connect(motion, signal) { [weak self] arguments in
                guard let x = arguments.number(at: 1), let y = arguments.number(at: 2) else {
                    return
                }
                self?.pointer = (x, y)
            }
        }
        connect(motion, "leave") { [weak self] _ in self?.pointer = nil }
        gtk_widget_add_controller(widget, motion)
        guard let click = gtk_gesture_click_new() else { return }
        connect(click, "pressed") { [weak self] arguments in
            guard let count = arguments.number(at: 1), let x = arguments.number(at: 2),
                let y = arguments.number(at: 3)
            else { return }
            if let widget = arguments.object(at: 0).flatMap({
                gtk_event_controller_get_widget($0)
            }) {
                gtk_widget_grab_focus(widget)
            }
            if count == 2 { self?.change { $0.toggle(x: x, y: y) } }
        }
        gtk_widget_add_controller(widget, click)
    }

    private func listenToScrolling(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
        else { return }
        connect(scroll, "scroll") { [weak self] arguments in
            guard let self, let dy = arguments.number(at: 2) else { return }
            zoom(by: pow(Self.step, -dy), about: pointer)
            arguments.answer(true)
        }
        gtk_widget_add_controller(widget, scroll)
    }

    private func listenToDragging(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let drag = gtk_gesture_drag_new() else { return }
        connect(drag, "drag-begin") { [weak self] _ in self?.lastDrag = (0, 0) }
        connect(drag, "drag-update") { [weak self] arguments in
            guard let self, let x = arguments.number(at: 1), let y = arguments.number(at: 2) else {
                return
            }
            let (dx, dy) = (x - lastDrag.x, y - lastDrag.y)
            lastDrag = (x, y)
            change { $0.pan(x: dx, y: dy) }
        }
        gtk_widget_add_controller(widget, drag)
    }

    private func listenToPinching(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let pinch = gtk_gesture_zoom_new() else { return }
        connect(pinch, "begin") { [weak self] _ in
            guard let self else { return }
            pinchStart = viewport.scale
        }
        connect(pinch, "scale-changed") { [weak self] arguments in
            guard let self, let factor = arguments.number(at: 1),
                let sender = arguments.object(at: 0)
            else { return }
            var (x, y) = (viewport.area.width / 2, viewport.area.height / 2)
            _ = gtk_gesture_get_bounding_box_center(sender, &x, &y)
            change { $0.zoom(to: self.pinchStart * factor, x: x, y: y) }
        }
        gtk_widget_add_controller(widget, pinch)
    }

    private func listenToKeys(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] arguments in
            guard let self, let key = arguments.integer(at: 1).flatMap({ UInt32(exactly: $0) })
            else {
                return
            }
            arguments.answer(pressed(key))
        }
        gtk_widget_add_controller(widget, keys)
    }

    /// Whether the key, by GDK's number, means something here.
    func pressed(_ key: UInt32) -> Bool {
        switch Int32(bitPattern: key) {
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: zoom(by: Self.step, about: nil)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: zoom(by: 1 / Self.step, about: nil)
        case GDK_KEY_0, GDK_KEY_KP_0: change { $0.fit() }
        case GDK_KEY_1, GDK_KEY_KP_1: change { $0.zoom(to: 1) }
        case GDK_KEY_Left, GDK_KEY_KP_Left: return pan(x: Self.arrow, y: 0)
        case GDK_KEY_Right, GDK_KEY_KP_Right: return pan(x: -Self.arrow, y: 0)
        case GDK_KEY_Up, GDK_KEY_KP_Up: return pan(x: 0, y: Self.arrow)
        case GDK_KEY_Down, GDK_KEY_KP_Down: return pan(x: 0, y: -Self.arrow)
        default: return false
        }
        return true
    }

    private func pan(x: Double, y: Double) -> Bool {
        guard viewport.canPan(x: x, y: y) else { return false }
        change { $0.pan(x: x, y: y) }
        return true
    }

    private func zoom(by factor: Double, about point: (x: Double, y: Double)?) {
        change {
            $0.zoom(
                to: $0.scale * factor, x: point?.x ?? $0.area.width / 2,
                y: point?.y ?? $0.area.height / 2)
        }
    }
}
