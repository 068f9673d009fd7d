import CGTK
import Vitrine

/// The slots of a widget, which it owns: tells them what happens to it.
@MainActor final class WidgetImages {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var images: [String: WidgetImage] = [:]
    private var loading: Set<String> = []
    private var isGone = false

    private static let name = "vitrine-images"

    /// Those of the widget; nil if it has none yet.
    static func existing(of widget: UnsafeMutablePointer<GtkWidget>) -> WidgetImages? {
        belonging(WidgetImages.self, of: widget, name: name)
    }

    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> WidgetImages {
        if let known = existing(of: widget) { return known }
        let images = WidgetImages(widget)
        setBelonging(images, of: widget, name: name)
        return images
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        connect(widget, "map") { [weak self] _ in self?.tell { $0.mapped() } }
        connect(widget, "unmap") { [weak self] _ in self?.tell { $0.unmapped() } }
        connect(widget, "notify::scale-factor") { [weak self] _ in self?.tell { $0.scaleChanged() }
        }
        connect(widget, "destroy") { [weak self] _ in self?.vanished() }
    }

    /// What the slot shows, if anything was ever set.
    func image(named name: String) -> WidgetImage? { images[name] }

    /// What a target of one's own shows, by its name.
    func image(forTarget name: String) -> WidgetImage? { images["target " + name] }

    /// The slot with its paintable put in place; nil if the widget has none such.
    func image(in slot: ImageSlot) -> WidgetImage? {
        let known = images[slot.name]
        var target = PaintableTarget(widget)
        if case .paintable(let knownTarget, _) = known?.destination { target = knownTarget }
        // Nothing is put into a widget that is being taken apart.
        if !isGone {
            let (isThere, painter) = slot.place.install(target.paintable.pointer, in: widget)
            guard isThere else { return nil }
            target.paintable.attach(to: painter ?? widget)
        }
        if let known, case .paintable = known.destination { return known }
        known?.vanished()
        target.whenLoadingChanges = { [weak self] in self?.loadingChanged($0, slot.name) }
        return add(WidgetImage(widget, .paintable(target, slot)), slot.name)
    }

    /// The slot of that name, which a target of one's own shows.
    func image(for target: any ImageTarget, _ name: String) -> WidgetImage {
        if let known = images[name] {
            if case .target(let knownTarget) = known.destination, knownTarget === target {
                return known
            }
            known.vanished()
        }
        return add(WidgetImage(widget, .target(target)), name)
    }

    func cancelAll() { tell { $0.cancel() } }

    private func add(_ image: WidgetImage, _ name: String) -> WidgetImage {
        images[name] = image
        if isGone { image.vanished() }
        return image
    }

    private func tell(_ body: (WidgetImage) -> Void) {
        for image in images.values { body(image) }
    }

    private func vanished() {
        isGone = true
        let images = images.values
        for image in images { image.vanished() }
        self.images = [:]
    }

    /// Says that the widget is busy while one of its slots loads, for assistive technology.
    private func loadingChanged(_ isLoading: Bool, _ name: String) {
        let wasBusy = !loading.isEmpty
        if isLoading { loading.insert(name) } else { loading.remove(name) }
        guard wasBusy == loading.isEmpty, !isGone else { return }
        setBusy(!loading.isEmpty, widget)
    }
}
