import CGTK
import VitrineGTK

/// Any widget, as most of GTK's calls want it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension Widget {
    /// Adds classes of the style sheet.
    @MainActor @discardableResult
    func styled(_ classes: String...) -> Widget {
        for name in classes { gtk_widget_add_css_class(self, name) }
        return self
    }

    /// Where it lies in the room that it is given.
    @MainActor @discardableResult
    func placed(_ across: GtkAlign, _ down: GtkAlign) -> Widget {
        gtk_widget_set_halign(self, across)
        gtk_widget_set_valign(self, down)
        return self
    }

    @MainActor var isVisible: Bool {
        get { gtk_widget_get_visible(self) != 0 }
        nonmutating set { gtk_widget_set_visible(self, newValue ? 1 : 0) }
    }

    /// Asks for the keyboard.
    @MainActor
    func takeFocus() { gtk_widget_grab_focus(self) }

    /// The widget of this one's window that has the keyboard, whether or not the window has it just now;
    /// nil if none that is in sight has.
    @MainActor
    var focusOfWindow: Widget? {
        gtk_widget_get_root(self).flatMap { gtk_root_get_focus($0) }
            .flatMap { gtk_widget_get_mapped($0) != 0 ? $0 : nil }
    }

    /// Adds a child to a `GtkBox`.
    @MainActor
    func append(_ child: Widget) { gtk_box_append(cast(), child) }

    // MARK: - Making

    @MainActor
    static func box(_ orientation: GtkOrientation, spacing: Int32 = 0, _ children: Widget...)
        -> Widget
    {
        let box: Widget = gtk_box_new(orientation, spacing)
        for child in children { box.append(child) }
        return box
    }

    /// A line of text, cut off in its middle where it is too long.
    ///
    /// - Parameter least: how many characters have room in any case.
    @MainActor
    static func line(
        _ text: String = "", cut: PangoEllipsizeMode = PANGO_ELLIPSIZE_MIDDLE, least: Int32 = -1
    ) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_ellipsize(label.opaque, cut)
        gtk_label_set_single_line_mode(label.opaque, 1)
        gtk_label_set_width_chars(label.opaque, least)
        return label
    }

    /// Text of any length, centred.
    @MainActor
    static func paragraph(_ text: String = "", width: Int32 = 48) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
        gtk_label_set_max_width_chars(label.opaque, width)
        return label
    }

    @MainActor
    static func icon(_ name: String, size: Int32 = 16) -> Widget {
        let image: Widget = gtk_image_new_from_icon_name(name)
        gtk_image_set_pixel_size(image.opaque, size)
        return image
    }

    /// A button with an icon, which says what it does when one points at it, and to assistive technology.
    @MainActor
    static func button(icon: String, _ words: String, action: String) -> Widget {
        let button: Widget = gtk_button_new_from_icon_name(icon)
        gtk_widget_set_tooltip_text(button, words)
        button.name(words)
        gtk_actionable_set_action_name(button.opaque, action)
        return button
    }

    @MainActor
    static func button(_ words: String) -> Widget {
        let button: Widget = gtk_button_new_with_label(words)
        return button
    }

    // MARK: - Assistive technology

    /// What assistive technology calls it, and what more it says.
    @MainActor
    func name(_ name: String, description: String? = nil) {
        setAccessibleText(name, as: GTK_ACCESSIBLE_PROPERTY_LABEL, of: self)
        if let description {
            setAccessibleText(description, as: GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, of: self)
        }
    }
}
