import CGTK

/// The frame clock of a widget, for the paintables that it shows: it ticks while the widget is mapped and
/// one of them moves.
///
/// It belongs to the widget, and goes with it.
@MainActor final class WidgetClock {
    private struct Member {
        weak var core: PaintableCore?
        var isMoving: Bool
    }

    private let widget: WeakWidget
    private var members: [ObjectIdentifier: Member] = [:]
    private var tick: guint = 0
    private(set) var isMapped: Bool
    private var motion: SignalWatch?

    private static let name = "vitrine-widget-clock"

    /// The clock of the widget, which it is given if it has none yet.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> WidgetClock {
        if let clock = belonging(WidgetClock.self, of: widget, name: name) { return clock }
        let clock = WidgetClock(widget)
        setBelonging(clock, of: widget, name: name)
        return clock
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = WeakWidget(widget)
        isMapped = gtk_widget_get_mapped(widget) != 0
        connect(widget, "map") { [weak self] _ in self?.mapped(true) }
        connect(widget, "unmap") { [weak self] _ in self?.mapped(false) }
        motion = MotionSetting.watch { [weak self] in self?.tellMembers() }
    }

    private func mapped(_ isMapped: Bool) {
        self.isMapped = isMapped
        tellMembers()
    }

    private func tellMembers() {
        for member in members.values { member.core?.clockChanged() }
    }

    func add(_ core: PaintableCore) {
        members[ObjectIdentifier(core)] = Member(core: core, isMoving: false)
    }

    func remove(_ core: PaintableCore) {
        members[ObjectIdentifier(core)] = nil
        update()
    }

    /// Whether the paintable wants to hear of each frame.
    func setMoving(_ isMoving: Bool, _ core: PaintableCore) {
        members[ObjectIdentifier(core)]?.isMoving = isMoving
        update()
    }

    /// The colour of the widget's text.
    var textColor: GdkRGBA? {
        widget.with { widget in
            var color = GdkRGBA()
            gtk_style_context_get_color(gtk_widget_get_style_context(widget), &color)
            return color
        }
    }

    /// Whether the widget's window is drawn by cairo, without a graphics card; not known before it is
    /// realized.
    var usesCairo: Bool {
        let result = widget.with { widget -> Bool in
            guard let native = gtk_widget_get_native(widget),
                let renderer = gtk_native_get_renderer(native)
            else { return false }
            let object: UnsafeMutablePointer<GObject> = renderer.cast()
            return isInstance(object, of: gsk_cairo_renderer_get_type())
        }
        return result ?? false
    }

    private func update() {
        members = members.filter { $0.value.core != nil }
        let ticks = isMapped && members.values.contains(where: \.isMoving)
        guard ticks != (tick != 0) else { return }
        widget.with { widget in
            if ticks { start(widget) } else { gtk_widget_remove_tick_callback(widget, tick) }
        }
        if !ticks { tick = 0 }
    }

    private func start(_ widget: UnsafeMutablePointer<GtkWidget>) {
        let clock = Unmanaged.passRetained(WeakClock(self)).toOpaque()
        tick = gtk_widget_add_tick_callback(
            widget,
            { _, frames, clock in
                guard let frames, let clock else { return 0 }
                let time = gdk_frame_clock_get_frame_time(frames)
                let weak = Unmanaged<WeakClock>.fromOpaque(clock).takeUnretainedValue()
                return onMainActor(with: weak) { $0.clock?.ticked(time) ?? false } ? 1 : 0
            }, clock,
            { clock in
                if let clock { Unmanaged<WeakClock>.fromOpaque(clock).release() }
            })
    }

    /// What GTK holds while it ticks.
    private final class WeakClock {
        weak var clock: WidgetClock?

        init(_ clock: WidgetClock) { self.clock = clock }
    }

    /// A frame begins, at a time in microseconds; false if nobody wants to hear of the next one.
    private func ticked(_ time: gint64) -> Bool {
        let nanoseconds = UInt64(max(time, 0)) &* 1000
        for member in members.values where member.isMoving { member.core?.ticked(nanoseconds) }
        // They may have ended the ticking themselves.
        return tick != 0
    }
}
