import CGTK
import DisplaySupport
import Testing
import VitrineImaging

@testable import VitrineGTK

/// GTK's drawing without a display: what a paintable draws, as pixels.
@MainActor enum Rendering {
    /// GTK must know its render nodes before any is made; whether it finds a display does not matter, but
    /// the first try counts for those that need one.
    private static let isReady: Bool = {
        if (try? TestDisplay.open()) == nil { gtk_init_check() }
        return true
    }()

    /// What is drawn into an area of `size` logical pixels, at `scale` device pixels each, by cairo.
    static func pixels(
        of paintable: OpaquePointer, width: Int, height: Int, scale: Int = 1
    ) throws -> PixelBuffer {
        _ = isReady
        let snapshot = try #require(gtk_snapshot_new())
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        let node = gtk_snapshot_free_to_node(snapshot)
        defer { if let node { gsk_render_node_unref(node) } }
        let surface = try #require(
            cairo_image_surface_create(
                CAIRO_FORMAT_ARGB32, gint(width * scale), gint(height * scale)))
        defer { cairo_surface_destroy(surface) }
        let context = try #require(cairo_create(surface))
        cairo_scale(context, Double(scale), Double(scale))
        if let node { gsk_render_node_draw(node, context) }
        cairo_destroy(context)
        return try read(surface)
    }

    /// Cairo's premultiplied BGRA as straight RGBA.
    private static func read(_ surface: OpaquePointer) throws -> PixelBuffer {
        cairo_surface_flush(surface)
        let size = PixelSize(
            width: Int(cairo_image_surface_get_width(surface)),
            height: Int(cairo_image_surface_get_height(surface)))
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = try #require(cairo_image_surface_get_data(surface))
        return try PixelBuffer(size: size) { target in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let source = data + y * stride + x * 4
                    let offset = (y * size.width + x) * 4
                    let alpha = Int(source[3])
                    func straight(_ value: UInt8) -> UInt8 {
                        alpha == 0 ? 0 : UInt8(clamping: (Int(value) * 255 + alpha / 2) / alpha)
                    }
                    target[offset] = straight(source[2])
                    target[offset + 1] = straight(source[1])
                    target[offset + 2] = straight(source[0])
                    target[offset + 3] = source[3]
                }
            }
        }
    }
}
