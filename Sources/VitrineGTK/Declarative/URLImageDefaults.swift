import CGTK
public import Vitrine
import VitrineImaging

/// What the slots of a ``URLImage`` show unless something else is made for them; to be put into slots of one's
/// own, too.
@MainActor public enum URLImageDefaults {
    /// What the slots say. A program that speaks another language than English sets it once, before it
    /// makes its views; widgets that are there keep what they say.
    public static var texts = URLImageTexts()

    /// Nothing.
    public static func empty() -> SlotBuilder.Slot { SlotBuilder.Slot(parts: []) }

    /// A spinner until it is known how much there is, then a bar; both above the preview, if there is one.
    public static func inProgress(
        _ progress: URLImageProgress, _ preview: URLImagePicture
    ) -> SlotBuilder.Slot {
        SlotBuilder.buildExpression(ProgressIndicator.make(progress, preview))
    }

    /// An icon, the reason and a Retry button; only the button where there is no room for more.
    public static func failure(
        _ error: ImageError, _ retry: @escaping @MainActor () -> Void
    ) -> SlotBuilder.Slot {
        SlotBuilder.buildExpression(FailureNotice(error: error, retry: retry))
    }

    /// Why there is no picture, in the words of ``texts``: up to three lines, as wide as there is room.
    public static func reason(_ error: ImageError) -> SlotBuilder.Slot {
        SlotBuilder.buildExpression(makeReason(error))
    }

    static func makeReason(_ error: ImageError) -> UnsafeMutablePointer<GtkWidget> {
        let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new(texts.reason(error))
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
        gtk_label_set_lines(label.opaque, 3)
        gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(label.opaque, 28)
        gtk_widget_set_tooltip_text(label, error.description)
        return label
    }

    /// A button in the middle, such as one that tries again.
    public static func button(
        _ title: String = texts.retry, _ action: @escaping @MainActor () -> Void
    ) -> SlotBuilder.Slot {
        SlotBuilder.buildExpression(makeButton(title, action))
    }

    static func makeButton(
        _ title: String, _ action: @escaping @MainActor () -> Void
    ) -> UnsafeMutablePointer<GtkWidget> {
        let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label(title)
        centre(button)
        connect(button, "clicked") { _ in action() }
        return button
    }

    /// The picture.
    public static func content(
        _ picture: URLImagePicture, _ response: ImageResponse
    ) -> SlotBuilder.Slot {
        SlotBuilder.buildExpression(picture)
    }
}

/// What is seen of a load.
@MainActor private enum ProgressIndicator {
    static func make(
        _ progress: URLImageProgress, _ preview: URLImagePicture
    ) -> UnsafeMutablePointer<GtkWidget>? {
        guard let overlay = gtk_overlay_new(), let spinner = gtk_spinner_new(),
            let bar = gtk_progress_bar_new()
        else { return nil }
        gtk_overlay_set_child(overlay.opaque, preview.makeWidget())
        gtk_widget_set_size_request(spinner, 24, 24)
        gtk_widget_set_halign(spinner, GTK_ALIGN_CENTER)
        gtk_spinner_start(spinner.opaque)
        addStyle(to: gtk_widget_get_display(bar))
        gtk_widget_add_css_class(bar, name)
        for indicator in [spinner, bar] {
            gtk_widget_set_valign(indicator, GTK_ALIGN_CENTER)
            margin(6, indicator)
            indicator.vitrine.alternativeText = URLImageDefaults.texts.loading
            gtk_overlay_add_overlay(overlay.opaque, indicator)
            // It has room also where there is nothing else.
            gtk_overlay_set_measure_overlay(overlay.opaque, indicator, 1)
        }
        bar.vitrine.observe {
            (fraction: progress.fraction, hasPreview: progress.hasPreview)
        } apply: { [spinner = WeakWidget(spinner)] bar, state in
            if let fraction = state.fraction { gtk_progress_bar_set_fraction(bar.opaque, fraction) }
            let hasFraction = state.fraction != nil
            gtk_widget_set_visible(bar, hasFraction ? 1 : 0)
            gtk_widget_set_valign(bar, state.hasPreview ? GTK_ALIGN_END : GTK_ALIGN_CENTER)
            // GTK would move it within its own height only: it is the overlay that goes by it.
            gtk_widget_queue_resize(bar)
            spinner.with { gtk_widget_set_visible($0, hasFraction || state.hasPreview ? 0 : 1) }
        }
        return overlay
    }

    /// Themes want bars of 150 pixels, which thumbnails have no room for.
    private static let name = "vitrine-progress"
    private static let style =
        "progressbar.\(name) > trough { min-width: 36px; }"

    private static func addStyle(to display: OpaquePointer?) {
        guard let display else { return }
        let object: UnsafeMutablePointer<GObject> = display.cast()
        guard belonging(StyleMark.self, of: object, name: name) == nil,
            let provider = gtk_css_provider_new()
        else { return }
        setBelonging(StyleMark(), of: object, name: name)
        gtk_css_provider_load_from_data(provider, style, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1))
        g_object_unref(provider)
    }

    private final class StyleMark {}
}

/// What is seen of a failure.
@MainActor struct FailureNotice: WidgetConvertible {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    let error: ImageError
    let retry: @MainActor () -> Void
    private var texts: URLImageTexts { URLImageDefaults.texts }

    func makeWidget() -> Widget { makeWidget(within: nil) }

    /// The button alone, if nothing else fits.
    ///
    /// - Parameter room: what there is at most, in logical pixels; nil if there is as much as is needed.
    func makeWidget(within room: PointSize?) -> Widget {
        let notice = full
        guard let room else { return notice }
        var width: gint = 0
        var height: gint = 0
        gtk_widget_measure(notice, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
        gtk_widget_measure(
            notice, GTK_ORIENTATION_VERTICAL, max(width, gint(pixels: room.width)), &height, nil,
            nil,
            nil)
        if Double(width) <= room.width, Double(height) <= room.height { return notice }
        g_object_ref_sink(notice)
        g_object_unref(notice)
        return small
    }

    private var full: Widget {
        let column: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
        let icon: Widget = gtk_image_new_from_icon_name("image-missing-symbolic")
        gtk_image_set_pixel_size(icon.opaque, 32)
        gtk_widget_add_css_class(icon, "dim-label")
        let button = URLImageDefaults.makeButton(texts.retry, retry)
        for part in [icon, URLImageDefaults.makeReason(error), button] {
            gtk_box_append(column.cast(), part)
        }
        centre(column)
        margin(6, column)
        return column
    }

    private var small: Widget {
        let button: Widget = gtk_button_new_from_icon_name("view-refresh-symbolic")
        gtk_widget_add_css_class(button, "flat")
        gtk_widget_set_tooltip_text(button, "\(texts.reason(error)) \(texts.retry)")
        button.vitrine.alternativeText = texts.retry
        centre(button)
        connect(button, "clicked") { [retry] _ in retry() }
        return button
    }
}

@MainActor private func centre(_ widget: UnsafeMutablePointer<GtkWidget>) {
    gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
}

@MainActor private func margin(_ width: gint, _ widget: UnsafeMutablePointer<GtkWidget>) {
    gtk_widget_set_margin_top(widget, width)
    gtk_widget_set_margin_bottom(widget, width)
    gtk_widget_set_margin_start(widget, width)
    gtk_widget_set_margin_end(widget, width)
}
