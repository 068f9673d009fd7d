import CGTK
import Vitrine
import VitrineImaging

/// Shows what a load brings by a paintable, wherever that was put.
@MainActor final class PaintableTarget: ImageTarget {
    let paintable = ImagePaintable()
    var placeholder: Placeholder? { didSet { isPlaceholderStale = true } }
    var failureImage: Placeholder?
    var transition = ImageTransition.none
    /// What the widget asks for; a picture that is decoded for the place where it is shown asks for its
    /// own size nevertheless.
    var layout = ImageLayout.natural
    var asksForOwnSize = false
    var whenLoadingChanges: (Bool) -> Void = { _ in }
    var whenPictureShows: () -> Void = {}

    private var isPlaceholderShown = false
    /// Whether the placeholder that is shown may be that of an earlier wish.
    private var isPlaceholderStale = false
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// Counts what was shown, since a placeholder may come later than what follows it.
    private var generation = 0

    /// - Parameter widget: whose theme, scale and text colour icons have; it owns this.
    init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    func show(_ content: ImageTargetContent) {
        generation += 1
        isPlaceholderShown = false
        switch content {
        case .nothing: show(.empty, own: nil)
        case .placeholder:
            isPlaceholderShown = true
            isPlaceholderStale = false
            show(placeholder)
        case .failure: show(failureImage ?? placeholder)
        case .preview(let image, let withTransition):
            show(
                .preview(image, size: ownSize(image)), own: ownSize(image),
                withTransition: withTransition)
        case .picture(let response, let withTransition):
            show(
                .image(response.image), own: ownSize(response.image),
                withTransition: withTransition)
            whenPictureShows()
        }
    }

    func loadingChanged(_ isLoading: Bool) {
        if !isLoading { refreshPlaceholder() }
        whenLoadingChanges(isLoading)
    }

    /// Shows the placeholder that is wanted by now, if there is one to be seen.
    func refreshPlaceholder() {
        if isPlaceholderShown, isPlaceholderStale { show(.placeholder) }
    }

    private func show(_ placeholder: Placeholder?) {
        guard let placeholder else { return show(.empty, own: nil) }
        let shown = generation
        placeholder.content(for: widget) { [weak self] content in
            guard let self, self.generation == shown else { return }
            self.show(content, own: nil)
        }
    }

    private func show(_ content: ImageContent, own: PointSize?, withTransition: Bool = false) {
        paintable.layout = own.map { .fixed($0) } ?? layout
        paintable.show(content, transition: withTransition ? transition : .none)
    }

    /// One pixel of the file is one logical pixel, as everywhere in GTK.
    private func ownSize(_ image: RasterImage) -> PointSize? {
        guard asksForOwnSize, layout == .natural else { return nil }
        let size = image.info.pixelSize
        return PointSize(width: Double(size.width), height: Double(size.height))
    }
}
