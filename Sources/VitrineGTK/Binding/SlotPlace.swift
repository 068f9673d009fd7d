import CGTK

/// Puts paintables into the places that GTK's widgets have for them.
extension ImageSlot.Place {
    /// Puts the paintable there, if it is not there yet; false if the widget has no such place.
    ///
    /// Returns the widget that paints it, which lends its frame clock and whose size counts; nil if that is
    /// not known.
    @MainActor
    func install(
        _ paintable: OpaquePointer, in widget: UnsafeMutablePointer<GtkWidget>
    ) -> (isThere: Bool, painter: UnsafeMutablePointer<GtkWidget>?) {
        switch self {
        case .custom(let install):
            install(widget, paintable)
            return (true, nil)
        case .own:
            if let painter = Self.painter(in: widget) {
                Self.set(paintable, of: painter)
                return (true, painter)
            }
            guard isInstance(widget, of: gtk_button_get_type()),
                let picture = gtk_picture_new_for_paintable(paintable)
            else { return (false, nil) }
            gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_FILL)
            gtk_button_set_child(widget.cast(), picture)
            return (true, picture)
        case .background:
            guard isInstance(widget, of: gtk_button_get_type()) else { return (false, nil) }
            let picture = ButtonBackground.of(widget).picture
            Self.set(paintable, of: picture)
            return (true, picture)
        }
    }

    /// Who paints the widget's own picture: it, or the picture in a button.
    @MainActor
    private static func painter(
        in widget: UnsafeMutablePointer<GtkWidget>
    ) -> UnsafeMutablePointer<GtkWidget>? {
        if hasPaintable(widget) { return widget }
        guard isInstance(widget, of: gtk_button_get_type()),
            let child = gtk_button_get_child(widget.cast()), hasPaintable(child)
        else { return nil }
        return child
    }

    /// Whether there is a property for a paintable that can be set.
    private static func hasPaintable(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        let instance: UnsafeMutablePointer<GTypeInstance> = widget.cast()
        guard let widgetClass = instance.pointee.g_class,
            let property = g_object_class_find_property(
                UnsafeMutableRawPointer(widgetClass).assumingMemoryBound(to: GObjectClass.self),
                "paintable")
        else { return false }
        return property.pointee.value_type == gdk_paintable_get_type()
            && property.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0
    }

    private static func set(
        _ paintable: OpaquePointer, of widget: UnsafeMutablePointer<GtkWidget>
    ) {
        if isInstance(widget, of: gtk_picture_get_type()) {
            // The paintable fits its content into the whole of the area by itself.
            gtk_picture_set_content_fit(widget.opaque, GTK_CONTENT_FIT_FILL)
            if gtk_picture_get_paintable(widget.opaque) == paintable { return }
        }
        var value = cgtk_value()
        g_value_init(&value, gdk_paintable_get_type())
        g_value_set_object(&value, UnsafeMutableRawPointer(paintable))
        g_object_set_property(widget.cast(), "paintable", &value)
        g_value_unset(&value)
    }
}

/// A picture behind all else in a button, from edge to edge, with the button's round corners.
@MainActor private final class ButtonBackground {
    let picture: UnsafeMutablePointer<GtkWidget>

    private static let name = "vitrine-button-background"
    private static let style = """
        button.vitrine-background { padding: 0; }
        button.vitrine-background > :not(.vitrine-background) { padding: 5px 10px; }
        """

    static func of(_ button: UnsafeMutablePointer<GtkWidget>) -> ButtonBackground {
        if let known = belonging(ButtonBackground.self, of: button, name: name) { return known }
        let background = ButtonBackground(button)
        setBelonging(background, of: button, name: name)
        return background
    }

    private init(_ button: UnsafeMutablePointer<GtkWidget>) {
        picture = gtk_picture_new()
        gtk_widget_add_css_class(picture, "vitrine-background")
        gtk_widget_add_css_class(button, "vitrine-background")
        gtk_widget_set_can_target(picture, 0)
        Self.addStyle(to: gtk_widget_get_display(button))
        gtk_widget_set_overflow(button, GTK_OVERFLOW_HIDDEN)
        gtk_widget_insert_after(picture, button, nil)
        // A button takes only the child that it knows of with it.
        connect(button, "destroy") { [weak self] _ in
            guard let self else { return }
            self.leave()
        }
    }

    private var hasLeft = false

    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        gtk_widget_unparent(picture)
    }

    private static func addStyle(to display: OpaquePointer?) {
        guard let display else { return }
        let object: UnsafeMutablePointer<GObject> = display.cast()
        guard belonging(StyleMark.self, of: object, name: name) == nil else { return }
        setBelonging(StyleMark(), of: object, name: name)
        guard let provider = gtk_css_provider_new() else { return }
        gtk_css_provider_load_from_data(provider, style, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1))
        g_object_unref(provider)
    }

    private final class StyleMark {}
}
