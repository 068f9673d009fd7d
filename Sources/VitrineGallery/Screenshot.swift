import CGTK
import VitrineGTK

/// A picture of a window, taken within the program, once everything in it is there.
@MainActor final class Screenshot {
    private let window: GalleryWindow
    private let path: String
    private let ended: (Bool) -> Void
    private var waited: Duration = .zero
    private var quiet = 0

    private static let interval = Duration.milliseconds(100)
    /// What moves when something has arrived takes less.
    private static let quietChecks = 5
    private static let longestWait = Duration.seconds(30)

    /// Writes the window as a PNG file, and calls `ended` with whether that could be done.
    init(of window: GalleryWindow, to path: String, ended: @escaping (Bool) -> Void) {
        window.widget.styled("frameless")
        self.window = window
        self.path = path
        self.ended = ended
    }

    func take() async {
        while quiet < Self.quietChecks, waited < Self.longestWait {
            try? await Task.sleep(for: Self.interval)
            waited += Self.interval
            let isThere = gtk_widget_get_mapped(window.widget) != 0 && window.isSettled
            quiet = isThere ? quiet + 1 : 0
        }
        ended(Self.write(window.widget, to: path))
    }

    /// The window, without what stands around it, in the pixels of the screen.
    private static func write(_ window: Widget, to path: String) -> Bool {
        guard let picture = gtk_widget_paintable_new(window),
            let renderer = gtk_native_get_renderer(window.opaque),
            let snapshot = gtk_snapshot_new()
        else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
        // With what stands around it, which is as wide on all sides.
        let width = gdk_paintable_get_intrinsic_width(picture)
        let height = gdk_paintable_get_intrinsic_height(picture)
        let frame = (width - gtk_widget_get_width(window)) / 2
        let scale = Float(gtk_widget_get_scale_factor(window))
        gtk_snapshot_scale(snapshot, scale, scale)
        gdk_paintable_snapshot(picture, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
        defer { gsk_render_node_unref(node) }
        var area = graphene_rect_t()
        graphene_rect_init(
            &area, Float(frame) * scale, Float(frame) * scale, Float(width - 2 * frame) * scale,
            Float(height - 2 * frame) * scale)
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return gdk_texture_save_to_png(texture, path) != 0
    }
}
