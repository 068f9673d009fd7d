import CGTK
import VitrineImaging

/// Something that can be drawn: a texture, or a paintable of somebody else.
enum ContentLayer {
    case texture(ImageTexture, size: PointSize)
    case paintable(HeldObject, fit: ContentFit?)

    /// In logical pixels; nil if it has no size of its own.
    @MainActor var naturalSize: PointSize? {
        switch self {
        case .texture(_, let size): return size
        case .paintable(let held, _):
            let width = gdk_paintable_get_intrinsic_width(held.pointer)
            let height = gdk_paintable_get_intrinsic_height(held.pointer)
            guard width > 0, height > 0 else { return nil }
            return PointSize(width: Double(width), height: Double(height))
        }
    }

    /// Draws it into the area, by its own fit or else this one.
    @MainActor func draw(
        on snapshot: OpaquePointer, area: PointSize, fit: ContentFit, textColor: GdkRGBA?
    ) {
        var fit = fit
        if case .paintable(_, let own?) = self { fit = own }
        // What has no size fills the area, as GTK does it.
        guard let place = fit.rectangle(for: naturalSize ?? area, in: area) else { return }
        let standsOver = place.x < 0 || place.y < 0
        if standsOver {
            var bounds = graphene_rect_t(PointSize(width: area.width, height: area.height))
            gtk_snapshot_push_clip(snapshot, &bounds)
        }
        switch self {
        case .texture(let texture, _):
            var bounds = graphene_rect_t(place)
            gtk_snapshot_append_texture(snapshot, texture.pointer, &bounds)
        case .paintable(let held, _):
            gtk_snapshot_save(snapshot)
            var origin = graphene_point_t(x: Float(place.x), y: Float(place.y))
            gtk_snapshot_translate(snapshot, &origin)
            Self.draw(held.pointer, on: snapshot, place.width, place.height, textColor)
            gtk_snapshot_restore(snapshot)
        }
        if standsOver { gtk_snapshot_pop(snapshot) }
    }

    @MainActor private static func draw(
        _ paintable: OpaquePointer, on snapshot: OpaquePointer, _ width: Double, _ height: Double,
        _ textColor: GdkRGBA?
    ) {
        let object = UnsafeMutablePointer<GObject>(paintable)
        guard var textColor, isInstance(object, of: gtk_symbolic_paintable_get_type()) else {
            return gdk_paintable_snapshot(paintable, snapshot, width, height)
        }
        gtk_symbolic_paintable_snapshot_symbolic(paintable, snapshot, width, height, &textColor, 1)
    }
}

extension graphene_rect_t {
    init(_ rectangle: ContentFit.Rectangle) {
        self.init(
            origin: graphene_point_t(x: Float(rectangle.x), y: Float(rectangle.y)),
            size: graphene_size_t(width: Float(rectangle.width), height: Float(rectangle.height)))
    }

    init(_ size: PointSize) {
        self.init(ContentFit.Rectangle(x: 0, y: 0, width: size.width, height: size.height))
    }
}
