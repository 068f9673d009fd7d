public import CGTK
public import Vitrine

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The pictures of the widget.
    ///
    /// ```swift
    /// picture.vitrine.setImage(from: url, placeholder: .icon("image-loading-symbolic"), filters: [.circle])
    /// ```
    ///
    /// It is there for every class of widgets; which of them have a place for a picture is found out when
    /// one is set. GTK's final classes, such as `GtkPicture`, are opaque pointers in Swift: their
    /// `gtk_…_new()` return this kind of pointer all the same.
    @MainActor public var vitrine: ImageWidget { ImageWidget(self) }
}

/// What a widget has to do with remote pictures: sets them, and knows the options for what is below it.
///
/// A value over a borrowed pointer, made and dropped with each use; what it sets belongs to the widget. To
/// be used on the main thread only, where GTK runs.
@MainActor public struct ImageWidget {
    let widget: UnsafeMutablePointer<GtkWidget>

    init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// What is called at the end of a load: once, on the main thread, with the response or the reason why
    /// there is no picture.
    public typealias Completion = @MainActor (Result<ImageResponse, SetImageError>) -> Void

    // MARK: - Setting

    /// Shows the picture at a URL, or the placeholder if that is nil; see
    /// ``setImage(from:slot:placeholder:failureImage:transition:options:completion:)``.
    ///
    /// - Parameters:
    ///   - key: a name that takes the place of the URL in caches; see `ImageRequest.key`.
    ///   - filters: what is done to the picture, in this order, after it has its size.
    public func setImage(
        from url: URL?, key: String? = nil, slot: ImageSlot = .picture,
        placeholder: Placeholder? = nil, failureImage: Placeholder? = nil,
        filters: [any ImageFilter] = [], transition: ImageTransition? = nil,
        options: ImageOptions = ImageOptions(), completion: Completion? = nil
    ) {
        setImage(
            from: Self.request(url, key, filters), slot: slot, placeholder: placeholder,
            failureImage: failureImage, transition: transition, options: options,
            completion: completion)
    }

    /// Shows the picture that the request asks for, or the placeholder if that is nil.
    ///
    /// What is in memory shows in this call, without placeholder and transition. Everything else is loaded
    /// while the widget is mapped; unless it is there within the grace period the placeholder is shown,
    /// and the picture takes its place with the transition. Another picture cancels the load of this one;
    /// the same one is not loaded again. A request without a target size is given that at which the
    /// widget shows it.
    ///
    /// - Parameters:
    ///   - slot: the place in the widget; by default that of a `GtkPicture`, `GtkImage`, `GtkButton` or
    ///     any class with a property `paintable`.
    ///   - placeholder: what is shown while there is no picture, and if it fails.
    ///   - failureImage: what is shown if it fails, in place of the placeholder.
    ///   - transition: how the picture takes the place of a placeholder that was seen; nil goes by the
    ///     options.
    ///   - options: what is special about this picture; what they do not say, the widgets above say.
    ///   - completion: called once; with ``SetImageError/noPlace(_:)`` if the widget has no such slot.
    public func setImage(
        from request: ImageRequest?, slot: ImageSlot = .picture,
        placeholder: Placeholder? = nil, failureImage: Placeholder? = nil,
        transition: ImageTransition? = nil, options: ImageOptions = ImageOptions(),
        completion: Completion? = nil
    ) {
        // Completions, and the closures of slots of one's own, may destroy it.
        HeldObject.keeping(widget.opaque) {
            guard let image = WidgetImages.of(widget).image(in: slot),
                case .paintable(let target, _) = image.destination
            else {
                let error = SetImageError.noPlace(className)
                warnOnce("\(error) (slot \"\(slot.name)\")")
                completion?(.failure(error))
                return
            }
            target.placeholder = placeholder
            target.failureImage = failureImage
            var options = options
            if let transition { options.transition = transition }
            set(request, options, showsFailure: failureImage != nil, in: image, completion)
        }
    }

