import CGTK
import FoundationEssentials
import Vitrine
import VitrineGTK

/// A window with a `URLImage` whose file is empty until its failure is seen, so that Retry finds a picture.
/// Nobody serves the main queue: what is loaded arrives by GTK's loop alone.
@MainActor func urlImage(_ words: [String]) {
    guard gtk_init_check() != 0, let window = gtk_window_new() else {
        return Findings.expect(false, "there is a display")
    }
    let file = FileManager.default.temporaryDirectory
        .appending(path: "vitrine-gtk-host-\(UUID().uuidString).gif")
    write(Data(), to: file)
    var configuration = ImageLoader.Configuration()
    configuration.diskCache = .none
    let view = URLImage(
        file,
        failure: { error, retry in
            write(redPixel, to: file)
            URLImageDefaults.failure(error, retry)
        })
    let widget = view.loader(ImageLoader(configuration))
        .accessibilityLabel("A red picture", description: "One red pixel").makeWidget()
    let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
    gtk_window_set_title(top, "Pictures")
    gtk_window_set_default_size(top, 320, 240)
    gtk_window_set_child(top, widget)
    gtk_window_present(top)
    moveToFirst(window)
    HostLoop().run()
}

/// What the Tab key does, as soon as there is something that can have the focus.
@MainActor private func moveToFirst(_ window: UnsafeMutablePointer<GtkWidget>) {
    after(milliseconds: 20) {
        if gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD) == 0 { moveToFirst(window) }
    }
}

private let redPixel =
    Data(
        base64Encoded: "R0lGODlhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=") ?? Data()

private func write(_ data: Data, to file: URL) {
    do { try data.write(to: file) } catch { print("FAULT: \(error)") }
}
