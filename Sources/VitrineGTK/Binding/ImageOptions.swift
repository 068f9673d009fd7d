public import Vitrine

/// How a widget, or all widgets below another one, show their pictures.
///
/// ```swift
/// var options = ImageOptions()
/// options.loader = loader
/// options.transition = .crossDissolve()
/// window.vitrine.options = options
/// ```
///
/// What is nil is as the next widget above says, and in the end as is said here.
public struct ImageOptions: Sendable {
    /// Who loads; `ImageLoader.shared` in the end.
    public var loader: ImageLoader?
    /// What may be taken from the caches; in the end what the request says.
    public var cachePolicy: CachePolicy?
    /// How soon pictures are wanted; in the end what the request says.
    public var priority: LoadPriority?
    /// Whether a picture is shown while it arrives; in the end what the request says.
    public var previews: ImageRequest.Previews?
    /// How a picture takes the place of a placeholder that was seen; in the end not at all.
    public var transition: ImageTransition?
    /// Whether the transition is also for what is there at once, or within the grace period; false in the
    /// end.
    public var alwaysTransitions: Bool?
    /// What becomes of the picture of another source; in the end it goes at once.
    public var previous: PreviousPicture?
    /// What is done while the widget is not mapped; in the end it waits.
    public var whenHidden: HiddenView?
    /// Whether a widget loads again when its loader finds other bytes for its picture; false in the end.
    public var followsChanges: Bool?
    /// How long a widget waits for its picture before the placeholder is shown; 40 ms in the end.
    public var gracePeriod: Duration?
    /// How pictures lie in the widget; ``ContentFit/contain`` in the end. It goes before the content fit of a
    /// `GtkPicture`, which is set to fill.
    public var contentFit: ContentFit?
    /// What size the widget asks for; ``ImageLayout/natural`` in the end.
    public var layout: ImageLayout?
    /// Whether pictures are decoded at the size and scale at which they are shown, if their request has
    /// no target size; true in the end.
    public var decodesAtShownSize: Bool?

    /// Options that say nothing.
    public init() {}

    /// What is said in the end.
    static let defaults: ImageOptions = {
        var options = ImageOptions()
        options.transition = ImageTransition.none
        options.alwaysTransitions = false
        options.previous = .cleared
        options.whenHidden = .waits
        options.followsChanges = false
        options.gracePeriod = .milliseconds(40)
        options.contentFit = .contain
        options.layout = .natural
        options.decodesAtShownSize = true
        return options
    }()

    /// These, and the others where these say nothing.
    public func merged(over other: ImageOptions) -> ImageOptions {
        var options = self
        options.loader = loader ?? other.loader
        options.cachePolicy = cachePolicy ?? other.cachePolicy
        options.priority = priority ?? other.priority
        options.previews = previews ?? other.previews
        options.transition = transition ?? other.transition
        options.alwaysTransitions = alwaysTransitions ?? other.alwaysTransitions
        options.previous = previous ?? other.previous
        options.whenHidden = whenHidden ?? other.whenHidden
        options.followsChanges = followsChanges ?? other.followsChanges
        options.gracePeriod = gracePeriod ?? other.gracePeriod
        options.contentFit = contentFit ?? other.contentFit
        options.layout = layout ?? other.layout
        options.decodesAtShownSize = decodesAtShownSize ?? other.decodesAtShownSize
        return options
    }

    /// What a request becomes under these options.
    func applied(to request: ImageRequest) -> ImageRequest {
        var request = request
        if let cachePolicy { request.cachePolicy = cachePolicy }
        if let priority { request.priority = priority }
        if let previews { request.previews = previews }
        return request
    }

    /// How a view of these options wants its loads done.
    var manner: ViewLoad.Manner {
        var manner = ViewLoad.Manner()
        if let previous { manner.previous = previous }
        if let whenHidden { manner.whenHidden = whenHidden }
        if let alwaysTransitions { manner.alwaysTransitions = alwaysTransitions }
        if let followsChanges { manner.followsChanges = followsChanges }
        if let gracePeriod { manner.gracePeriod = gracePeriod }
        return manner
    }
}
