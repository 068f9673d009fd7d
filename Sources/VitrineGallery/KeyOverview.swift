import CGTK
import VitrineGTK

/// The window that lists all keys.
@MainActor enum KeyOverview {
    private static let sections: [(String, [(String, String)])] = [
        (
            "Pictures",
            [
                ("Return", "Open the picture"), ("Escape", "Go back"),
                ("Left Page_Up", "Previous picture"), ("Right Page_Down", "Next picture"),
                ("F5", "Try again what has failed"),
            ]
        ),
        (
            "Zoom",
            [
                ("plus", "Zoom in"), ("minus", "Zoom out"), ("0", "Fit to the window"),
                ("1", "The picture's own size"),
                ("Left Right Up Down", "Move about in a picture that is zoomed in"),
            ]
        ),
        (
            "Window",
            [
                ("&lt;Control&gt;o", "Open pictures"), ("F11", "Full screen"), ("F10", "Main menu"),
                ("&lt;Control&gt;question", "This overview"),
                ("&lt;Control&gt;w", "Close the window"),
                ("&lt;Control&gt;q", "Quit"),
            ]
        ),
    ]

    /// A `GtkShortcutsWindow`, which GTK makes from a description only.
    static func add(to window: Widget) {
        var text = """
            <interface><object class="GtkShortcutsWindow" id="keys"><property name="modal">1</property>\
            <child><object class="GtkShortcutsSection"><property name="section-name">keys</property>
            """
        for (title, keys) in sections {
            text +=
                "<child><object class='GtkShortcutsGroup'><property name='title'>\(title)</property>"
            for (key, words) in keys {
                text += """
                    <child><object class='GtkShortcutsShortcut'>\
                    <property name='accelerator'>\(key)</property>\
                    <property name='title'>\(words)</property></object></child>
                    """
            }
            text += "</object></child>"
        }
        text += "</object></child></object></interface>"
        guard let builder = gtk_builder_new_from_string(text, -1) else { return }
        if let keys = gtk_builder_get_object(builder, "keys") {
            gtk_application_window_set_help_overlay(window.cast(), keys.opaque)
        }
        g_object_unref(UnsafeMutableRawPointer(builder))
    }
}
