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

    /// A card that turns by half a turn about its middle. GTK's renderer without a graphics card draws no
    /// perspective, so the edge that comes nearer is told by a slant.
    @MainActor private static func flip(_ canvas: Canvas, from edge: Edge, _ progress: Double) {
        let angle = progress * .pi
        let breadth = abs(cos(angle))
        guard breadth > 0.001 else { return }
        let isBack = progress >= 0.5
        let layer: TransitionDrawing.Layer = isBack ? .new : .old
        let turnsAboutUpright = edge == .left || edge == .right
        let (along, across) =
            turnsAboutUpright
            ? (canvas.size.width, canvas.size.height) : (canvas.size.height, canvas.size.width)
        // The corners stay within the area.
        let slant = 0.12 * sin(angle) * min(1, across / along)
        let height = 1 - slant * along / across
        let towards = (edge == .left || edge == .top) == isBack ? 1.0 : -1.0
        // The slant is that of the turned card, whose breadth is smaller.
        let degrees = atan(towards * slant / breadth) * 180 / .pi
        if turnsAboutUpright {
            canvas.place(layer, scaleX: breadth, scaleY: height, skewY: degrees)
        } else {
            canvas.place(layer, scaleX: height, scaleY: breadth, skewX: degrees)
        }
    }

    /// What the new content does not cover fades late, so that it is not there one moment and gone the
    /// next. Where it does cover the old one, no ground shines through between them.
    @MainActor private static func zoom(_ canvas: Canvas, _ progress: Double) {
        let scale = 0.6 + 0.4 * progress
        canvas.crossFade(progress) {
            canvas.draw(.old)
        } to: {
            canvas.place(.old, opacity: min(1, 3 * (1 - progress)))
            canvas.place(.new, scaleX: scale, scaleY: scale)
        }
    }
}

extension Canvas {
    fileprivate func place(
        _ layer: TransitionDrawing.Layer, opacity: Double = 1, x: Double = 0, y: Double = 0,
        scaleX: Double = 1, scaleY: Double = 1, skewX: Double = 0, skewY: Double = 0
    ) {
        draw(
            layer, opacity: opacity, x: x, y: y, scaleX: scaleX, scaleY: scaleY, skewX: skewX,
            skewY: skewY)
    }
}
