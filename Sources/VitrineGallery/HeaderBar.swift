import CGTK
import VitrineGTK

/// The bar at the top of a window: where one is, the way back, and the menu.
@MainActor final class HeaderBar {
    let widget: Widget
    private let title = Widget.line(least: 10).styled("title")
    private let subtitle = Widget.line(cut: PANGO_ELLIPSIZE_END, least: 10).styled("subtitle")
    private let back = Widget.button(icon: "go-previous-symbolic", "Back", action: "win.back")
        .styled("flat")
    private let open = Widget.button(
        icon: "document-open-symbolic", "Open Pictures", action: "win.open"
    ).styled("flat")

    init() {
        widget = gtk_header_bar_new().styled("gallery")
        let titles = Widget.box(GTK_ORIENTATION_VERTICAL, title, subtitle)
            .placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_header_bar_set_title_widget(widget.opaque, titles)
        gtk_header_bar_pack_start(widget.opaque, back)
        gtk_header_bar_pack_start(widget.opaque, open)

        let menu: Widget = gtk_menu_button_new()
        gtk_menu_button_set_has_frame(menu.opaque, 0)
        gtk_menu_button_set_icon_name(menu.opaque, "open-menu-symbolic")
        gtk_menu_button_set_primary(menu.opaque, 1)
        gtk_widget_set_tooltip_text(menu, "Main Menu")
        menu.name("Main Menu")
        let model = Self.menu()
        gtk_menu_button_set_menu_model(menu.opaque, model.cast())
        g_object_unref(UnsafeMutableRawPointer(model))
        gtk_header_bar_pack_end(widget.opaque, menu)
    }

    func show(_ title: GalleryTitle, isDetail: Bool) {
        gtk_label_set_text(self.title.opaque, title.title)
        gtk_label_set_text(subtitle.opaque, title.subtitle)
        subtitle.isVisible = !title.subtitle.isEmpty
        back.isVisible = isDetail
        open.isVisible = !isDetail
    }

    private static func menu() -> OpaquePointer {
        let menu: OpaquePointer = g_menu_new()
        for section in [
            [("Open _Pictures…", "win.open"), ("Open _Folder…", "win.open-folder")],
            [
                ("_Retry Failed", "win.retry"), ("F_ull Screen", "win.full-screen"),
                ("_Dark Style", "win.dark"),
            ],
            [("_Keyboard Shortcuts", "win.show-help-overlay"), ("_About Gallery", "win.about")],
        ] {
            let part: OpaquePointer = g_menu_new()
            for (words, action) in section { g_menu_append(part, words, action) }
            g_menu_append_section(menu, nil, part.cast())
            g_object_unref(UnsafeMutableRawPointer(part))
        }
        return menu
    }
}
