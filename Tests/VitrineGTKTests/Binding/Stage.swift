import CGTK
import DisplaySupport
import Foundation
import PixelSupport
import Testing
import VitrineTesting

@testable import VitrineGTK

/// A display, a scripted loader, and pictures of one colour, each as wide as its number says.
@MainActor final class Stage {
    let transport = ScriptedTransport()
    let loader: ImageLoader
    /// With the loader.
    var options = ImageOptions()

    static let red = Pixel(red: 220, green: 30, blue: 30)
    static let blue = Pixel(red: 30, green: 30, blue: 220)

    init() throws {
        try TestDisplay.open()
        loader = .scripted(transport)
        options.loader = loader
    }

    func url(_ name: String) throws -> URL {
        try #require(URL(string: "https://pictures.example/\(name)"))
    }

    /// A picture at a name, which comes when the gate, if there is one, is open.
    @discardableResult
    func serve(
        _ name: String, _ color: Pixel = Stage.red, width: Int = 40, height: Int = 40,
        heldBy gate: Gate? = nil
    ) throws -> URL {
        let url = try url(name)
        let answer = ScriptedAnswer.bytes(
            try TestPicture.solid(color, width: width, height: height),
            headers: ["Cache-Control": "max-age=600"])
        transport.answer(url, with: gate.map { answer.held(by: $0) } ?? answer)
        return url
    }

    /// A widget with a reference of the test's own.
    func held(_ widget: UnsafeMutablePointer<GtkWidget>?) throws -> UnsafeMutablePointer<GtkWidget>
    {
        let widget = try #require(widget)
        g_object_ref_sink(widget)
        return widget
    }
}

/// What a widget looks like, drawn by its window's renderer.
@MainActor struct WidgetPixels {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init?(_ widget: UnsafeMutablePointer<GtkWidget>) {
        width = Int(gtk_widget_get_width(widget))
        height = Int(gtk_widget_get_height(widget))
        guard width > 0, height > 0, let native = gtk_widget_get_native(widget),
            let renderer = gtk_native_get_renderer(native),
            let paintable = gtk_widget_paintable_new(widget), let snapshot = gtk_snapshot_new()
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        guard let node = gtk_snapshot_free_to_node(snapshot) else {
            self.bytes = bytes
            return
        }
        defer { gsk_render_node_unref(node) }
        var area = graphene_rect_t()
        graphene_rect_init(&area, 0, 0, Float(width), Float(height))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        gdk_texture_download(texture, &bytes, gsize(width * 4))
        self.bytes = bytes
    }

    /// Red, green and blue; GTK downloads BGRA on this machine.
    subscript(x: Int, y: Int) -> Pixel {
        let offset = (y * width + x) * 4
        return Pixel(
            red: bytes[offset + 2], green: bytes[offset + 1], blue: bytes[offset],
            alpha: bytes[offset + 3])
    }

    var middle: Pixel { self[width / 2, height / 2] }

    /// Waits until the widget has looked the same for a third of a second.
    static func settle(_ widget: UnsafeMutablePointer<GtkWidget>) async {
        var last: [UInt8]?
        for _ in 0..<100 {
            var isSame = true
            for _ in 0..<6 {
                _ = await pump(within: 0.05) { false }
                let bytes = WidgetPixels(widget)?.bytes
                if bytes != last { isSame = false }
                last = bytes
            }
            if isSame { return }
        }
        Issue.record("It does not come to rest.")
    }

    /// Not premultiplied any more.
    var buffer: PixelBuffer {
        .drawn(PixelSize(width: width, height: height)) { x, y in
            let pixel = self[x, y]
            let alpha = Int(pixel.alpha)
            func straight(_ value: UInt8) -> UInt8 {
                alpha == 0 ? 0 : UInt8(clamping: (Int(value) * 255 + alpha / 2) / alpha)
            }
            return Pixel(
                red: straight(pixel.red), green: straight(pixel.green), blue: straight(pixel.blue),
                alpha: pixel.alpha)
        }
    }
}

/// Takes a window down, with all that is in it.
@MainActor func close(_ window: UnsafeMutablePointer<GtkWindow>) { gtk_window_destroy(window) }
