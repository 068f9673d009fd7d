import CGTK
import Vitrine

/// The pictures of a window, as Swift and as GTK see them.
@MainActor final class GalleryModel {
    private(set) var items: [GalleryItem] = []
    /// A `GtkStringList` of the names, in the same order.
    let names: OpaquePointer
    /// Which could not be shown when that was tried last.
    private(set) var failures: [Int: ImageError] = [:]
    private let originsAhead: OriginsAhead
    /// Called when the pictures, or the number of those that failed, have changed.
    var changed: () -> Void = {}

    init(_ originsAhead: OriginsAhead) {
        self.originsAhead = originsAhead
        names = gtk_string_list_new(nil)
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(names)) }

    func append(_ new: [GalleryItem]) {
        guard !new.isEmpty else { return }
        // Before GTK asks for rows.
        let old = items.count
        items += new
        var texts = new.map { g_strdup($0.name) } + [nil]
        texts.withUnsafeMutableBufferPointer { texts in
            texts.withMemoryRebound(to: UnsafePointer<CChar>?.self) { texts in
                gtk_string_list_splice(names, guint(old), 0, texts.baseAddress)
            }
        }
        for text in texts { g_free(text) }
        changed()
    }

    /// What is told of a picture that is shown now.
    func facts(of response: ImageResponse, _ item: GalleryItem) -> PictureFacts {
        PictureFacts(response, from: originsAhead.tell(response.source, of: item))
    }

    /// How the load of a picture ended: the failure, or none.
    func ended(_ index: Int, _ failure: ImageError?) {
        guard failures[index] != failure else { return }
        let count = failures.count
        failures[index] = failure
        if failures.count != count { changed() }
    }
}
