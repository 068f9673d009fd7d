import CGTK
import FoundationEssentials
import Vitrine
import VitrineGTK

/// Each kind of widget with the picture in a file, drawn as the screen has it: `scaled FILE OUTPUT`. It is a
/// program of its own since GTK asks for the scale of all screens only once.
@MainActor func scaled(_ words: [String]) {
    guard words.count == 2, gtk_init_check() != 0, let window = gtk_window_new() else {
        return Findings.expect(false, "there is a display")
    }
    let shelf = ScaledShelf(window, URL(filePath: words[0]))
    shelf.show(drawingInto: words[1])
    HostLoop().run()
}

@MainActor private final class ScaledShelf {
    private let window: UnsafeMutablePointer<GtkWidget>
    private let place: UnsafeMutablePointer<GtkWidget> = gtk_fixed_new()
    private let url: URL
    private let loader: ImageLoader
    private var missing = 0

    init(_ window: UnsafeMutablePointer<GtkWidget>, _ url: URL) {
        self.window = window
        self.url = url
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .none
        loader = ImageLoader(configuration)
    }

    func show(drawingInto file: String) {
        put(gtk_picture_new(), .contain, at: 4, 48, 32)
        put(gtk_picture_new(), .cover, at: 56, 32, 32)
        let image: UnsafeMutablePointer<GtkWidget> = gtk_image_new()
        gtk_image_set_pixel_size(OpaquePointer(image), 48)
        put(image, .contain, at: 92, 48, 32)
        putURLImage(at: 144)
        let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(top, 0)
        gtk_window_set_default_size(top, 196, 56)
        gtk_window_set_child(top, place)
        gtk_window_present(top)
        draw(into: file)
    }

    private func put(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ fit: ContentFit, at x: Double, _ width: gint,
        _ height: gint
    ) {
        var options = ImageOptions()
        options.loader = loader
        options.contentFit = fit
        options.layout = .fixed(PointSize(width: Double(width), height: Double(height)))
        missing += 1
        gtk_widget_set_size_request(widget, width, height)
        widget.vitrine.setImage(from: url, options: options) { self.came($0) }
        place(widget, at: x)
    }

    private func putURLImage(at x: Double) {
        missing += 1
        let widget = URLImage(url) { picture, response in
            let _ = self.came(.success(response))
            picture
        }.fixedSize(width: 48, height: 32).loader(loader).makeWidget()
        place(widget, at: x)
    }

    private func place(_ widget: UnsafeMutablePointer<GtkWidget>, at x: Double) {
        gtk_fixed_put(
            UnsafeMutableRawPointer(place).assumingMemoryBound(to: GtkFixed.self), widget, x, 4)
    }

    private func came(_ result: Result<ImageResponse, SetImageError>) {
        missing -= 1
        switch result {
        case .success(let response): Findings.say("\(response.image.pixelSize)")
        case .failure(let error): Findings.expect(false, "the picture came: \(error)")
        }
    }

    /// Draws it once all is there and two more frames have passed.
    private func draw(into file: String) {
        after(milliseconds: 50) {
            guard self.missing == 0 else { return self.draw(into: file) }
            after(milliseconds: 200) {
                self.save(file)
                Findings.end()
            }
        }
    }

    private func save(_ file: String) {
        let scale = Float(gtk_widget_get_scale_factor(place))
        let width = Float(gtk_widget_get_width(place))
        let height = Float(gtk_widget_get_height(place))
        Findings.say("scale \(Int(scale))")
        guard let native = gtk_widget_get_native(place),
            let renderer = gtk_native_get_renderer(native),
            let drawing = gtk_widget_paintable_new(place), let snapshot = gtk_snapshot_new()
        else { return Findings.expect(false, "the window can be drawn") }
        gtk_snapshot_scale(snapshot, scale, scale)
        gdk_paintable_snapshot(drawing, snapshot, Double(width), Double(height))
        var area = graphene_rect_t()
        graphene_rect_init(&area, 0, 0, width * scale, height * scale)
        guard let node = gtk_snapshot_free_to_node(snapshot),
            let texture = gsk_renderer_render_texture(renderer, node, &area)
        else { return Findings.expect(false, "there is something to be seen") }
        Findings.expect(gdk_texture_save_to_png(texture, file) != 0, "the drawing is saved")
    }
}
