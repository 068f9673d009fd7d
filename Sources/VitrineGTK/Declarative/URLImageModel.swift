import CGTK
import Vitrine
import VitrineImaging

/// What a ``URLImage``'s widget shows when: turns what the loads of a view bring into slots.
@MainActor final class URLImageModel: PlacedTarget {
    /// Of all in a widget, this is loaded under this name.
    static let name = "URLImage"
    private static let belongingName = "vitrine-url-image"

    private enum Slot: Hashable {
        case empty
        case inProgress
        case failure
        case content
    }

    private enum State {
        case nothing
        case waiting
        case failed(ImageError)
        case there(ImageResponse)
    }

    /// It owns this, so it is there.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var view: URLImage?
    private var state = State.nothing
    private var isLoading = false
    private var isGone = false
    private var waitsForWindow = false

    private var shown: Slot?
    /// The widgets of the slots, which may be somebody's own and wanted again.
    private var kept: [Slot: HeldObject] = [:]
    /// Those that another value would make in another way.
    private var stale: Set<Slot> = []
    private let progress = URLImageProgress()
    private let preview = PictureFeed(isPreview: true)
    private var content = PictureFeed(isPreview: false)

    private(set) var place: PictureFeed.Place?
    var whenPlaceChanges: () -> Void = {}

