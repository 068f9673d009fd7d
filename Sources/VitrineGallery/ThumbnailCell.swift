import CGTK
import Vitrine
import VitrineGTK

/// One place of the grid, which shows one picture after another: the picture small, its name, where it
/// came from, or why it is not there.
@MainActor final class ThumbnailCell {
    let widget: Widget
    private let picture: Widget
    private let origin: Widget
    private let failed: Widget
    private let reason: Widget
    private let retryButton: Widget
    private let name: Widget
    private let model: GalleryModel
    private var item: GalleryItem?
    /// Whether its picture, or the failure, is there.
    private(set) var isSettled = false
    /// Called with the failure, or none, when a load has ended.
    var ended: (ImageError?) -> Void = { _ in }

    /// Of the picture, in logical pixels; it becomes wider where there is room.
    private static let (width, height): (Int32, Int32) = (176, 156)
    /// The longer side that is decoded: enough for a picture that is half as long again as it is high.
    private static let side = 320

    init(_ model: GalleryModel) {
        self.model = model
        picture = gtk_picture_new()
        gtk_widget_set_size_request(picture, Self.width, Self.height)
        gtk_widget_set_hexpand(picture, 1)

        origin = Widget.icon("", size: 12).styled("origin").placed(GTK_ALIGN_END, GTK_ALIGN_END)
        reason = Widget.paragraph(width: 22)
        gtk_label_set_lines(reason.opaque, 3)
        gtk_label_set_ellipsize(reason.opaque, PANGO_ELLIPSIZE_END)
        retryButton = Widget.button("Retry").styled("pill")
            .placed(GTK_ALIGN_CENTER, GTK_ALIGN_END)
        failed = Widget.box(
            GTK_ORIENTATION_VERTICAL, spacing: 6, Widget.icon("image-missing-symbolic", size: 28),
            reason, retryButton
        ).styled("failed").placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)

        let tile: Widget = gtk_overlay_new().styled("tile")
        gtk_widget_set_overflow(tile, GTK_OVERFLOW_HIDDEN)
        gtk_overlay_set_child(tile.opaque, picture)
        gtk_overlay_add_overlay(tile.opaque, failed)
        gtk_overlay_add_overlay(tile.opaque, origin)
        name = Widget.line().styled("tile-name")
        widget = Widget.box(GTK_ORIENTATION_VERTICAL, tile, name)
        // One that left the window before its picture came was told that its load was given up.
        connect(picture.opaque, "map") { [weak self] _ in
            if let self, !self.isSettled { self.retry() }
        }
        connect(retryButton.opaque, "clicked") { [weak self] _ in self?.retry() }
        showLoading()
    }

    func show(_ item: GalleryItem) {
        self.item = item
        gtk_label_set_text(name.opaque, item.name)
        gtk_widget_set_tooltip_text(name, item.name)
        picture.name(item.name)
        load()
    }

    /// Shows nothing more; the place will show another picture.
    func clear() {
        item = nil
        picture.vitrine.setImage(from: ImageRequest?.none)
        showLoading()
    }

    /// Tries again; nothing if there is nothing to be shown.
    func retry() {
        if item != nil { load() }
    }

    /// What is in the cache is there when this returns.
    private func load() {
        guard let item else { return }
        showLoading()
        picture.vitrine.setImage(
            from: Self.request(item, on: widget),
            placeholder: .icon("image-loading-symbolic", size: 32)
        ) { [weak self] result in
            guard let self, self.item == item else { return }
            switch result {
            case .success(let response): self.show(self.model.facts(of: response, item), of: item)
            case .failure(.load(let error)) where !error.isCancelled: self.show(error, of: item)
            // Another load has taken its place.
            case .failure: break
            }
        }
    }

    /// The picture as small as it is shown here, so that the one who opens it sees that first.
    static func request(_ item: GalleryItem, on widget: Widget) -> ImageRequest {
        var request = ImageRequest(item.url)
        request.targetSize = .maximum(side * Int(gtk_widget_get_scale_factor(widget)))
        return request
    }

    private func showLoading() {
        isSettled = false
        failed.isVisible = false
        origin.isVisible = false
        gtk_widget_set_opacity(picture, 1)
    }

    private func show(_ facts: PictureFacts, of item: GalleryItem) {
        isSettled = true
        gtk_image_set_from_icon_name(origin.opaque, facts.source.icon)
        gtk_widget_set_tooltip_text(origin, facts.source.words)
        origin.isVisible = true
        picture.name(item.name, description: facts.spoken)
        ended(nil)
    }

    private func show(_ failure: ImageError, of item: GalleryItem) {
        isSettled = true
        let words = FailureWords(failure)
        gtk_label_set_text(reason.opaque, words.short)
        gtk_widget_set_tooltip_text(reason, words.whole)
        retryButton.isVisible = words.mayHelpToRetry
        // The reason stands where the placeholder is.
        gtk_widget_set_opacity(picture, 0)
        failed.isVisible = true
        picture.name(item.name, description: "Cannot be shown. \(words.whole)")
        ended(failure)
    }
}
