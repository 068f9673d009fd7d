/// How one content takes the place of another.
///
/// ```swift
/// paintable.show(.image(image), transition: .crossDissolve(.milliseconds(200)))
/// ```
///
/// Where there is nothing yet, or nothing comes, that side is drawn as nothing. Drawn in two dimensions
/// only, since GTK's renderer for machines without a graphics card can do no more.
public struct ImageTransition: Sendable {
    /// From where something comes.
    public enum Edge: Sendable, Hashable, CaseIterable {
        /// The upper edge.
        case top
        /// The lower edge.
        case bottom
        /// The left edge, whatever the direction of the script.
        case left
        /// The right edge, whatever the direction of the script.
        case right
    }

    /// What is drawn at each moment.
    enum Kind: Sendable {
        case crossDissolve
        case slide(from: Edge)
        case flip(from: Edge)
        case zoom
        case custom(@MainActor @Sendable (TransitionDrawing) -> Void)
    }

    /// Nil for ``none``.
    let kind: Kind?
    /// How long it takes; zero or less is no transition.
    public let duration: Duration

    private init(_ kind: Kind?, _ duration: Duration) {
        self.kind = kind
        self.duration = duration
    }

    /// The new content is there at once.
    public static let none = ImageTransition(nil, .zero)

    /// The old content becomes transparent while the new one becomes opaque.
    public static func crossDissolve(
        _ duration: Duration = .milliseconds(200)
    ) -> ImageTransition { ImageTransition(.crossDissolve, duration) }

    /// The new content pushes the old one out, coming from an edge.
    public static func slide(
        from edge: Edge, _ duration: Duration = .milliseconds(250)
    ) -> ImageTransition { ImageTransition(.slide(from: edge), duration) }

    /// The picture turns over like a card, the new content being on its back. From left and right it
    /// turns about the upright middle, from top and bottom about the level one.
    public static func flip(
        from edge: Edge, _ duration: Duration = .milliseconds(300)
    ) -> ImageTransition { ImageTransition(.flip(from: edge), duration) }

    /// The new content grows out of the middle, over the old one, while it becomes opaque; what it does
    /// not cover fades towards the end.
    public static func zoom(
        _ duration: Duration = .milliseconds(200)
    ) -> ImageTransition { ImageTransition(.zoom, duration) }

    /// One's own: `draw` is called for each frame, in which it draws the two contents.
    ///
    /// ```swift
    /// let wipe = ImageTransition.custom(.milliseconds(300)) { drawing in
    ///     drawing.draw(.old)
    ///     let seen = ContentFit.Rectangle(
    ///         x: 0, y: 0, width: drawing.size.width * drawing.progress, height: drawing.size.height)
    ///     drawing.draw(.new, clip: seen)
    /// }
    /// ```
    public static func custom(
        _ duration: Duration, draw: @escaping @MainActor @Sendable (TransitionDrawing) -> Void
    ) -> ImageTransition { ImageTransition(.custom(draw), duration) }

    /// Whether there is anything to be seen of it.
    public var isNone: Bool { kind == nil || duration <= .zero }
}
