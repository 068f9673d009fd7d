import Adwaita
import CGTK
import Vitrine
import VitrineGTK

/// A picture from a URL, in Adwaita for Swift.
///
/// ```swift
/// RemotePicture(url).frame(minWidth: 240, minHeight: 180)
/// ```
///
/// It is Adwaita's own picture, whose `GtkPicture` Vitrine is given.
struct RemotePicture: Adwaita.View {
    let url: URL?
    var filters: [any ImageFilter] = []
    var options = ImageOptions()

    init(_ url: URL?) { self.url = url }

    var view: Body {
        Picture()
            .inspect { storage, updateProperties in
                guard updateProperties, let opaque = storage.opaquePointer else { return }
                nonisolated(unsafe) let widget = UnsafeMutablePointer<GtkWidget>(opaque)
                let (url, filters, options) = (url, filters, options)
                // Adwaita makes and updates its widgets on GTK's thread only, which is the main one, though
                // its types do not say so. The same URL again restarts nothing.
                MainActor.assumeIsolated {
                    widget.vitrine.setImage(
                        from: url, placeholder: .icon("image-loading-symbolic"),
                        failureImage: .icon("image-missing-symbolic"), filters: filters,
                        options: options)
                }
            }
    }
}
