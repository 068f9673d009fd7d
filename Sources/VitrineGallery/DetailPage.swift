import CGTK
import Vitrine
import VitrineGTK

/// One picture by itself, to look at closely, with what is known of it.
@MainActor final class DetailPage {
    let widget: Widget
    let zoomable = ZoomableImage()
    private let model: GalleryModel
    private let remote: RemoteImage
    private let neighbours: ImagePrefetcher
    private let progress: Widget
    private let spinner: Widget
    private let bar: Widget
    private let facts: Widget
    private let origin: Widget
    private let percent: Widget
    private let failure: Widget
    private let failureReason: Widget
    private let retry: Widget
    /// What was told of the picture that is shown, once it is there.
    private var known: PictureFacts?
    /// The picture that is shown; nil while the page is not.
    private(set) var index: Int?
    /// Called when another picture, or another zoom, is shown.
    var changed: () -> Void = {}

    /// As much as is worth looking at; more than any screen has.
    private static let longestSide = 8192

    init(_ model: GalleryModel, _ loader: ImageLoader) {
        self.model = model
        remote = RemoteImage(loader: loader, delivery: .mainLoop)
        neighbours = ImagePrefetcher(loader)

        progress = gtk_progress_bar_new().styled("loading").placed(GTK_ALIGN_FILL, GTK_ALIGN_START)
        spinner = gtk_spinner_new().placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_widget_set_size_request(spinner, 40, 40)

        facts = Widget.line(cut: PANGO_ELLIPSIZE_END)
        origin = Widget.icon("")
        let pill = Widget.box(GTK_ORIENTATION_HORIZONTAL, facts, origin).styled("floating", "facts")
        percent = Widget.line().styled("scale")
        let zoom = Widget.box(
            GTK_ORIENTATION_HORIZONTAL,
            Widget.button(icon: "zoom-out-symbolic", "Zoom Out", action: "win.zoom-out"), percent,
            Widget.button(icon: "zoom-in-symbolic", "Zoom In", action: "win.zoom-in"),
            Widget.button(icon: "zoom-fit-best-symbolic", "Fit to Window", action: "win.zoom-fit")
        ).styled("floating")
        bar = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, pill, zoom)
            .placed(GTK_ALIGN_CENTER, GTK_ALIGN_END)

        failureReason = Widget.paragraph()
        retry = Widget.button("Retry").styled("pill", "suggested-action")
            .placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_actionable_set_action_name(retry.opaque, "win.retry")
        failure = StatusPage.make(
            icon: "image-missing-symbolic", headline: Widget.paragraph("Cannot Show This Picture"),
            explanation: failureReason, button: retry)

