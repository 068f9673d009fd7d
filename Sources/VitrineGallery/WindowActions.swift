import CGTK
import VitrineGTK

/// What can be done in a window, by name: for buttons, menus and keys alike.
@MainActor final class WindowActions {
    private let map: OpaquePointer
    private let application: UnsafeMutablePointer<GtkApplication>
    private var actions: [String: OpaquePointer] = [:]

    /// The actions of a `GtkApplicationWindow`.
    init(_ window: Widget, _ application: UnsafeMutablePointer<GtkApplication>) {
        map = window.opaque
        self.application = application
    }

    /// Adds one, with the keys that do it too (GTK's names: `<Control>o`).
    func add(_ name: String, _ keys: [String] = [], _ body: @escaping @MainActor () -> Void) {
        let action: OpaquePointer = g_simple_action_new(name, nil)
        connect(action, "activate") { _ in body() }
        install(action, name, keys)
    }

    /// Adds one that is on or off.
    func add(
        switch name: String, _ keys: [String] = [], isOn: Bool,
        _ body: @escaping @MainActor (Bool) -> Void
    ) {
        let action: OpaquePointer = g_simple_action_new_stateful(
            name, nil, g_variant_new_boolean(isOn ? 1 : 0))
        connect(action, "change-state") { arguments in
            guard let state = arguments.variant(at: 1) else { return }
            g_simple_action_set_state(action, state)
            body(g_variant_get_boolean(state) != 0)
        }
        install(action, name, keys)
    }

    private func install(_ action: OpaquePointer, _ name: String, _ keys: [String]) {
        actions[name] = action
        g_action_map_add_action(map, action)
        g_object_unref(UnsafeMutableRawPointer(action))
        setKeys(keys, of: name)
    }

    /// Gives keys to an action of the window.
    func setKeys(_ keys: [String], of name: String) {
        var names = keys.map { g_strdup($0) } + [nil]
        names.withUnsafeMutableBufferPointer { names in
            names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
                gtk_application_set_accels_for_action(
                    application, "win.\(name)", names.baseAddress)
            }
        }
        for name in names { g_free(name) }
    }

    /// Whether it can be done just now; if not, its button is grey, and its keys go to the widget that
    /// has the keyboard.
    func enable(_ name: String, _ isEnabled: Bool) {
        if let action = actions[name] { g_simple_action_set_enabled(action, isEnabled ? 1 : 0) }
    }
}
