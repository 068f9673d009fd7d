import CGTK
public import VitrineImaging

/// What one frame of a transition is drawn with: the old and the new content, how far it has come, and
/// the area.
///
/// It counts during the call in which it is given; afterwards it draws nothing.
@MainActor public struct TransitionDrawing {
    /// One of the two contents.
    public enum Layer: Sendable, Hashable {
        /// What was shown before.
        case old
        /// What will be shown.
        case new
    }

    /// From 0 to 1, eased: slow at both ends.
    public let progress: Double
    /// The same as time passes.
    public let linearProgress: Double
    /// The area in logical pixels.
    public let size: PointSize
    let canvas: Canvas

    /// Whether there is anything in the layer.
    public func isEmpty(_ layer: Layer) -> Bool { canvas.content(layer) == nil }

    /// Draws a layer as it lies in the area, over what has been drawn.
    ///
    /// - Parameters:
    ///   - opacity: 0 to 1; what is beyond counts as the nearest.
    ///   - x: how far to the right it is moved, in logical pixels.
    ///   - y: how far down it is moved.
    ///   - scaleX: its width against its own, about the middle of the area; 0 is invisible.
    ///   - scaleY: its height likewise.
    ///   - clip: outside of this part of the area nothing is drawn; nil is the whole area.
    ///
    /// What is no number draws nothing.
    public func draw(
        _ layer: Layer, opacity: Double = 1, x: Double = 0, y: Double = 0, scaleX: Double = 1,
        scaleY: Double = 1, clip: ContentFit.Rectangle? = nil
    ) {
        guard [opacity, x, y, scaleX, scaleY].allSatisfy(\.isFinite), scaleX != 0, scaleY != 0
        else { return }
        canvas.draw(
            layer, opacity: min(max(opacity, 0), 1), x: x, y: y, scaleX: scaleX, scaleY: scaleY,
            clip: clip)
    }

    /// Draws the old content becoming the new one, each of them `progress` of it; where one of them is
    /// nothing the other one fades.
    public func crossFade() { canvas.crossFade(progress) }
}