    /// Lets a target of one's own show the picture at a URL; see
    /// ``setImage(from:on:named:options:completion:)-(ImageRequest?,_,_,_,_)``.
    public func setImage(
        from url: URL?, key: String? = nil, on target: any ImageTarget, named name: String,
        filters: [any ImageFilter] = [], options: ImageOptions = ImageOptions(),
        completion: Completion? = nil
    ) {
        setImage(
            from: Self.request(url, key, filters), on: target, named: name, options: options,
            completion: completion)
    }

    /// Lets a target of one's own show the picture that the request asks for, in any widget.
    ///
    /// The rules are those of every slot; what placeholder, failure and transition look like is up to the
    /// target, which the widget keeps alive. A request without a target size is decoded for the whole of
    /// the widget, and again when that grows; of the options fit and a fixed layout count for that only.
    ///
    /// - Parameter name: of the slot, which another target takes over.
    public func setImage(
        from request: ImageRequest?, on target: any ImageTarget, named name: String,
        options: ImageOptions = ImageOptions(), completion: Completion? = nil
    ) {
        HeldObject.keeping(widget.opaque) {
            let image = WidgetImages.of(widget).image(for: target, "target " + name)
            set(request, options, showsFailure: true, in: image, completion)
        }
    }

    /// Gives up what loads, in all slots of the widget. What is shown stays; who waited is told that it was
    /// cancelled.
    public func cancelImageLoad() { WidgetImages.existing(of: widget)?.cancelAll() }

    /// Gives up what loads in one slot.
    public func cancelImageLoad(in slot: ImageSlot) {
        WidgetImages.existing(of: widget)?.image(named: slot.name)?.cancel()
    }

    /// The paintable of a slot, to read its state or to stop an animation; nil before a picture was set
    /// there.
    public func paintable(in slot: ImageSlot = .picture) -> ImagePaintable? {
        guard
            case .paintable(let target, _) = WidgetImages.existing(of: widget)?
                .image(named: slot.name)?.destination
        else { return nil }
        return target.paintable
    }

    /// The picture that a slot shows, and how it came; nil if it shows none.
    public func response(in slot: ImageSlot = .picture) -> ImageResponse? {
        WidgetImages.existing(of: widget)?.image(named: slot.name)?.load.response
    }

    private func set(
        _ request: ImageRequest?, _ options: ImageOptions, showsFailure: Bool,
        in image: WidgetImage, _ completion: Completion?
    ) {
        guard let request else { return image.clear(completion: completion) }
        image.set(
            WidgetImage.Wish(request: request, options: options, showsFailure: showsFailure),
            completion: completion)
    }

    private static func request(
        _ url: URL?, _ key: String?, _ filters: [any ImageFilter]
    ) -> ImageRequest? {
        guard let url else { return nil }
        var request = ImageRequest(url, filters: filters)
        request.key = key
        return request
    }

    private var className: String {
        let instance: UnsafeMutablePointer<GTypeInstance> = widget.cast()
        return g_type_name_from_instance(instance).map { String(cString: $0) } ?? "widget"
    }
}

extension ImageWidget {
    /// What counts for this widget and all that are below it, unless one of those says otherwise.
    ///
    /// It is looked up when a load begins, so that it may be set before or after widgets are put
    /// together; what is shown already stays.
    public var options: ImageOptions {
        get {
            belonging(HeldOptions.self, of: widget, name: HeldOptions.name)?.options
                ?? ImageOptions()
        }
        nonmutating set {
            setBelonging(HeldOptions(newValue), of: widget, name: HeldOptions.name)
        }
    }

    /// What counts for this widget, with what those above it say; nil is left only for the loader, which is
    /// the shared one then, and for what the request says.
    public var effectiveOptions: ImageOptions {
        var options = options
        var parent = gtk_widget_get_parent(widget)
        while let widget = parent {
            if let held = belonging(HeldOptions.self, of: widget, name: HeldOptions.name) {
                options = options.merged(over: held.options)
            }
            parent = gtk_widget_get_parent(widget)
        }
        return options.merged(over: .defaults)
    }
}

/// Options that belong to a widget.
private final class HeldOptions {
    static let name = "vitrine-options"
    let options: ImageOptions

    init(_ options: ImageOptions) { self.options = options }
}
