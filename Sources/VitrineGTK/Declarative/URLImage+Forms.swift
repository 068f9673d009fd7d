public import Vitrine

// One initializer for each number of values that the closures for progress and content take, so that none
// of them has to name what it does not use.

extension URLImage {
    /// A picture, or nothing, with a slot for each state; those that are left out are as by default.
    ///
    /// - Parameters:
    ///   - source: a `URL`, an `ImageRequest`, or nil.
    ///   - empty: what is shown while nothing is wanted, was given up, or no cache has it.
    ///   - inProgress: what is shown while it loads, made once; see ``URLImageProgress``.
    ///   - failure: what is shown if it cannot be loaded; its closure tries once more.
    public init(
        _ source: some URLImageSource,
        @SlotBuilder empty: @escaping @MainActor () -> SlotBuilder.Slot = URLImageDefaults.empty,
        @SlotBuilder inProgress:
            @escaping @MainActor (URLImageProgress, URLImagePicture) ->
            SlotBuilder.Slot = URLImageDefaults.inProgress,
        @SlotBuilder failure:
            @escaping @MainActor (
                ImageError, @escaping @MainActor () -> Void
            ) -> SlotBuilder.Slot = URLImageDefaults.failure
    ) {
        self.init(
            source,
            URLImageSlots(
                empty: empty, inProgress: inProgress, failure: failure,
                content: URLImageDefaults.content))
    }

    /// A picture with a slot for each state, and one for itself; what is left out is as by default.
    ///
    /// - Parameter content: what is shown with the picture, and how it came.
    public init(
        _ source: some URLImageSource,
        @SlotBuilder empty: @escaping @MainActor () -> SlotBuilder.Slot = URLImageDefaults.empty,
        @SlotBuilder inProgress:
            @escaping @MainActor (URLImageProgress, URLImagePicture) ->
            SlotBuilder.Slot = URLImageDefaults.inProgress,
        @SlotBuilder failure:
            @escaping @MainActor (
                ImageError, @escaping @MainActor () -> Void
            ) -> SlotBuilder.Slot = URLImageDefaults.failure,
        @SlotBuilder content:
            @escaping @MainActor (URLImagePicture, ImageResponse) ->
            SlotBuilder.Slot
    ) {
        self.init(
            source,
            URLImageSlots(
                empty: empty, inProgress: inProgress, failure: failure,
                content: content))
    }

    /// A picture with a slot for each state, and one for itself; what is left out is as by default.
    ///
    /// - Parameter content: what is shown with the picture, and how it came.
    public init(
        _ source: some URLImageSource,
        @SlotBuilder empty: @escaping @MainActor () -> SlotBuilder.Slot = URLImageDefaults.empty,
        @SlotBuilder inProgress: @escaping @MainActor (URLImageProgress) -> SlotBuilder.Slot,
        @SlotBuilder failure:
            @escaping @MainActor (
                ImageError, @escaping @MainActor () -> Void
            ) -> SlotBuilder.Slot = URLImageDefaults.failure,
        @SlotBuilder content:
            @escaping @MainActor (URLImagePicture, ImageResponse) ->
            SlotBuilder.Slot
    ) {
        self.init(
            source,
            URLImageSlots(
                empty: empty, inProgress: { progress, _ in inProgress(progress) }, failure: failure,
                content: content))
    }

    /// A picture with a slot for each state, and one for itself; what is left out is as by default.
    ///
    /// - Parameter content: what is shown with the picture.
    public init(
        _ source: some URLImageSource,
        @SlotBuilder empty: @escaping @MainActor () -> SlotBuilder.Slot = URLImageDefaults.empty,
        @SlotBuilder inProgress:
            @escaping @MainActor (URLImageProgress, URLImagePicture) ->
            SlotBuilder.Slot = URLImageDefaults.inProgress,
        @SlotBuilder failure:
            @escaping @MainActor (
                ImageError, @escaping @MainActor () -> Void
            ) -> SlotBuilder.Slot = URLImageDefaults.failure,
        @SlotBuilder content: @escaping @MainActor (URLImagePicture) -> SlotBuilder.Slot
    ) {
        self.init(
            source,
            URLImageSlots(
                empty: empty, inProgress: inProgress, failure: failure,
                content: { picture, _ in content(picture) }))
    }

    /// A picture with a slot for each state, and one for itself; what is left out is as by default.
    ///
    /// - Parameter content: what is shown with the picture.
    public init(
        _ source: some URLImageSource,
        @SlotBuilder empty: @escaping @MainActor () -> SlotBuilder.Slot = URLImageDefaults.empty,
        @SlotBuilder inProgress: @escaping @MainActor (URLImageProgress) -> SlotBuilder.Slot,
        @SlotBuilder failure:
            @escaping @MainActor (
                ImageError, @escaping @MainActor () -> Void
            ) -> SlotBuilder.Slot = URLImageDefaults.failure,
        @SlotBuilder content: @escaping @MainActor (URLImagePicture) -> SlotBuilder.Slot
    ) {
        self.init(
            source,
            URLImageSlots(
                empty: empty, inProgress: { progress, _ in inProgress(progress) }, failure: failure,
                content: { picture, _ in content(picture) }))
    }

    /// A picture, or nothing, with one closure for all slots; it is called whenever the phase becomes another
    /// one, but once only for ``URLImagePhase/empty`` and ``URLImagePhase/inProgress(_:preview:)``.
    ///
    /// ```swift
    /// URLImage(url: url) { phase in
    ///     switch phase {
    ///     case .empty: icon
    ///     case .inProgress(let progress, let preview): URLImageDefaults.inProgress(progress, preview)
    ///     case .failure(let error, let retry): URLImageDefaults.failure(error, retry)
    ///     case .success(let picture, _): picture.contentFit(.cover)
    ///     }
    /// }
    /// ```
    public init(
        url source: some URLImageSource,
        @SlotBuilder content: @escaping @MainActor (URLImagePhase) -> SlotBuilder.Slot
    ) {
        self.init(source, URLImageSlots(content))
    }
}
