import CGTK
import Vitrine
import VitrineGTK

/// All pictures, small, to scroll through.
@MainActor final class GridPage {
    let widget: Widget
    private let model: GalleryModel
    private let grid: Widget
    private let selection: OpaquePointer
    /// By the `GtkListItem` that GTK has for each.
    private var cells: [OpaquePointer: ThumbnailCell] = [:]
    /// Those of them that show a picture, by its index.
    private var shown: [Int: ThumbnailCell] = [:]
    /// Called with the index of the picture that is to be shown by itself.
    var opened: (Int) -> Void = { _ in }

    init(_ model: GalleryModel) {
        self.model = model
        // The grid takes the model and the factory over; the model keeps its own reference.
        g_object_ref(UnsafeMutableRawPointer(model.names))
        selection = gtk_single_selection_new(model.names)
        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        grid = gtk_grid_view_new(selection, factory).styled("gallery")
        gtk_grid_view_set_min_columns(grid.opaque, 1)
        // GTK has rows for thirty times as many pictures as this, which are prefetched.
        gtk_grid_view_set_max_columns(grid.opaque, 10)
        gtk_grid_view_set_single_click_activate(grid.opaque, 0)
        grid.name("Pictures")
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(widget.opaque, grid)
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_vexpand(widget, 1)

        connect(factory, "setup") { [weak self] arguments in
            if let row = arguments.object(at: 1) { self?.setUp(row) }
        }
        connect(factory, "bind") { [weak self] arguments in
            if let row = arguments.object(at: 1) { self?.bind(row) }
        }
        connect(factory, "unbind") { [weak self] arguments in
            if let row = arguments.object(at: 1) { self?.unbind(row) }
        }
        connect(factory, "teardown") { [weak self] arguments in
            if let row = arguments.object(at: 1) { self?.cells[row] = nil }
        }
        connect(grid.opaque, "activate") { [weak self] arguments in
            if let index = arguments.integer(at: 1) { self?.opened(index) }
        }
    }

    private func setUp(_ row: OpaquePointer) {
        let cell = ThumbnailCell(model)
        cells[row] = cell
        gtk_list_item_set_child(row, cell.widget)
    }

    private func bind(_ row: OpaquePointer) {
        let index = Int(gtk_list_item_get_position(row))
        guard let cell = cells[row], model.items.indices.contains(index) else { return }
        shown[index] = cell
        cell.ended = { [weak self] failure in self?.model.ended(index, failure) }
        cell.show(model.items[index])
    }

    private func unbind(_ row: OpaquePointer) {
        guard let cell = cells[row] else { return }
        let index = Int(gtk_list_item_get_position(row))
        if shown[index] === cell { shown[index] = nil }
        cell.ended = { _ in }
        cell.clear()
    }

    /// Whether everything in sight is there, or has failed.
    var isSettled: Bool {
        shown.values.allSatisfy { gtk_widget_get_mapped($0.widget) == 0 || $0.isSettled }
    }

    /// Tries again what has failed, as far as it is in the grid; the rest is tried when it comes into
    /// sight.
    func retryFailed() {
        for index in model.failures.keys.sorted() { shown[index]?.retry() }
    }

    /// Puts the keyboard on a picture, and brings it into sight.
    func focus(_ index: Int) {
        guard model.items.indices.contains(index) else { return }
        gtk_single_selection_set_selected(selection, guint(index))
        // Before it has a size GTK could only complain.
        if gtk_widget_get_height(grid) > 0 {
            gtk_widget_activate_action_variant(
                grid, "list.scroll-to-item", g_variant_new_uint32(guint(index)))
        }
        if let cell = shown[index], let row = gtk_widget_get_parent(cell.widget) {
            row.takeFocus()
        } else {
            grid.takeFocus()
        }
    }
}
