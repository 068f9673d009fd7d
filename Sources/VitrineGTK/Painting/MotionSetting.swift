import CGTK

/// Whether people want things to move: the setting "reduce motion" of their desktop.
@MainActor enum MotionSetting {
    /// GTK's `gtk-enable-animations`; true without a display, where nobody looks.
    static var allowsMotion: Bool {
        guard let settings = gtk_settings_get_default() else { return true }
        var value = cgtk_value()
        g_value_init(&value, .boolean)
        defer { g_value_unset(&value) }
        let object = UnsafeMutablePointer<GObject>(settings)
        g_object_get_property(object, "gtk-enable-animations", &value)
        return g_value_get_boolean(&value) != 0
    }

    /// Calls `body` on each change of it, as long as what it returns lives.
    static func watch(_ body: @escaping @MainActor () -> Void) -> SignalWatch? {
        gtk_settings_get_default().map {
            SignalWatch(HeldObject($0), "notify::gtk-enable-animations", body)
        }
    }
}
