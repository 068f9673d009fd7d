import Glibc
import VitrineImaging

extension ImageTransition {
    /// 0 to 1 by time, slow at both ends: the smooth step 3t² − 2t³.
    static func eased(_ progress: Double) -> Double {
        guard progress > 0 else { return 0 }
        guard progress < 1 else { return 1 }
        return progress * progress * (3 - 2 * progress)
    }

    /// How far it has come after so long, 0 to 1 as time passes.
    func progress(after elapsed: Duration) -> Double {
        guard !isNone else { return 1 }
        return min(max(elapsed / duration, 0), 1)
    }

    /// Draws one frame of it.
    @MainActor func draw(on canvas: Canvas, progress linear: Double) {
        let progress = Self.eased(linear)
        switch kind {
        case nil: canvas.draw(.new)
        case .crossDissolve: canvas.crossFade(progress)
        case .slide(let edge): canvas.clipped { Self.slide(canvas, from: edge, progress) }
        case .flip(let edge): canvas.clipped { Self.flip(canvas, from: edge, progress) }
        case .zoom: canvas.clipped { Self.zoom(canvas, progress) }
        case .custom(let draw):
            let drawing = TransitionDrawing(
                progress: progress, linearProgress: linear, size: canvas.size, canvas: canvas)
            canvas.clipped { draw(drawing) }
            canvas.end()
        }
    }

    @MainActor private static func slide(_ canvas: Canvas, from edge: Edge, _ progress: Double) {
        // Where the new content comes from, in widths and heights of the area.
        let (x, y): (Double, Double) =
            switch edge {
            case .left: (-1, 0)
            case .right: (1, 0)
            case .top: (0, -1)
            case .bottom: (0, 1)
            }
        let width = canvas.size.width * x
        let height = canvas.size.height * y
        canvas.place(.old, x: -width * progress, y: -height * progress)
        canvas.place(.new, x: width * (1 - progress), y: height * (1 - progress))
    }

    /// A card that turns by half a turn, seen from far away: its width is a cosine, and the side that
    /// comes from the edge is the nearer one.
    @MainActor private static func flip(_ canvas: Canvas, from edge: Edge, _ progress: Double) {
        let breadth = abs(cos(progress * .pi))
        let layer: TransitionDrawing.Layer = progress < 0.5 ? .old : .new
        guard breadth > 0.001 else { return }
        let swing = sin(progress * .pi) / 4
        switch edge {
        case .left:
            canvas.place(layer, x: swing * canvas.size.width * (1 - breadth), scaleX: breadth)
        case .right:
            canvas.place(layer, x: -swing * canvas.size.width * (1 - breadth), scaleX: breadth)
        case .top:
            canvas.place(layer, y: swing * canvas.size.height * (1 - breadth), scaleY: breadth)
        case .bottom:
            canvas.place(layer, y: -swing * canvas.size.height * (1 - breadth), scaleY: breadth)
        }
    }

    @MainActor private static func zoom(_ canvas: Canvas, _ progress: Double) {
        canvas.draw(.old)
        let scale = 0.6 + 0.4 * progress
        canvas.place(.new, opacity: progress, scaleX: scale, scaleY: scale)
    }
}

extension Canvas {
    fileprivate func place(
        _ layer: TransitionDrawing.Layer, opacity: Double = 1, x: Double = 0, y: Double = 0,
        scaleX: Double = 1, scaleY: Double = 1
    ) {
        draw(layer, opacity: opacity, x: x, y: y, scaleX: scaleX, scaleY: scaleY, clip: nil)
    }
}
