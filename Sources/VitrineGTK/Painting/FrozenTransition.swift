import CGTK
import VitrineImaging

/// A transition that stays where it was when another content came: what the next one starts from, so that
/// nothing jumps.
final class FrozenTransition {
    private let transition: ImageTransition
    private let progress: Double
    private let old: ContentLayer?
    private let new: ContentLayer?

    init(
        _ transition: ImageTransition, progress: Double, _ old: ContentLayer?, _ new: ContentLayer?
    ) {
        self.transition = transition
        self.progress = progress
        // One step back is enough: contents that come one after the other must not heap up.
        if case .frozen(let frozen) = old { self.old = frozen.new } else { self.old = old }
        self.new = new
    }

    @MainActor func draw(on snapshot: OpaquePointer, area: PointSize, _ context: DrawingContext) {
        let canvas = Canvas(snapshot, size: area, old: old, new: new, context)
        transition.draw(on: canvas, progress: progress)
    }
}
