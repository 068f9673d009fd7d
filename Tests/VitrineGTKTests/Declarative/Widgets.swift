import CGTK
import DisplaySupport

@testable import VitrineGTK

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// What is in a widget, found as people would: by class and by text.
@MainActor enum Widgets {
    /// The widget and all below it that can be seen.
    static func all(in widget: Widget) -> [Widget] {
        guard gtk_widget_get_visible(widget) != 0 else { return [] }
        var found = [widget]
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            found += all(in: child)
            next = gtk_widget_get_next_sibling(child)
        }
        return found
    }

    static func first(_ type: GType, in widget: Widget) -> Widget? {
        all(in: widget).first { isInstance($0, of: type) }
    }

    /// The texts of all labels.
    static func texts(in widget: Widget) -> [String] {
        all(in: widget).filter { isInstance($0, of: gtk_label_get_type()) }
            .map { String(cString: gtk_label_get_text($0.opaque)) }
    }

    static func picture(in widget: Widget) -> Widget? { first(gtk_picture_get_type(), in: widget) }

    static func paintable(in widget: Widget) -> ImagePaintable? {
        picture(in: widget).flatMap { gtk_picture_get_paintable($0.opaque) }
            .flatMap { ImagePaintable($0) }
    }

    static func button(in widget: Widget) -> Widget? { first(gtk_button_get_type(), in: widget) }

    static func bar(in widget: Widget) -> Widget? { first(gtk_progress_bar_get_type(), in: widget) }

    static func spinner(in widget: Widget) -> Widget? { first(gtk_spinner_get_type(), in: widget) }

    static func label(_ text: String) -> Widget? { gtk_label_new(text) }

    /// As the keyboard and assistive technology do.
    static func click(_ button: Widget) {
        gtk_widget_grab_focus(button)
        gtk_widget_activate(button)
    }

    static func column(_ children: Widget...) throws -> Widget {
        let column: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        for child in children { gtk_box_append(column.cast(), child) }
        return column
    }
}
