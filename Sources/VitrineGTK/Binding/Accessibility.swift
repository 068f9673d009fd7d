package import CGTK

extension ImageWidget {
    /// What the picture shows, for people who do not see it; nil for none.
    ///
    /// It becomes the name of the widget and, of a `GtkPicture`, its description; GTK alone would leave
    /// "GtkPicture" as the name. While a picture loads, assistive technology is told that the widget is
    /// busy.
    public var alternativeText: String? {
        get { belonging(AlternativeText.self, of: widget, name: AlternativeText.name)?.text }
        nonmutating set {
            setBelonging(
                newValue.map(AlternativeText.init), of: widget, name: AlternativeText.name)
            if isInstance(widget, of: gtk_picture_get_type()) {
                gtk_picture_set_alternative_text(widget.opaque, newValue)
            }
            setAccessibleText(newValue, as: GTK_ACCESSIBLE_PROPERTY_LABEL, of: widget)
        }
    }
}

/// Belongs to a widget.
private final class AlternativeText {
    static let name = "vitrine-alternative-text"
    let text: String

    init(_ text: String) { self.text = text }
}

/// A text that assistive technology reads of the widget; nil takes it away.
@MainActor
package func setAccessibleText(
    _ text: String?, as property: GtkAccessibleProperty, of widget: UnsafeMutablePointer<GtkWidget>
) {
    var property = property
    guard let text else { return gtk_accessible_reset_property(widget.opaque, property) }
    var value = cgtk_value()
    gtk_accessible_property_init_value(property, &value)
    g_value_set_string(&value, text)
    gtk_accessible_update_property_value(widget.opaque, 1, &property, &value)
    g_value_unset(&value)
}

/// Whether something changes in the widget that had better be waited for.
@MainActor
func setBusy(_ isBusy: Bool, _ widget: UnsafeMutablePointer<GtkWidget>) {
    var state = GTK_ACCESSIBLE_STATE_BUSY
    var value = cgtk_value()
    gtk_accessible_state_init_value(state, &value)
    g_value_set_boolean(&value, isBusy ? 1 : 0)
    gtk_accessible_update_state_value(widget.opaque, 1, &state, &value)
    g_value_unset(&value)
}
