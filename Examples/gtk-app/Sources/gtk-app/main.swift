import CGTK
import Glibc
import Vitrine
import VitrineGTK

// A window of pictures: gtk-app URL-OR-FILE…
let urls = CommandLine.arguments.dropFirst().compactMap { word in
    word.contains("://") ? URL(string: word) : URL(filePath: word)
}
guard !urls.isEmpty, gtk_init_check() != 0, let window = gtk_window_new(),
    let scrolled = gtk_scrolled_window_new(), let flow = gtk_flow_box_new()
else {
    print("usage: gtk-app URL-OR-FILE…, on a display")
    exit(64)
}
try MainLoop.attach()  // so that @MainActor code runs in GTK's loop

var options = ImageOptions()
options.layout = .fixed(PointSize(width: 240, height: 180))  // nothing jumps when pictures arrive
options.contentFit = .cover
flow.vitrine.options = options  // for all below it

for url in urls {
    guard let picture = gtk_picture_new() else { continue }
    show(url, in: picture)
    gtk_flow_box_insert(OpaquePointer(flow), picture, -1)
}
gtk_flow_box_set_homogeneous(OpaquePointer(flow), 1)
gtk_widget_set_valign(flow, GTK_ALIGN_START)
gtk_scrolled_window_set_child(OpaquePointer(scrolled), flow)

let top = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
gtk_window_set_title(top, "Pictures")
gtk_window_set_default_size(top, 800, 600)
gtk_window_set_child(top, scrolled)
gtk_window_present(top)
while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 {
    g_main_context_iteration(nil, 1)
}
