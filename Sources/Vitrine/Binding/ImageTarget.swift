/// A place on a screen that shows what loads bring: the few calls that a toolkit implements, or a view
/// of one's own.
///
/// Whoever performs the loads has seen to the order: a target shows what it is told last, whole, and
/// never hears of a load that was given up. It is called on the main actor only.
@MainActor public protocol ImageTarget: AnyObject {
    /// Shows this in place of what it shows now.
    func show(_ content: ImageTargetContent)

    /// A load has begun, or the last one has ended: for what assistive technology is told, and for
    /// spinners. Does nothing by default.
    func loadingChanged(_ isLoading: Bool)

    /// Bytes have arrived; the newest progress only. Does nothing by default.
    func advanced(to progress: ImageTask.Progress)
}

extension ImageTarget {
    /// Does nothing.
    public func loadingChanged(_ isLoading: Bool) {}

    /// Does nothing.
    public func advanced(to progress: ImageTask.Progress) {}
}

/// What an ``ImageTarget`` is to show.
///
/// A transition is due where people have seen something else for longer than the grace period, and
/// where they asked for it always.
public enum ImageTargetContent: Sendable {
    /// Neither picture nor placeholder: a picture was wanted a moment ago and may be there in another.
    case nothing
    /// What stands for a picture that is not there.
    case placeholder
    /// The picture as far as it has arrived, or in another size.
    case preview(RasterImage, withTransition: Bool)
    /// The picture, and how it came.
    case picture(ImageResponse, withTransition: Bool)
    /// The picture for failures; the target has said that it has one.
    case failure(ImageError)
}
