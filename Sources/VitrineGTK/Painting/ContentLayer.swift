import CGTK
import VitrineImaging

/// Something that can be drawn.
enum ContentLayer {
    case texture(ImageTexture, size: PointSize)
    /// A paintable of somebody else.
    case paintable(HeldObject, fit: ContentFit?)
    /// Two of them, where another content came before a transition had ended.
    case frozen(FrozenTransition)

    /// In logical pixels; nil if it has no size of its own.
    @MainActor var naturalSize: PointSize? {
        switch self {
        case .texture(_, let size): return size
        case .paintable(let held, _):
            let width = gdk_paintable_get_intrinsic_width(held.pointer)
            let height = gdk_paintable_get_intrinsic_height(held.pointer)
            guard width > 0, height > 0 else { return nil }
            return PointSize(width: Double(width), height: Double(height))
        case .frozen: return nil
        }
    }

    /// Draws it into the area.
    @MainActor func draw(on snapshot: OpaquePointer, area: PointSize, _ context: DrawingContext) {
        var fit = context.fit
        switch self {
        case .texture, .paintable(_, nil): break
        case .paintable(_, let own?): fit = own
        case .frozen(let frozen): return frozen.draw(on: snapshot, area: area, context)
        }
        // What has no size fills the area, as GTK does it.
        guard let place = ownPlace(context) ?? fit.rectangle(for: naturalSize ?? area, in: area)
        else { return }
        let seen = place.intersection(with: area)
        let standsOver = seen != place
        if standsOver {
            var bounds = graphene_rect_t(area)
            gtk_snapshot_push_clip(snapshot, &bounds)
        }
        switch self {
        case .texture(let texture, _):
            if context.usesCairo, let pixels = texture.cairoPixels {
                // Cairo need not even hear of what is not seen.
                pixels.draw(on: snapshot, in: place, seen: seen)
            } else {
                var bounds = graphene_rect_t(place)
                gtk_snapshot_append_texture(snapshot, texture.pointer, &bounds)
            }
        case .paintable(let held, _):
            Self.draw(held.pointer, on: snapshot, place, context)
        case .frozen: break
        }
        if standsOver { gtk_snapshot_pop(snapshot) }
    }

    private func ownPlace(_ context: DrawingContext) -> ContentFit.Rectangle? {
        if case .texture = self { return context.place }
        return nil
    }

    @MainActor private static func draw(
        _ paintable: OpaquePointer, on snapshot: OpaquePointer, _ place: ContentFit.Rectangle,
        _ context: DrawingContext
    ) {
        gtk_snapshot_save(snapshot)
        var origin = graphene_point_t(x: Float(place.x), y: Float(place.y))
        gtk_snapshot_translate(snapshot, &origin)
        let object: UnsafeMutablePointer<GObject> = paintable.cast()
        if var color = context.textColor,
            isInstance(object, of: gtk_symbolic_paintable_get_type())
        {
            gtk_symbolic_paintable_snapshot_symbolic(
                paintable, snapshot, place.width, place.height, &color, 1)
        } else {
            gdk_paintable_snapshot(paintable, snapshot, place.width, place.height)
        }
        gtk_snapshot_restore(snapshot)
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
