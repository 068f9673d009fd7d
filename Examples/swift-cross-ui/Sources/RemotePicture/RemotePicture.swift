import Gtk
import GtkBackend
import ImageFormats
import SwiftCrossUI
import Vitrine
import VitrineGTK

/// A picture from a URL, in SwiftCrossUI on its GTK backend.
///
/// ```swift
/// RemotePicture(url).frame(width: 240, height: 180)
/// ```
///
/// It stands on SwiftCrossUI's own image, of one clear pixel, whose `GtkPicture` Vitrine is given: loads,
/// caches, transitions and animations are Vitrine's, and no pixels are copied by SwiftCrossUI.
struct RemotePicture: SwiftCrossUI.View {
    let url: URL?
    var filters: [any ImageFilter] = []
    var options = ImageOptions()

    init(_ url: URL?) { self.url = url }

    var body: some SwiftCrossUI.View {
        SwiftCrossUI.Image(Self.pixel)
            .resizable()
            // After each update as well: another URL may have come, and SwiftCrossUI puts its own pixels
            // into the widget when it commits them. The same URL again restarts nothing.
            .inspect([.onCreate, .afterUpdate]) { [url, filters, options] picture in
                var options = options
                // SwiftCrossUI says how large it is.
                options.layout = ImageLayout.none
                picture.widgetPointer.vitrine.setImage(
                    from: url, placeholder: .icon("image-loading-symbolic"),
                    failureImage: .icon("image-missing-symbolic"), filters: filters,
                    options: options)
            }
    }

    private static let pixel = ImageFormats.Image<RGBA>(width: 1, height: 1, bytes: [0, 0, 0, 0])
}
