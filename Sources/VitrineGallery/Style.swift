import CGTK
import VitrineGTK

/// How the gallery looks beyond GTK's own theme, in its colours, so that it fits light and dark.
@MainActor enum Style {
    private static let sheet = """
        /* Without the frame that a desktop without shadows has, within the size that was asked for. */
        window.frameless.solid-csd { padding: 0; border: none; }

        headerbar.gallery { background: @theme_bg_color; box-shadow: none; min-height: 46px; }
        headerbar.gallery .title { font-weight: bold; }

        gridview.gallery { background: none; padding: 10px; }
        gridview.gallery > child {
            padding: 6px; border-radius: 16px; background: none; outline-offset: -2px;
        }
        gridview.gallery > child > box { margin: 0; border-spacing: 0; }
        gridview.gallery > child:hover { background: alpha(currentColor, 0.06); }
        gridview.gallery > child:selected { background: alpha(@theme_selected_bg_color, 0.22);
            color: inherit; }

        .tile { border-radius: 11px; background: alpha(currentColor, 0.07); }
        .tile picture { color: alpha(currentColor, 0.3); }
        .tile-name { font-size: 0.86em; padding: 5px 4px 1px; opacity: 0.8; }
        .tile .origin {
            color: white; background: rgba(0, 0, 0, 0.42); border-radius: 99px;
            padding: 4px; margin: 6px; -gtk-icon-size: 12px;
        }
        .tile .failed { padding: 10px; }
        .tile .failed label { font-size: 0.86em; opacity: 0.8; }
        .tile .failed image { opacity: 0.5; }
        .tile .failed button { padding: 2px 14px; min-height: 22px; font-size: 0.86em; }

        button.pill { border-radius: 99px; padding: 6px 20px; }
        .status .icon { opacity: 0.32; }
        .status .headline { font-size: 1.7em; font-weight: 800; }
        .status .explanation, .status .hint { opacity: 0.75; }
        .status .hint { font-family: monospace; font-size: 0.92em; }

        .floating {
            color: white; background: rgba(24, 24, 26, 0.72); border-radius: 99px; padding: 4px;
        }
        .floating button, button.floating {
            color: white; background: none; border: none; box-shadow: none; text-shadow: none;
            border-radius: 99px; min-width: 28px; min-height: 28px; padding: 2px;
            -gtk-icon-shadow: none;
        }
        button.floating { background: rgba(24, 24, 26, 0.55); min-width: 36px; min-height: 36px; }
        .floating button:hover { background: rgba(255, 255, 255, 0.16); }
        button.floating:hover { background: rgba(24, 24, 26, 0.85); }
        .floating button:disabled { color: rgba(255, 255, 255, 0.35); }
        .floating label { padding: 0 4px; }
        .floating .scale { min-width: 44px; font-feature-settings: "tnum"; }
        .facts { padding: 4px 14px; min-height: 32px; }
        .facts image { opacity: 0.8; margin-left: 4px; }

        progressbar.loading { min-height: 3px; }
        progressbar.loading trough, progressbar.loading progress {
            min-height: 3px; margin: 0; border: none; border-radius: 0; background-image: none;
        }
        progressbar.loading trough { background-color: transparent; }
        """

    /// Adds it to all windows of the display.
    static func use() {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else {
            return
        }
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }

    /// Whether windows are dark; at first as the desktop prefers.
    static var isDark: Bool {
        get {
            var value = cgtk_value()
            g_value_init(&value, .boolean)
            g_object_get_property(settings, darkness, &value)
            return g_value_get_boolean(&value) != 0
        }
        set {
            var value = cgtk_value()
            g_value_init(&value, .boolean)
            g_value_set_boolean(&value, newValue ? 1 : 0)
            g_object_set_property(settings, darkness, &value)
        }
    }

    private static let darkness = "gtk-application-prefer-dark-theme"
    private static var settings: UnsafeMutablePointer<GObject>? {
        gtk_settings_get_default()?.cast()
    }
}
