import CGTK
import Vitrine
public import VitrineImaging

/// What a widget shows in place of a picture that is not there, or that has failed.
///
/// ```swift
/// picture.vitrine.setImage(from: url, placeholder: .icon("image-loading-symbolic"))
/// ```
@MainActor public struct Placeholder {
    private enum Kind {
        case content(ImageContent)
        case icon(String, size: Int)
        case resource(String)
        case file(String)
    }

    private let kind: Kind

    /// A picture.
    public static func picture(_ picture: RasterImage) -> Placeholder {
        Placeholder(kind: .content(.image(picture)))
    }

    /// Anything that is a `GdkPaintable`, in the fit of the widget's pictures; a reference is taken.
    public static func paintable(_ paintable: OpaquePointer) -> Placeholder {
        Placeholder(kind: .content(.paintable(paintable)))
    }

    /// An icon of the theme, of this size in logical pixels, in the middle of the widget; in the colour of
    /// its text if it is symbolic. The theme has a picture for icons that it does not have.
    public static func icon(_ name: String, size: Int = 32) -> Placeholder {
        Placeholder(kind: .icon(name, size: min(max(size, 1), 1024)))
    }

    /// A picture among the program's resources (GResource), by its path. It is decoded when it is first
    /// shown, once, by GTK.
    public static func resource(_ path: String) -> Placeholder {
        Placeholder(kind: .resource(path))
    }

    /// A picture in a file, of any format that can be decoded. It is read by `ImageLoader.shared`, in
    /// whose memory it stays; the first time it is there a moment later.
    public static func file(_ path: String) -> Placeholder { Placeholder(kind: .file(path)) }

    /// Calls `show` with what is to be seen: at once, or a little later for a file that was not read yet.
    func content(
        for widget: UnsafeMutablePointer<GtkWidget>,
        _ show: @escaping @MainActor (ImageContent) -> Void
    ) {
        switch kind {
        case .content(let content): show(content)
        case .icon(let name, let size): show(Self.icon(name, size, widget))
        case .resource(let path): show(Self.resource(path))
        case .file(let path):
            show(.empty)
            let request = ImageRequest(URL(filePath: path))
            ImageLoader.shared.load(request, deliveringOn: .mainLoop) { result in
                Delivery.onMainActor {
                    switch result {
                    case .success(let response): show(.image(response.image))
                    case .failure(let error): warnOnce("The placeholder cannot be shown: \(error)")
                    }
                }
            }
        }
    }

    private static func icon(
        _ name: String, _ size: Int, _ widget: UnsafeMutablePointer<GtkWidget>
    ) -> ImageContent {
        let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget))
        guard
            let icon = gtk_icon_theme_lookup_icon(
                theme, name, nil, gint(size), gtk_widget_get_scale_factor(widget),
                gtk_widget_get_direction(widget), GtkIconLookupFlags(0))
        else { return .empty }
        defer { g_object_unref(UnsafeMutableRawPointer(icon)) }
        return .icon(icon)
    }

    private static func resource(_ path: String) -> ImageContent {
        if let known = resources[path] { return known }
        // GTK's own call for this ends the program if there is no such resource.
        guard let bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, nil) else {
            warnOnce("There is no resource \(path) to show as a placeholder.")
            return .empty
        }
        defer { g_bytes_unref(bytes) }
        guard let texture = gdk_texture_new_from_bytes(bytes, nil) else {
            warnOnce("The resource \(path) is no picture that GTK can show.")
            return .empty
        }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        let content = ImageContent.paintable(texture)
        resources[path] = content
        return content
    }

    private static var resources: [String: ImageContent] = [:]
}
