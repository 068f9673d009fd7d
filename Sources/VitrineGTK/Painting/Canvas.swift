import CGTK
import VitrineImaging

/// Where the two contents of a transition are drawn, during one call.
@MainActor final class Canvas {
    private var snapshot: OpaquePointer?
    let size: PointSize
    private let old: ContentLayer?
    private let new: ContentLayer?
    private let context: DrawingContext

    init(
        _ snapshot: OpaquePointer, size: PointSize, old: ContentLayer?, new: ContentLayer?,
        _ context: DrawingContext
    ) {
        self.snapshot = snapshot
        self.size = size
        self.old = old
        self.new = new
        self.context = context
    }

    /// Whoever keeps it draws nothing from now on.
    func end() { snapshot = nil }

    func content(_ layer: TransitionDrawing.Layer) -> ContentLayer? {
        switch layer {
        case .old: old
        case .new: new
        }
    }

    /// Nothing is drawn outside the area while `body` runs.
    func clipped(_ body: () -> Void) {
        guard let snapshot else { return }
        var bounds = graphene_rect_t(size)
        gtk_snapshot_push_clip(snapshot, &bounds)
        body()
        gtk_snapshot_pop(snapshot)
    }

    func draw(_ layer: TransitionDrawing.Layer) {
        guard let snapshot, let content = content(layer) else { return }
        var context = context
        // The place is that of what is shown now; what was shown may have had another shape.
        if layer == .old { context.place = nil }
        content.draw(on: snapshot, area: size, context)
    }

    /// Skews are in degrees; everything else is as ``TransitionDrawing`` has it.
    func draw(
        _ layer: TransitionDrawing.Layer, opacity: Double, x: Double, y: Double, scaleX: Double,
        scaleY: Double, skewX: Double = 0, skewY: Double = 0, clip: ContentFit.Rectangle? = nil
    ) {
        guard let snapshot, content(layer) != nil, opacity > 0 else { return }
        if let clip {
            var bounds = graphene_rect_t(clip)
            gtk_snapshot_push_clip(snapshot, &bounds)
        }
        if opacity < 1 { gtk_snapshot_push_opacity(snapshot, opacity) }
        gtk_snapshot_save(snapshot)
        // About the middle of the area.
        var middle = graphene_point_t(
            x: Float(x + size.width / 2), y: Float(y + size.height / 2))
        gtk_snapshot_translate(snapshot, &middle)
        if skewX != 0 || skewY != 0 {
            gtk_snapshot_transform(snapshot, gsk_transform_skew(nil, Float(skewX), Float(skewY)))
        }
        gtk_snapshot_scale(snapshot, Float(scaleX), Float(scaleY))
        var back = graphene_point_t(x: Float(-size.width / 2), y: Float(-size.height / 2))
        gtk_snapshot_translate(snapshot, &back)
        draw(layer)
        gtk_snapshot_restore(snapshot)
        if opacity < 1 { gtk_snapshot_pop(snapshot) }
        if clip != nil { gtk_snapshot_pop(snapshot) }
    }

    func crossFade(_ progress: Double) {
        crossFade(progress) {
            draw(.old)
        } to: {
            draw(.new)
        }
    }

    /// What one of them draws becomes what the other one draws.
    func crossFade(_ progress: Double, from: () -> Void, to: () -> Void) {
        guard let snapshot else { return }
        gtk_snapshot_push_cross_fade(snapshot, progress)
        from()
        gtk_snapshot_pop(snapshot)
        to()
        gtk_snapshot_pop(snapshot)
    }
}
