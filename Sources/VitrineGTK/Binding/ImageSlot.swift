public import CGTK

/// A named place for a picture in a widget. Each has a load of its own, so that two places of a widget do
/// not know each other.
@MainActor public struct ImageSlot {
    /// Where the paintable of a slot is put.
    enum Place {
        case own
        case background
        case custom(@MainActor (UnsafeMutablePointer<GtkWidget>, OpaquePointer) -> Void)
    }

    /// What tells it from the other slots of its widget.
    public let name: String
    let place: Place

    /// The widget's own place for a picture: that of a `GtkPicture`, a `GtkImage`, and of any class with a
    /// property `paintable`; the child of a `GtkButton`, which is a `GtkPicture` then, or that picture or
    /// image of its.
    public static let picture = ImageSlot(name: "picture", place: .own)

    /// Behind all else in a `GtkButton`, from edge to edge.
    public static let background = ImageSlot(name: "background", place: .background)

    /// A place that the widget has for a `GdkPaintable`.
    ///
    /// ```swift
    /// let icon = ImageSlot.paintable("icon") { entry, paintable in
    ///     gtk_entry_set_icon_from_paintable(OpaquePointer(entry), GTK_ENTRY_ICON_PRIMARY, paintable)
    /// }
    /// entry.vitrine.setImage(from: url, slot: icon)
    /// ```
    ///
    /// - Parameter install: called whenever a picture is set, with the widget and the paintable, which is
    ///   the same each time.
    public static func paintable(
        _ name: String,
        install: @escaping @MainActor (UnsafeMutablePointer<GtkWidget>, OpaquePointer) -> Void
    ) -> ImageSlot {
        ImageSlot(name: "paintable " + name, place: .custom(install))
    }
}
