import CGTK
import Vitrine
import VitrineGTK

/// The window: header bar, and below it the grid, one picture, or what is said when there is none.
@MainActor final class GalleryWindow {
    let widget: Widget
    private let model: GalleryModel
    private let header = HeaderBar()
    private let pages: Widget
    private let grid: GridPage
    private let detail: DetailPage
    private let actions: WindowActions
    private let arrivals: Arrivals
    private var isFull = false
    private var isOpen = true

    init(
        _ application: UnsafeMutablePointer<GtkApplication>, _ loader: ImageLoader,
        _ originsAhead: OriginsAhead, _ arguments: GalleryArguments
    ) {
        widget = gtk_application_window_new(application)
        actions = WindowActions(widget, application)
        model = GalleryModel(originsAhead)
        grid = GridPage(model)
        detail = DetailPage(model, loader)
        arrivals = Arrivals(widget)
        pages = gtk_stack_new()
        gtk_stack_set_transition_type(pages.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_stack_set_transition_duration(pages.opaque, 150)
        for (page, name) in [
            (EmptyPage.make(), "empty"), (grid.widget, "grid"), (detail.widget, "detail"),
        ] {
            gtk_stack_add_named(pages.opaque, page, name)
        }

        var options = ImageOptions()
        options.loader = loader
        options.contentFit = .cover
        options.layout = ImageLayout.none
        options.transition = .crossDissolve(.milliseconds(150))
        options.whenHidden = .prefetches(ImagePrefetcher(loader))
        widget.vitrine.options = options

        gtk_window_set_default_size(
            widget.cast(), Int32(arguments.width), Int32(arguments.height))
        gtk_window_set_titlebar(widget.cast(), header.widget)
        gtk_window_set_child(widget.cast(), pages)
        addActions()
        KeyOverview.add(to: widget)
        actions.setKeys(["<Control>question"], of: "show-help-overlay")
        model.changed = { [weak self] in self?.update() }
        detail.changed = { [weak self] in self?.update() }
        grid.opened = { [weak self] index in self?.open(index) }
        arrivals.arrived = { [weak self] items in self?.model.append(items) }
        arrivals.acceptDrops(on: pages)
        connect(widget.opaque, "destroy") { [weak self] _ in
            // The widgets are gone.
            self?.isOpen = false
            self?.detail.forget()
        }
        update()
    }

    /// Adds pictures, and shows one of them by itself if that is wanted.
    func show(_ items: [GalleryItem], opening index: Int? = nil) {
        model.append(items)
        gtk_window_present(widget.cast())
        if let index, items.indices.contains(index) { open(index) } else { grid.focus(0) }
    }

    /// Closes the window, and gives up what it loads.
    func close() {
        guard isOpen else { return }
        detail.hide()
        gtk_window_destroy(widget.cast())
    }

    /// Whether everything in sight is there, or has failed, and nothing moves.
    var isSettled: Bool {
        gtk_stack_get_transition_running(pages.opaque) == 0
            && (isDetail ? detail.isSettled : grid.isSettled)
    }

    private var isDetail: Bool { detail.index != nil }

    private func open(_ index: Int) {
        detail.show(index)
        update()
    }

    private func goBack() {
        if isFull {
            setFull(false)
        } else if let index = detail.index {
            detail.hide()
            update()
            grid.focus(index)
        }
    }

    private func setFull(_ isFull: Bool) {
        self.isFull = isFull
        if isFull {
            gtk_window_fullscreen(widget.cast())
        } else {
            gtk_window_unfullscreen(widget.cast())
        }
        update()
    }

    private func update() {
        guard isOpen else { return }
        let page = isDetail ? "detail" : model.items.isEmpty ? "empty" : "grid"
        if gtk_stack_get_visible_child_name(pages.opaque).map({ String(cString: $0) }) != page {
            gtk_stack_set_visible_child_name(pages.opaque, page)
        }
        let count = model.items.count
        let title =
            detail.index.map { GalleryTitle(model.items[$0].name, at: $0, of: count) }
            ?? GalleryTitle(pictures: count, failed: model.failures.count)
        header.show(title, isDetail: isDetail)
        gtk_window_set_title(widget.cast(), title.ofWindow)

        let failed = detail.index.map { model.failures[$0] != nil } ?? !model.failures.isEmpty
        let hasPicture = isDetail && !failed
        for (name, isPossible) in [
            ("back", isDetail || isFull), ("retry", failed),
            ("previous", detail.canMove(by: -1)), ("next", detail.canMove(by: 1)),
            ("zoom-in", hasPicture), ("zoom-out", hasPicture && !detail.zoomable.isFitted),
            ("zoom-fit", hasPicture && !detail.zoomable.isFitted), ("zoom-one", hasPicture),
        ] {
            actions.enable(name, isPossible)
        }
    }

    private func addActions() {
        actions.add("back", ["Escape", "<Alt>Left"]) { [weak self] in self?.goBack() }
        actions.add("previous", ["Page_Up"]) { [weak self] in self?.detail.move(by: -1) }
        actions.add("next", ["Page_Down"]) { [weak self] in self?.detail.move(by: 1) }
        actions.add("retry", ["F5", "<Control>r"]) { [weak self] in
            guard let self else { return }
            if self.isDetail { self.detail.tryAgain() } else { self.grid.retryFailed() }
        }
        let zoomIn = ["plus", "equal", "KP_Add", "<Control>plus", "<Control>equal"]
        actions.add("zoom-in", zoomIn) { [weak self] in self?.detail.zoom(by: 1.25) }
        let zoomOut = ["minus", "KP_Subtract", "<Control>minus"]
        actions.add("zoom-out", zoomOut) { [weak self] in self?.detail.zoom(by: 0.8) }
        let zoomFit = ["0", "KP_0", "<Control>0"]
        actions.add("zoom-fit", zoomFit) { [weak self] in
            self?.detail.zoomable.zoomToFit()
        }
        actions.add("zoom-one", ["1", "KP_1", "<Control>1"]) { [weak self] in
            self?.detail.zoomable.zoom = 1
        }
        actions.add("open", ["<Control>o"]) { [weak self] in self?.arrivals.chooseFiles() }
        actions.add("open-folder") { [weak self] in self?.arrivals.chooseFolder() }
        actions.add("full-screen", ["F11"]) { [weak self] in
            guard let self else { return }
            self.setFull(!self.isFull)
        }
        actions.add(switch: "dark", isOn: Style.isDark) { Style.isDark = $0 }
        actions.add("about") { [weak self] in self?.showAbout() }
        actions.add("close", ["<Control>w"]) { [weak self] in
            if let self { gtk_window_close(self.widget.cast()) }
        }
        actions.add("quit", ["<Control>q"]) { g_application_quit(g_application_get_default()) }
    }

    private func showAbout() {
        let about: Widget = gtk_about_dialog_new()
        let dialog: OpaquePointer = about.opaque
        gtk_about_dialog_set_program_name(dialog, "Gallery")
        gtk_about_dialog_set_version(dialog, ImageLoader.version)
        gtk_about_dialog_set_comments(
            dialog, "Pictures from anywhere, loaded, kept and shown by Vitrine.")
        gtk_about_dialog_set_logo_icon_name(dialog, "folder-pictures-symbolic")
        gtk_window_set_transient_for(about.cast(), widget.cast())
        gtk_window_set_modal(about.cast(), 1)
        gtk_window_present(about.cast())
    }
}
