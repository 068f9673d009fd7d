public import Vitrine

/// How it is loaded and shown; each returns another value.
extension URLImage {
    /// All that options can say; what they do not say stays as it is.
    public func options(_ options: ImageOptions) -> Self {
        with { $0.ownOptions = options.merged(over: $0.ownOptions) }
    }

    /// Who loads it.
    public func loader(_ loader: ImageLoader) -> Self { with { $0.ownOptions.loader = loader } }

    /// Whether it is loaded when it is shown, the default, or at once. One that is to be loaded at once and
    /// has no ``loader(_:)`` of its own waits until it is part of a window, which may have one.
    public func whenHidden(_ hidden: HiddenView) -> Self {
        with { $0.ownOptions.whenHidden = hidden }
    }

    /// How pictures lie in their room; by default all of it is seen.
    public func contentFit(_ fit: ContentFit) -> Self { with { $0.ownOptions.contentFit = fit } }

    /// A size in logical pixels, whatever is shown: layouts do not jump, and pictures are decoded for it.
    /// In a larger room it is in the middle; what does not fit is cut off.
    public func fixedSize(width: Double, height: Double) -> Self {
        layout(.fixed(PointSize(width: width, height: height)))
    }

    /// A ratio of width to height, whatever is shown; the container says how wide it is.
    public func aspectRatio(_ ratio: Double) -> Self { layout(.aspectRatio(ratio)) }

    /// What size it asks for; by default that of what is shown.
    public func layout(_ layout: ImageLayout) -> Self { with { $0.ownOptions.layout = layout } }

    /// How a picture appears for which people have waited; not at all by default.
    public func transition(_ transition: ImageTransition) -> Self {
        with { $0.ownOptions.transition = transition }
    }

    /// What the picture shows, for people who do not see it: the name of the picture, and of the group
    /// around it as long as there is none. The description is the same, unless there is another one.
    public func accessibilityLabel(_ label: String, description: String? = nil) -> Self {
        with {
            $0.label = label
            $0.description = description
        }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var view = self
        change(&view)
        return view
    }
}
