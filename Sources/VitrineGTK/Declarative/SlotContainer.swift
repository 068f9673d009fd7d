import CGTK
import VitrineImaging

/// The GTK class of a ``URLImage``'s widget: it shows one widget at a time, in the room that a layout leaves,
/// whatever that widget asks for.
///
/// Its CSS name is `urlimage`, its role for assistive technology that of a group.
@MainActor enum SlotContainer {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// A container that shows nothing.
    static func make() -> Widget {
        let container: Widget = cgtk_new(type).cast()
        // What stands over a fixed size is cut off.
        gtk_widget_set_overflow(container, GTK_OVERFLOW_HIDDEN)
        return container
    }

    static func isOne(_ widget: Widget) -> Bool { isInstance(widget, of: type) }

    /// What is shown now.
    static func child(of container: Widget) -> Widget? { gtk_widget_get_first_child(container) }

    /// Shows a widget in place of what is shown now.
    static func show(_ child: Widget?, in container: Widget) {
        if let old = gtk_widget_get_first_child(container) { gtk_widget_unparent(old) }
        if let child { gtk_widget_set_parent(child, container) }
    }

    static func layout(of container: Widget) -> ImageLayout {
        belonging(HeldLayout.self, of: container, name: HeldLayout.name)?.layout ?? .natural
    }

    /// Keeps this layout, whatever is shown; one whose numbers are none is none.
    static func setLayout(_ layout: ImageLayout, of container: Widget) {
        let layout = layout.wish(for: nil) == ImageLayout.Wish() ? layout.withoutNumbers : layout
        guard layout != self.layout(of: container) else { return }
        setBelonging(HeldLayout(layout), of: container, name: HeldLayout.name)
        gtk_widget_queue_resize(container)
    }

    private final class HeldLayout {
        static let name = "vitrine-slot-layout"
        let layout: ImageLayout

        init(_ layout: ImageLayout) { self.layout = layout }
    }

