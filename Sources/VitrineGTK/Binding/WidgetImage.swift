import CGTK
import Vitrine
import VitrineImaging

/// One slot of a widget: what it is to show, at what size, and the loads that bring it there.
@MainActor final class WidgetImage {
    /// Where the picture is shown.
    enum Destination {
        case paintable(PaintableTarget, ImageSlot)
        case target(any ImageTarget)
    }

    /// What it was told to show.
    struct Wish {
        var request: ImageRequest
        var options: ImageOptions
        var showsFailure = false
    }

    /// It owns this, so it is there.
    private let widget: UnsafeMutablePointer<GtkWidget>
    let destination: Destination
    let load: ViewLoad
    private var wish: Wish?
    private var options = ImageOptions.defaults
    private var size: DecodeSize?
    private var drawnArea: PointSize?
    /// The size of the whole picture that is shown, if that is of the wish.
    private var ownSize: PixelSize?
    private var isMapped: Bool
    /// Whether a frame was painted since the widget was mapped.
    private var hasBeenPainted = false
    private var frameWatch: SignalWatch?
    /// Of a target that does not say where the picture is: the widget's size, with each frame.
    private var allocationWatch: SignalWatch?
    private var seenAllocation: PointSize?
    private var isCheckPlanned = false

    init(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ destination: Destination
    ) {
        self.widget = widget
        self.destination = destination
        isMapped = gtk_widget_get_mapped(widget) != 0
        switch destination {
        case .paintable(let target, _):
            load = ViewLoad(target, delivery: .mainLoop)
            target.whenPictureShows = { [weak self] in self?.pictureShown() }
            target.paintable.whenDrawn { [weak self] area in self?.drawn(area) }
        case .target(let target):
            load = ViewLoad(target, delivery: .mainLoop)
            placed?.whenPlaceChanges = { [weak self] in
                self?.pictureShown()
                self?.planCheck()
            }
            if isMapped { followAllocation() }
        }
    }

    /// The target, if it knows where in the widget the picture is.
    private var placed: (any PlacedTarget)? {
        if case .target(let target) = destination { return target as? any PlacedTarget }
        return nil
    }

    // MARK: - The user

    func set(_ wish: Wish, completion: ViewLoad.Completion?) {
        let isOther =
            self.wish?.request.url != wish.request.url || self.wish?.request.key != wish.request.key
        if isOther { ownSize = nil }
        self.wish = wish
        resolve()
        if isMapped { appearIfReady() }
        load.set(sizedRequest(wish), loader: loader, manner: manner, completion: completion)
    }

    func clear(completion: ViewLoad.Completion?) {
        wish = nil
        ownSize = nil
        load.clear()
        if case .paintable(let target, _) = destination { target.refreshPlaceholder() }
        completion?(.failure(.nothingToLoad))
    }

    /// What loads is given up.
    func cancel() { load.cancel() }

    // MARK: - The widget

    func mapped() {
        isMapped = true
        hasBeenPainted = false
        // It may have come to another parent, who says otherwise.
        if let wish {
            resolve()
            load.adapt(to: sizedRequest(wish), loader: loader, manner: manner)
        }
        if case .target = destination { followAllocation() }
        appearIfReady()
    }

    func unmapped() {
        isMapped = false
        frameWatch = nil
        allocationWatch = nil
        load.disappeared()
    }

    func vanished() {
        wish = nil
        frameWatch = nil
        allocationWatch = nil
        load.vanished()
        if case .paintable(let target, _) = destination { target.paintable.show(.empty) }
    }

    // MARK: - Options

    private func resolve() {
        guard let wish else { return }
        options = wish.options.merged(over: ImageWidget(widget).effectiveOptions)
        guard case .paintable(let target, _) = destination else { return }
        target.paintable.contentFit = options.contentFit ?? .contain
        target.layout = options.layout ?? .natural
        target.transition = options.transition ?? .none
        target.asksForOwnSize = hasAutomaticSize && wish.request.filters.isEmpty
        if target.layout != .natural { target.paintable.layout = target.layout }
    }

    private var loader: ImageLoader { options.loader ?? .shared }

    private var manner: ViewLoad.Manner {
        var manner = options.manner
        manner.showsFailure = wish?.showsFailure ?? false
        // What is prefetched for a size that nobody knows would be as large as it is.
        if case .prefetches = manner.whenHidden, hasAutomaticSize, size == nil {
            manner.whenHidden = .waits
        }
        return manner
    }

    // MARK: - Size

    /// Whether the picture is to be decoded for the place where it is shown.
    private var hasAutomaticSize: Bool {
        guard let wish, options.decodesAtShownSize == true, contentFit != .none else {
            return false
        }
        return wish.request.targetSize == nil
    }

    private var contentFit: ContentFit {
        placed?.place?.contentFit ?? options.contentFit ?? .contain
    }

