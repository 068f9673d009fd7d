public import CGTK
public import Vitrine
public import VitrineImaging

/// Makes the rows of a `GtkListView` or `GtkGridView` that show pictures: loads what is seen, prefetches
/// what is near, cancels what leaves, and never shows one row's picture in another.
///
/// ```swift
/// let factory = ImageListFactory(size: PointSize(width: 160, height: 120)) { _, item in
///     ImageRequest(urls[Int(gtk_list_item_get_position(item))])
/// }
/// let grid = gtk_grid_view_new(selection, factory.retained)
/// ```
///
/// GTK binds about ten times as many rows as there are seen, and maps those only. What is bound and not
/// mapped is brought into memory last of all, two at a time.
@MainActor public final class ImageListFactory {
    /// A widget.
    public typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// The `GtkListItemFactory`. It is borrowed, and lives at least as long as this object.
    public var pointer: OpaquePointer { held.pointer }

    /// The factory with a reference of its own, for `gtk_list_view_new` and `gtk_grid_view_new`, which take
    /// it over.
    public var retained: OpaquePointer {
        g_object_ref(UnsafeMutableRawPointer(held.pointer))
        return pointer
    }

    private let held: HeldObject

    /// A factory.
    ///
    /// - Parameters:
    ///   - size: of each picture, in logical pixels, so that rows do not jump and what is not seen yet is
    ///     prefetched in the right size.
    ///   - loader: who loads and prefetches.
    ///   - options: what else is special; the fit is ``ContentFit/cover`` unless they say otherwise.
    ///   - makeRow: makes a row, and says which widget in it shows the picture; by default the row is a
    ///     `GtkPicture`.
    ///   - bind: fills a row for its list item (`GtkListItem`), and says which picture it shows; nil for
    ///     none.
    public init(
        size: PointSize, loader: ImageLoader = .shared, placeholder: Placeholder? = nil,
        failureImage: Placeholder? = nil, options: ImageOptions = ImageOptions(),
        makeRow: (@MainActor () -> (row: Widget, picture: Widget))? = nil,
        bind: @escaping @MainActor (_ row: Widget, _ item: OpaquePointer) -> ImageRequest?
    ) {
        held = HeldObject(adopting: gtk_signal_list_item_factory_new())
        var options = options
        options.loader = loader
        options.layout = .fixed(size)
        options.contentFit = options.contentFit ?? .cover
        options.whenHidden = options.whenHidden ?? .prefetches(ImagePrefetcher(loader))
        connect(held.pointer, "setup") { arguments in
            guard let item = arguments.object(at: 1),
                let parts = makeRow?() ?? Self.makePicture(size)
            else { return }
            setBelonging(
                RowPicture(parts.picture), of: parts.row, name: RowPicture.name)
            gtk_list_item_set_child(item, parts.row)
        }
        connect(held.pointer, "bind") { arguments in
            guard let item = arguments.object(at: 1),
                let row = gtk_list_item_get_child(item)
            else { return }
            // `bind` may give the item another row.
            HeldObject.keeping(row.opaque) {
                let request = bind(row, item)
                RowPicture.with(row) { picture in
                    picture.vitrine.setImage(
                        from: request, placeholder: placeholder, failureImage: failureImage,
                        options: options)
                }
            }
        }
        connect(held.pointer, "unbind") { arguments in
            guard let item = arguments.object(at: 1),
                let row = gtk_list_item_get_child(item)
            else { return }
            RowPicture.with(row) { $0.vitrine.setImage(from: ImageRequest?.none) }
        }
    }

    private static func makePicture(_ size: PointSize) -> (row: Widget, picture: Widget)? {
        guard let picture = gtk_picture_new() else { return nil }
        gtk_widget_set_size_request(
            picture, gint(clamping: size.width), gint(clamping: size.height))
        // Of the size that is prefetched, however wide the list makes its cells.
        gtk_widget_set_halign(picture, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
        return (picture, picture)
    }
}

/// Which widget of a row shows its picture; belongs to the row.
@MainActor private final class RowPicture {
    static let name = "vitrine-row-picture"
    private let picture: WeakWidget

    init(_ picture: UnsafeMutablePointer<GtkWidget>) { self.picture = WeakWidget(picture) }

    static func with(
        _ row: UnsafeMutablePointer<GtkWidget>,
        _ body: (UnsafeMutablePointer<GtkWidget>) -> Void
    ) {
        belonging(RowPicture.self, of: row, name: name)?.picture.with(body)
    }
}

extension Int32 {
    /// Whole logical pixels; no number counts as none.
    fileprivate init(clamping length: Double) {
        self =
            length.isFinite
            ? Int32(Swift.min(Swift.max(length.rounded(.up), -1), ImageLayout.longest)) : -1
    }
}
