import CGTK
import VitrineGTK

/// Pictures that come while the window is open: chosen, or dropped on it.
@MainActor final class Arrivals {
    private let window: Widget
    /// The chooser that is open.
    private var chooser: OpaquePointer?
    /// Called with what has been found.
    var arrived: ([GalleryItem]) -> Void = { _ in }

    init(_ window: Widget) { self.window = window }

    func chooseFiles() { choose("Open Pictures", GTK_FILE_CHOOSER_ACTION_OPEN) }

    func chooseFolder() { choose("Open Folder", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER) }

    private func choose(_ title: String, _ action: GtkFileChooserAction) {
        guard chooser == nil,
            let chooser = gtk_file_chooser_native_new(title, window.cast(), action, nil, nil)
        else { return }
        self.chooser = chooser
        gtk_file_chooser_set_select_multiple(chooser, 1)
        gtk_native_dialog_set_modal(chooser.cast(), 1)
        connect(chooser, "response") { [weak self] arguments in
            let files = gtk_file_chooser_get_files(chooser)
            if arguments.integer(at: 1) == Int(GTK_RESPONSE_ACCEPT.rawValue), let files {
                let count = g_list_model_get_n_items(files)
                self?.add(
                    (0..<count).compactMap { index in
                        guard let file = g_list_model_get_item(files, index) else { return nil }
                        defer { g_object_unref(file) }
                        return Self.word(for: OpaquePointer(file))
                    })
            }
            if let files { g_object_unref(UnsafeMutableRawPointer(files)) }
            self?.chooser = nil
            g_object_unref(UnsafeMutableRawPointer(chooser))
        }
        gtk_native_dialog_show(chooser.cast())
    }

    /// Takes files, folders and links that are dropped on the widget.
    func acceptDrops(on widget: Widget) {
        let target: OpaquePointer = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)
        connect(target, "drop") { [weak self] arguments in
            guard let self, let list = arguments.boxed(at: 1, gdk_file_list_get_type()) else {
                return
            }
            let words = Self.words(for: list)
            add(words)
            arguments.answer(!words.isEmpty)
        }
        gtk_widget_add_controller(widget, target)
    }

    /// One for each file of a `GdkFileList`.
    private static func words(for list: OpaquePointer) -> [String] {
        var words: [String] = []
        let files = gdk_file_list_get_files(list)
        defer { g_slist_free(files) }
        var next = files
        while let file = next {
            if let data = file.pointee.data, let word = word(for: OpaquePointer(data)) {
                words.append(word)
            }
            next = file.pointee.next
        }
        return words
    }

    /// The path of a `GFile`, or its URL where it has none.
    private static func word(for file: OpaquePointer) -> String? {
        guard let text = g_file_get_path(file) ?? g_file_get_uri(file) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Folders are read on another thread.
    private func add(_ words: [String]) {
        Task { [weak self] in
            let items = await Task.detached {
                var reader = SourceReader()
                // What cannot be read is left out; there is nobody at the command line to be told.
                for word in words { try? reader.add(word) }
                return reader.items
            }.value
            self?.arrived(items)
        }
    }
}
