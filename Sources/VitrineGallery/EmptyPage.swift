import CGTK
import VitrineGTK

/// What a window without pictures shows: what can be done about it.
@MainActor enum EmptyPage {
    static func make() -> Widget {
        let open = Widget.button("Open Pictures…").styled("pill", "suggested-action")
            .placed(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_actionable_set_action_name(open.opaque, "win.open")
        return StatusPage.make(
            icon: "folder-pictures-symbolic", headline: Widget.paragraph("No Pictures"),
            explanation: Widget.box(
                GTK_ORIENTATION_VERTICAL, spacing: 6,
                Widget.paragraph("Drop pictures, folders or links here, open some,\nor name them:"),
                Widget.paragraph("vitrine-gallery https://…").styled("hint")), button: open)
    }
}