    private func sizedRequest(_ wish: Wish) -> ImageRequest {
        var request = options.applied(to: wish.request)
        guard hasAutomaticSize else { return request }
        if let needed = neededSize, size?.isEnough(for: needed) != true { size = needed }
        if let size {
            request.targetSize = size.target
            if request.scale == 1 { request.scale = size.scale }
        }
        return request
    }

    private var neededSize: DecodeSize? {
        guard let area = area else { return nil }
        return DecodeSize(
            area: area, scale: Double(gtk_widget_get_scale_factor(widget)),
            fit: contentFit, hasFixedShape: hasShapeOfLayout(area),
            own: wish?.request.filters.isEmpty == true ? ownSize : nil)
    }

    /// Whether the area has the shape that the options or the target ask for, and so will keep it.
    private func hasShapeOfLayout(_ area: PointSize) -> Bool {
        [options.layout, placed?.place?.layout].contains { layout in
            let ratio: Double
            switch layout {
            case .fixed(let size): ratio = size.width / size.height
            case .aspectRatio(let value): ratio = value
            default: return false
            }
            return abs(area.width / area.height / ratio - 1) < 0.03
        }
    }

    /// The area in which the picture is shown, as far as that is known, in logical pixels.
    private var area: PointSize? {
        if let known = drawnArea ?? placed?.place?.area { return known }
        if case .fixed(let size) = options.layout { return size }
        var width: gint = -1
        var height: gint = -1
        gtk_widget_get_size_request(widget, &width, &height)
        if width > 0, height > 0 { return Self.size(width, height) }
        if let placed {
            if let room = placed.room { return room }
        } else if case .target = destination {
            return Self.allocation(of: widget)
        }
        if hasBeenPainted {
            // It has no room until the picture is there: no more than the window has.
            return gtk_widget_get_root(widget).flatMap { Self.allocation(of: $0.cast()) }
        }
        return nil
    }

    private static func allocation(of widget: UnsafeMutablePointer<GtkWidget>) -> PointSize? {
        let size = size(gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        return size.width > 0 && size.height > 0 ? size : nil
    }

    private static func size(_ width: gint, _ height: gint) -> PointSize {
        PointSize(width: Double(width), height: Double(height))
    }

    /// Lets loads begin, unless the size is not known: then when the widget has been painted once.
    private func appearIfReady() {
        if !hasAutomaticSize || area != nil || hasBeenPainted {
            load.appeared()
            return
        }
        guard frameWatch == nil, let clock = gtk_widget_get_frame_clock(widget) else { return }
        frameWatch = SignalWatch(HeldObject(clock), "after-paint") { [weak self] in self?.painted()
        }
        gtk_widget_queue_draw(widget)
    }

    private func painted() {
        frameWatch = nil
        guard isMapped else { return }
        hasBeenPainted = true
        adapt()
        load.appeared()
    }

    /// The paintable is drawn in an area of this size, from now on. Nothing may change while GTK draws.
    private func drawn(_ area: PointSize) {
        drawnArea = area
        planCheck()
    }

    private func pictureShown() {
        let own = load.response?.image.info.pixelSize
        guard own != ownSize else { return }
        ownSize = own
        planCheck()
    }

    func scaleChanged() { adapt() }

    /// GTK has no signal for a widget's size, so it is looked at when a frame was painted: only then can
    /// people have seen another one.
    private func followAllocation() {
        guard placed == nil, let clock = gtk_widget_get_frame_clock(widget) else { return }
        allocationWatch = SignalWatch(HeldObject(clock), "after-paint") { [weak self] in
            guard let self else { return }
            let allocation = Self.allocation(of: self.widget)
            guard allocation != self.seenAllocation else { return }
            self.seenAllocation = allocation
            self.planCheck()
        }
    }

    private func planCheck() {
        guard !isCheckPlanned else { return }
        isCheckPlanned = true
        onMainLoop { [weak self] in
            guard let self else { return }
            self.isCheckPlanned = false
            self.adapt()
        }
    }

    /// Loads again if the picture is needed in another size.
    private func adapt() {
        guard let wish else { return }
        guard hasAutomaticSize else {
            // What it was decoded for does not count any more.
            guard size != nil else { return }
            size = nil
            return load.adapt(to: sizedRequest(wish), loader: loader, manner: manner)
        }
        let earlier = size
        let request = sizedRequest(wish)
        guard size != earlier else { return }
        if let earlier, let size, isWhole, earlier.scale == size.scale, !size.isHalf(of: earlier) {
            // There is no more to be had, and less is not needed.
            self.size = earlier
            return
        }
        load.adapt(to: request, loader: loader, manner: manner)
    }

    /// Whether the picture that is shown has all the pixels of its file.
    private var isWhole: Bool {
        guard let image = load.response?.image, image.info.format != .svg else { return false }
        let own = image.info.pixelSize
        return image.pixelSize.width >= own.width && image.pixelSize.height >= own.height
    }
}