        // Between the arrows.
        for margin in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] {
            margin(failure, 44)
        }

        widget = gtk_overlay_new()
        gtk_overlay_set_child(widget.opaque, zoomable.widget)
        for part in [failure, spinner, bar, progress] {
            gtk_overlay_add_overlay(widget.opaque, part)
        }
        for (icon, words, action, side) in [
            ("go-previous-symbolic", "Previous Picture", "win.previous", GTK_ALIGN_START),
            ("go-next-symbolic", "Next Picture", "win.next", GTK_ALIGN_END),
        ] {
            let button = Widget.button(icon: icon, words, action: action).styled("floating")
                .placed(side, GTK_ALIGN_CENTER)
            gtk_overlay_add_overlay(widget.opaque, button)
            for margin in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] {
                margin(button, 12)
            }
        }
        for margin in [
            gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_bottom,
        ] { margin(bar, 12) }

        zoomable.zoomChanged = { [weak self] in self?.zoomed() }
        watchKeys()
        let states = remote.states
        Task { [weak self] in
            // What is shown is the state now, which may be newer than the one that was told of.
            for await _ in states { self?.update() }
        }
    }

    // MARK: - Showing

    /// Shows the picture at an index; what is in memory at once, and what the grid has until then.
    func show(_ index: Int) {
        guard model.items.indices.contains(index) else { return }
        self.index = index
        known = nil
        zoomable.show(.empty)
        remote.load(request(model.items[index]))
        update()
        neighbours.stopAll()
        neighbours.start(
            [index + 1, index - 1].filter(model.items.indices.contains)
                .map { request(model.items[$0]) })
        (failure.isVisible && retry.isVisible ? retry : zoomable.widget).takeFocus()
    }

    /// Shows nothing any more, and touches no widget.
    func forget() { index = nil }

    /// Gives up what loads.
    func hide() {
        forget()
        neighbours.stopAll()
        remote.load(nil)
        zoomable.show(.empty)
    }

    func tryAgain() { remote.retry() }

    /// Whether the picture, or the failure, is there.
    var isSettled: Bool {
        if case .inProgress = remote.state { return false }
        return true
    }

    private func request(_ item: GalleryItem) -> ImageRequest {
        var request = ImageRequest(item.url)
        request.targetSize = .maximum(Self.longestSide)
        request.showsOtherSizes = true
        request.previews = .progressive()
        request.priority = .high
        return request
    }

    private func update() {
        guard let index, let item = model.items.indices.contains(index) ? model.items[index] : nil
        else { return }
        let focus = widget.focusOfWindow
        failure.isVisible = false
        spinner.isVisible = false
        progress.isVisible = false
        var isThere = false
        switch remote.state {
        case .empty: break
        case .inProgress(let received, let preview):
            if let preview {
                zoomable.show(.preview(preview, size: PointSize(preview.info.pixelSize)))
            }
            spinner.isVisible = preview == nil
            if let fraction = received?.fraction {
                gtk_progress_bar_set_fraction(progress.opaque, fraction)
                progress.isVisible = true
            }
            gtk_label_set_text(facts.opaque, item.name)
            origin.isVisible = false
        case .failure(let error):
            zoomable.show(.empty)
            let words = FailureWords(error)
            gtk_label_set_text(failureReason.opaque, words.whole)
            retry.isVisible = words.mayHelpToRetry
            failure.isVisible = true
            model.ended(index, error)
            if retry.isVisible, focus == nil || focus == zoomable.widget || focus == retry {
                retry.takeFocus()
            }
        case .success(let response):
            isThere = true
            zoomable.show(.image(response.image))
            let known = known ?? model.facts(of: response, item)
            self.known = known
            tell(known, item)
            model.ended(index, nil)
        }
        gtk_spinner_set_spinning(spinner.opaque, spinner.isVisible ? 1 : 0)
        bar.isVisible = isThere
        if focus == retry, !failure.isVisible || !retry.isVisible { zoomable.widget.takeFocus() }
        changed()
    }

    private func tell(_ known: PictureFacts, _ item: GalleryItem) {
        gtk_label_set_text(facts.opaque, known.line)
        gtk_widget_set_tooltip_text(facts, item.place)
        gtk_image_set_from_icon_name(origin.opaque, known.source.icon)
        gtk_widget_set_tooltip_text(origin, known.source.words)
        origin.name(known.source.words)
        origin.isVisible = true
        zoomable.widget.name(item.name, description: known.spoken)
    }

    private func zoomed() {
        gtk_label_set_text(percent.opaque, "\(Int((zoomable.zoom * 100).rounded())) %")
        changed()
    }

    // MARK: - Keyboard

    /// Arrows move from picture to picture, where they do not move about in one that is larger than the
    /// window.
    private func watchKeys() {
        let keys: OpaquePointer = gtk_event_controller_key_new()
        connect(keys, "key-pressed") { [weak self] arguments in
            guard let self, let key = arguments.integer(at: 1) else { return }
            arguments.answer(pressed(Int32(truncatingIfNeeded: key)))
        }
        gtk_widget_add_controller(widget, keys)
    }

    private func pressed(_ key: Int32) -> Bool {
        switch key {
        case GDK_KEY_Left, GDK_KEY_KP_Left: move(by: -1)
        case GDK_KEY_Right, GDK_KEY_KP_Right: move(by: 1)
        case GDK_KEY_Home: show(0)
        case GDK_KEY_End: show(model.items.count - 1)
        default: return false
        }
        return true
    }

    /// Zooms by a step, about the middle.
    func zoom(by factor: Double) { zoomable.zoom *= factor }

    /// Shows the next picture, or the one before; nothing beyond the ends.
    func move(by distance: Int) {
        if let index, canMove(by: distance) { show(index + distance) }
    }

    func canMove(by distance: Int) -> Bool {
        index.map { model.items.indices.contains($0 + distance) } ?? false
    }
}

extension PointSize {
    fileprivate init(_ size: PixelSize) {
        self.init(width: Double(size.width), height: Double(size.height))
    }
}
