import CGTK
import VitrineGTK
import VitrineTesting

// What the article "Coming from Imaginary" shows of views.

@MainActor func display(_ url: URL, in picture: UnsafeMutablePointer<GtkWidget>) {
    picture.vitrine.setImage(from: url)
}

@MainActor func display(
    _ url: URL, in picture: UnsafeMutablePointer<GtkWidget>, until placeholder: RasterImage,
    completion: @escaping @MainActor (Result<ImageResponse, SetImageError>) -> Void
) {
    picture.vitrine.setImage(
        from: url, placeholder: .picture(placeholder), filters: [.roundedCorners(radius: 12)],
        transition: .flip(from: .right), completion: completion)
}

final class TitleTarget: ImageTarget {
    let window: UnsafeMutablePointer<GtkWindow>

    init(_ window: UnsafeMutablePointer<GtkWindow>) { self.window = window }

    func show(_ content: ImageTargetContent) {
        switch content {
        case .nothing, .placeholder: gtk_window_set_title(window, "…")
        case .preview(let image, _): gtk_window_set_title(window, "preview \(image.pixelSize)")
        case .picture(let response, _): gtk_window_set_title(window, "\(response.image.pixelSize)")
        case .failure(let error): gtk_window_set_title(window, error.description)
        }
    }
}

@MainActor func showSize(of url: URL, in window: UnsafeMutablePointer<GtkWindow>) {
    let widget = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
    widget.vitrine.setImage(from: url, on: TitleTarget(window), named: "title")
}

@MainActor let iconOfEntry = ImageSlot.paintable("icon") { entry, paintable in
    let entry = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: GtkEntry.self)
    gtk_entry_set_icon_from_paintable(entry, GTK_ENTRY_ICON_PRIMARY, paintable)
}

@MainActor func showIcon(_ url: URL, in entry: UnsafeMutablePointer<GtkWidget>) {
    entry.vitrine.setImage(from: url, slot: iconOfEntry)
}

@MainActor func giveUp(_ picture: UnsafeMutablePointer<GtkWidget>) {
    picture.vitrine.cancelImageLoad()
}
