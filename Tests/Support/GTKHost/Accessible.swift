import CGTK
import Vitrine
import VitrineGTK

/// A window with a picture that cannot be loaded, and Retry, which loads another one. What an assistive
/// technology sees of it, and what it may press, is for the session that runs it.
@MainActor func accessible(_ words: [String]) {
    guard gtk_init_check() != 0, let view = FailingPicture(pictures: pictures) else {
        return Findings.expect(false, "there is a display")
    }
    attach()
    view.load()
    HostLoop().run()
}

/// The first is damaged, the second a red pixel.
private let pictures = [
    "data:image/png;base64,AAAA",
    "data:image/gif;base64,R0lGODlhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=",
]

@MainActor private final class FailingPicture {
    private let window: UnsafeMutablePointer<GtkWidget>
    private let picture: UnsafeMutablePointer<GtkWidget>
    private let retry: UnsafeMutablePointer<GtkWidget>
    private var pictures: [String]
    private let loader: ImageLoader

    init?(pictures: [String]) {
        guard let window = gtk_window_new(), let picture = gtk_picture_new(),
            let retry = gtk_button_new_with_label("Retry"),
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
        else { return nil }
        self.window = window
        self.picture = picture
        self.retry = retry
        self.pictures = pictures
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .none
        loader = ImageLoader(configuration)
        gtk_widget_set_vexpand(picture, 1)
        for child in [picture, retry] {
            gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), child)
        }
        let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_title(top, "Pictures")
        gtk_window_set_default_size(top, 320, 240)
        gtk_window_set_child(top, box)
        label("A picture, loading")
        gtk_window_present(top)
        onClick(retry) { self.load() }
    }

    func load() {
        guard !pictures.isEmpty, let url = URL(string: pictures.removeFirst()) else { return }
        loader.load(ImageRequest(url), deliveringOn: .mainLoop) { result in
            MainActor.assumeIsolated {
                switch result {
                case .success:
                    self.label("A red picture")
                    gtk_widget_set_visible(self.retry, 0)
                case .failure: self.label("A picture, failed")
                }
                // What the Tab key does.
                gtk_widget_child_focus(self.window, GTK_DIR_TAB_FORWARD)
            }
        }
    }

    private func label(_ text: String) {
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        var value = GValue()
        g_value_init(&value, GType(16) << 2)  // G_TYPE_STRING, a macro
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(OpaquePointer(picture), 1, &property, &value)
        g_value_unset(&value)
    }
}

/// Calls back whenever the button is pressed, by whatever means.
@MainActor private func onClick(
    _ button: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> Void
) {
    let clicked: @convention(c) (gpointer?, gpointer?) -> Void = { _, work in
        guard let work else { return }
        nonisolated(unsafe) let own = Unmanaged<HostWork>.fromOpaque(work).takeUnretainedValue()
        MainActor.assumeIsolated { own.body() }
    }
    g_signal_connect_data(
        button, "clicked", unsafeBitCast(clicked, to: GCallback.self),
        Unmanaged.passRetained(HostWork(body)).toOpaque(),
        { work, _ in if let work { Unmanaged<HostWork>.fromOpaque(work).release() } },
        GConnectFlags(rawValue: 0))
}
