import CGTK
import VitrineGTK

/// A page that says in the middle why there is nothing else on it; where it is cut off it can be scrolled.
@MainActor enum StatusPage {
    static func make(
        icon: String, headline: Widget, explanation: Widget, button: Widget
    ) -> Widget {
        let page = Widget.box(
            GTK_ORIENTATION_VERTICAL, spacing: 12, Widget.icon(icon, size: 112).styled("icon"),
            headline.styled("headline"), explanation.styled("explanation"), button
        ).styled("status").placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_widget_set_margin_top(button, 12)
        for margin in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { margin(page, 24) }
        let scrolled: Widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(scrolled.opaque, page)
        gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        // The keyboard is at the button.
        gtk_widget_set_focusable(scrolled, 0)
        return scrolled
    }
}