    // MARK: - The class

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GtkWidgetClass>.size)
        info.instance_size = guint16(MemoryLayout<GtkWidget>.size)
        info.class_init = { pointer, _ in
            guard let pointer else { return }
            let widgetClass = pointer.assumingMemoryBound(to: GtkWidgetClass.self)
            gtk_widget_class_set_css_name(widgetClass, "urlimage")
            gtk_widget_class_set_accessible_role(widgetClass, GTK_ACCESSIBLE_ROLE_GROUP)
            widgetClass.pointee.get_request_mode = requestMode
            widgetClass.pointee.measure = measure
            widgetClass.pointee.size_allocate = allocate
            widgetClass.pointee.compute_expand = computeExpand
            pointer.assumingMemoryBound(to: GObjectClass.self).pointee.dispose = dispose
        }
        return g_type_register_static(
            gtk_widget_get_type(), "VitrineURLImage", &info, GTypeFlags(0))
    }()

    private nonisolated static let dispose:
        @convention(c) (UnsafeMutablePointer<GObject>?) -> Void = { object in
            guard let object else { return }
            while let child = gtk_widget_get_first_child(object.cast()) {
                gtk_widget_unparent(child)
            }
            g_type_class_peek(gtk_widget_get_type())?
                .assumingMemoryBound(to: GObjectClass.self).pointee.dispose?(object)
        }

    private nonisolated static func onMain<Result: Sendable>(
        _ container: Widget?, else none: Result, _ body: @MainActor (Widget) -> Result
    ) -> Result {
        container.map { onMainActor(with: $0, body) } ?? none
    }

    private nonisolated static let requestMode: @convention(c) (Widget?) -> GtkSizeRequestMode = {
        onMain($0, else: GTK_SIZE_REQUEST_CONSTANT_SIZE) { container in
            switch layout(of: container) {
            case .fixed: GTK_SIZE_REQUEST_CONSTANT_SIZE
            case .aspectRatio: GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
            case .natural, .none:
                child(of: container).map { gtk_widget_get_request_mode($0) }
                    ?? GTK_SIZE_REQUEST_CONSTANT_SIZE
            }
        }
    }

    private nonisolated static let measure:
        @convention(c) (
            Widget?, GtkOrientation, gint, UnsafeMutablePointer<gint>?, UnsafeMutablePointer<gint>?,
            UnsafeMutablePointer<gint>?, UnsafeMutablePointer<gint>?
        ) -> Void = {
            container, orientation, length, minimum, natural, minimumBaseline, naturalBaseline in
            let size = onMain(container, else: Measure()) { Measure($0, orientation, length) }
            minimum?.pointee = size.minimum
            natural?.pointee = size.natural
            minimumBaseline?.pointee = -1
            naturalBaseline?.pointee = -1
        }

    private nonisolated static let allocate: @convention(c) (Widget?, gint, gint, gint) -> Void = {
        container, width, height, _ in
        onMain(container, else: ()) { container in
            guard let child = child(of: container) else { return }
            let room = SlotRoom(layout(of: container), width: width, height: height)
            // No widget can be given less than its least; what stands over is cut off on both sides.
            let least = Measure(of: child, GTK_ORIENTATION_HORIZONTAL, -1).minimum
            let childWidth = max(room.width, least)
            let childHeight = max(
                room.height, Measure(of: child, GTK_ORIENTATION_VERTICAL, childWidth).minimum)
            var place = GtkAllocation(
                x: (width - childWidth) / 2, y: (height - childHeight) / 2,
                width: childWidth, height: childHeight)
            gtk_widget_size_allocate(child, &place, -1)
        }
    }

    /// A layout has the size that it says, however much room the pictures in it would take.
    private nonisolated static let computeExpand:
        @convention(c) (Widget?, UnsafeMutablePointer<gboolean>?, UnsafeMutablePointer<gboolean>?)
            -> Void = { container, across, down in
                let isFree = onMain(container, else: false) { container in
                    switch layout(of: container) {
                    case .natural, .none: true
                    case .fixed, .aspectRatio: false
                    }
                }
                guard isFree else { return }
                g_type_class_peek(gtk_widget_get_type())?
                    .assumingMemoryBound(to: GtkWidgetClass.self).pointee
                    .compute_expand?(container, across, down)
            }

    /// How large a widget must and wants to be, in logical pixels.
    private struct Measure: Sendable {
        var minimum: gint = 0
        var natural: gint = 0

        init() {}

        @MainActor init(of widget: Widget, _ orientation: GtkOrientation, _ length: gint) {
            gtk_widget_measure(widget, orientation, length, &minimum, &natural, nil, nil)
        }

        @MainActor init(_ container: Widget, _ orientation: GtkOrientation, _ length: gint) {
            let child = SlotContainer.child(of: container)
            let isAcross = orientation == GTK_ORIENTATION_HORIZONTAL
            switch SlotContainer.layout(of: container) {
            case .natural:
                if let child { self = Measure(of: child, orientation, length) }
            case .none: break
            case .fixed(let size):
                minimum = gint(pixels: isAcross ? size.width : size.height)
                natural = minimum
            case .aspectRatio(let ratio):
                guard let ratio = ImageLayout.ratio(ratio) else { return }
                if !isAcross, length >= 0 {
                    // Whatever is shown.
                    natural = gint(pixels: Double(length) / ratio)
                    // A box without room for that looks for a width at which there is: to GTK's mind
                    // widgets become less high as they become wider, up to widths that no window has.
                    minimum = length <= gint(ImageLayout.longest) ? natural : 0
                } else if isAcross, length >= 0 {
                    natural = gint(pixels: Double(length) * ratio)
                } else if let child {
                    natural = Measure(of: child, orientation, -1).natural
                }
            }
        }
    }
}

extension ImageLayout {
    fileprivate var withoutNumbers: ImageLayout { self == .none ? .none : .natural }
}

/// What a layout leaves of an area for what is shown in it.
struct SlotRoom: Hashable {
    var width: gint
    var height: gint

    init(_ layout: ImageLayout, width: gint, height: gint) {
        self.width = width
        self.height = height
        switch layout {
        case .natural, .none: break
        case .fixed(let size):
            self.width = min(width, gint(pixels: size.width))
            self.height = min(height, gint(pixels: size.height))
        case .aspectRatio(let ratio):
            guard let ratio = ImageLayout.ratio(ratio) else { return }
            self.width = min(width, gint(pixels: Double(height) * ratio))
            self.height = min(height, gint(pixels: Double(width) / ratio))
        }
    }
}

extension gint {
    /// A length that a widget can have; what is none is 0.
    init(pixels length: Double) {
        self = length > 0 ? gint(Swift.min(length.rounded(), ImageLayout.longest)) : 0
    }
}