    /// What decides about a widget that a ``URLImage`` has made.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> URLImageModel {
        if let known = belonging(URLImageModel.self, of: widget, name: belongingName) {
            return known
        }
        let model = URLImageModel(widget)
        setBelonging(model, of: widget, name: belongingName)
        return model
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        connect(widget, "destroy") { [weak self] _ in self?.leave() }
        connect(widget, "notify::root") { [weak self] _ in self?.cameToWindow() }
        connect(widget, "map") { [weak self] _ in self?.takeLayout() }
        connect(widget, "notify::has-focus") { [weak self] _ in self?.focusChanged() }
    }

    // MARK: - What is wanted

    func set(_ view: URLImage) {
        whileHeld {
            let earlier = self.view?.request
            if earlier?.url != view.request?.url || earlier?.key != view.request?.key {
                progress.reset()
            }
            self.view = view
            stale = Set(kept.keys)
            load()
        }
    }

    /// Keeps the widget until `body` has returned, unless it is gone: the closures of a slot may take it out
    /// of its window, or apart.
    private func whileHeld(_ body: () -> Void) {
        guard !isGone else { return }
        HeldObject.keeping(widget.opaque) { withExtendedLifetime(self, body) }
    }

    private func load() {
        guard let view else { return }
        var options = view.ownOptions
        waitsForWindow =
            options.loader == nil && options.whenHidden != nil
            && gtk_widget_get_root(widget) == nil
        if waitsForWindow { options.whenHidden = .waits }
        takeLayout()
        widget.vitrine.setImage(
            from: view.request, on: self, named: Self.name, options: options)
        describe()
    }

    /// Who is asked for what is not said here may be known now.
    private func cameToWindow() {
        guard !isGone, gtk_widget_get_root(widget) != nil else { return }
        takeLayout()
        if waitsForWindow { whileHeld(load) }
    }

    private func takeLayout() {
        SlotContainer.setLayout(effectiveOptions.layout ?? .natural, of: widget)
    }

    private func retry() {
        whileHeld {
            loads?.retry()
            showNewReason()
        }
    }

    private var loads: ViewLoad? {
        WidgetImages.existing(of: widget)?.image(forTarget: Self.name)?.load
    }

    /// What has failed again at once is no news to the binding, but for the reason.
    private func showNewReason() {
        guard case .failed(let earlier) = state, let loads, !loads.isLoading,
            let error = loads.failure, error != earlier
        else { return }
        show(.failure(error))
    }

    private func leave() {
        isGone = true
        view = nil
        kept = [:]
        shown = nil
        content.show(nil)
        preview.show(nil)
    }

    private var effectiveOptions: ImageOptions {
        (view?.ownOptions ?? ImageOptions()).merged(over: widget.vitrine.effectiveOptions)
    }

    // MARK: - What the loads bring

    func show(_ content: ImageTargetContent) {
        whileHeld {
            take(content)
            describe()
        }
    }

    private func take(_ content: ImageTargetContent) {
        switch content {
        case .nothing:
            state = .nothing
            present(nil)
        case .placeholder:
            state = .waiting
            preview.show(nil)
            if progress.hasPreview { progress.hasPreview = false }
            present(isLoading ? .inProgress : .empty)
        case .preview(let image, _):
            state = .waiting
            preview.show(image)
            if !progress.hasPreview { progress.hasPreview = true }
            present(.inProgress)
        case .picture(let response, let withTransition): show(response, withTransition)
        case .failure(let error):
            state = .failed(error)
            present(.failure, anew: true)
        }
    }

    private func show(_ response: ImageResponse, _ withTransition: Bool) {
        defer { whenPlaceChanges() }
        let earlier = if case .there(let earlier) = state { earlier } else { ImageResponse?.none }
        state = .there(response)
        if shown == .content, earlier?.showsSamePicture(as: response) == true {
            // Another size of it: the slot stays, with all that people have done in it.
            return content.show(response.image)
        }
        let feed = PictureFeed(isPreview: false)
        feed.placeChanged = { [weak self, weak feed] place in
            guard let self, self.content === feed else { return }
            self.place = place
            self.whenPlaceChanges()
        }
        // What people see is what the new one takes the place of.
        if shown == .content, withTransition { feed.show(earlier?.image) }
        content = feed
        present(.content, anew: true)
        // It is seen only now, which a transition needs.
        feed.show(response.image, withTransition: withTransition)
    }

    func loadingChanged(_ isLoading: Bool) {
        whileHeld {
            self.isLoading = isLoading
            setBusy(isLoading, widget)
            if isLoading { return progress.reset() }
            switch state {
            case .waiting:
                preview.show(nil)
                present(.empty)
            case .failed: showNewReason()
            case .nothing, .there: break
            }
        }
    }

    func advanced(to progress: ImageTask.Progress) { self.progress.bytes = progress }

    /// The name and the reason, as long as there is no picture that has a name of its own.
    private func describe() {
        var label = view?.label
        if case .there = state { label = nil }
        var reason: String?
        if case .failed(let error) = state { reason = URLImageDefaults.texts.reason(error) }
        guard !isGone else { return }
        widget.vitrine.alternativeText = label
        setAccessibleText(reason, as: GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, of: widget)
    }

    // MARK: - Slots

    /// Shows a slot, if it is another one than is shown, or must be made anew; nil shows nothing.
    private func present(_ slot: Slot?, anew: Bool = false) {
        guard slot != shown || anew else { return }
        let child = slot.flatMap { widget(for: $0, anew: anew) }
        guard !isGone else { return }
        let hadFocus = hasFocusWithin
        if hadFocus { takeFocus() }
        shown = slot
        SlotContainer.show(child, in: widget)
        if hadFocus, let child, gtk_widget_child_focus(child, GTK_DIR_TAB_FORWARD) != 0 {
            gtk_widget_set_focusable(widget, 0)
        }
        // What is not seen any more need not keep its pixels.
        if slot != .content { content.show(nil) }
        if slot != .inProgress { preview.show(nil) }
    }

    private func widget(for slot: Slot, anew: Bool) -> UnsafeMutablePointer<GtkWidget>? {
        if !anew, !stale.contains(slot), let known = kept[slot] { return known.pointer.cast() }
        // What was there before is let go only once there is another one: it may be the same again.
        stale.remove(slot)
        guard let made = make(slot) else {
            kept[slot] = nil
            return nil
        }
        if isGone {
            // Made for nobody: without an owner it would stay for ever.
            _ = HeldObject(made.opaque)
            return nil
        }
        if let parent = gtk_widget_get_parent(made), parent != widget {
            warnOnce("A slot of a URLImage shows nothing, since its widget is in another place.")
            return nil
        }
        kept[slot] = HeldObject(made.opaque)
        return made
    }

    private func make(_ slot: Slot) -> UnsafeMutablePointer<GtkWidget>? {
        guard let slots = view?.slots else { return nil }
        switch (slot, state) {
        case (.empty, _): return slots.empty().makeWidget()
        case (.inProgress, _):
            let picture = URLImagePicture(preview, style: style)
            return slots.inProgress(progress, picture).makeWidget()
        case (.failure, .failed(let error)):
            let made = slots.failure(error) { [weak self] in self?.retry() }
            if let notice = made.parts.first as? FailureNotice, made.parts.count == 1 {
                return notice.makeWidget(within: fixedRoom)
            }
            return made.makeWidget()
        case (.content, .there(let response)):
            let picture = URLImagePicture(content, response: response, style: style)
            return slots.content(picture, response).makeWidget()
        case (.failure, _), (.content, _): return nil
        }
    }

    /// How pictures are shown unless the slot says otherwise.
    private var style: PictureStyle {
        let options = effectiveOptions
        let layout = options.layout ?? .natural
        let request = view?.request
        return PictureStyle(
            contentFit: options.contentFit ?? .contain,
            // The room is that of this widget already.
            layout: layout == .natural ? .natural : .none,
            transition: options.transition ?? .none,
            asksForOwnSize: options.decodesAtShownSize != false && request?.targetSize == nil
                && request?.filters.isEmpty == true,
            label: view?.label, description: view?.description)
    }

    // MARK: - Room

    /// The room that there is whatever is shown; nil if that depends on it.
    private var fixedRoom: PointSize? {
        if case .fixed(let size) = SlotContainer.layout(of: widget) { return size }
        guard case .aspectRatio = SlotContainer.layout(of: widget) else { return nil }
        return allocation
    }

    /// The room for a picture that is not there yet, as far as that can be known.
    var room: PointSize? {
        if let fixedRoom { return fixedRoom }
        guard let allocation, let root = gtk_widget_get_root(widget) else { return nil }
        // What another slot has asked for says nothing about a picture.
        let window: UnsafeMutablePointer<GtkWidget> = root.cast()
        var (width, height): (gint, gint) = (0, 0)
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, &width, nil, nil)
        gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
        let wide = allocation.width > Double(width)
        let high = allocation.height > Double(height)
        return PointSize(
            width: wide ? allocation.width : Double(gtk_widget_get_width(window)),
            height: high ? allocation.height : Double(gtk_widget_get_height(window)))
    }

    private var allocation: PointSize? {
        let width = Double(gtk_widget_get_width(widget))
        let height = Double(gtk_widget_get_height(widget))
        return width > 0 && height > 0 ? PointSize(width: width, height: height) : nil
    }

    // MARK: - Focus

    /// Whether the keyboard is at something that is shown here.
    private var hasFocusWithin: Bool {
        guard let root = gtk_widget_get_root(widget), let focus = gtk_root_get_focus(root) else {
            return false
        }
        return focus == widget || gtk_widget_is_ancestor(focus, widget) != 0
    }

    /// Keeps the keyboard's place while nothing that is shown can have it.
    private func takeFocus() {
        gtk_widget_set_focusable(widget, 1)
        gtk_widget_grab_focus(widget)
    }

    private func focusChanged() {
        guard gtk_widget_has_focus(widget) == 0 else { return }
        onMainLoop { [weak self] in
            guard let self, !self.isGone, !self.hasFocusItself else { return }
            gtk_widget_set_focusable(self.widget, 0)
        }
    }

    private var hasFocusItself: Bool {
        gtk_widget_get_root(widget).flatMap { gtk_root_get_focus($0) } == widget
    }
}

extension ImageResponse {
    /// Whether both are one picture in one or two sizes.
    fileprivate func showsSamePicture(as other: ImageResponse) -> Bool {
        request.url == other.request.url && request.key == other.request.key
            && image.info == other.image.info
            && request.filters.map(\.identifier) == other.request.filters.map(\.identifier)
    }
}
