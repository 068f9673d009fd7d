import CGTK
import VitrineBase
import VitrineImaging

/// What an ``ImagePaintable`` is made of: its GObject owns this, and this does not own the GObject.
///
/// So whoever holds the GObject, GTK or Swift, holds all of it.
@MainActor final class PaintableCore {
    /// The GObject to which this belongs.
    private let object: WeakReference<GObject>

    private(set) var content = ImageContent.empty
    private var old: ContentLayer?
    private var current: ContentLayer?
    private var transition = ImageTransition.none
    private var transitionStart: UInt64?
    private var transitionProgress = 1.0
    private var player: AnimationPlayer?
    /// The picture that shows, which may not be the newest content yet, and its frame.
    private var shownImage: RasterImage?
    private var shownFrame = 0
    /// Tells of what a foreign paintable does by itself.
    private var watches: [SignalWatch] = []
    /// What is made elsewhere for the newest content.
    private var preparation: Task<Void, Never>?
    private var generation = 0
    private var isDrawing = false
    /// In how large an area it was drawn last, and who is told when that changes.
    private var drawnArea: PointSize?
    var areaChanged: ((PointSize) -> Void)?
    private var isForwarding = false

    private struct AttachedClock { weak var clock: WidgetClock? }
    private var clocks: [AttachedClock] = []
    /// The one of them that is followed.
    private weak var activeClock: WidgetClock?

    /// Where the picture lies in an area of a size, given its own: in place of the fit, for what zooms.
    var placement: ((_ area: PointSize, _ picture: PointSize?) -> ContentFit.Rectangle?)?

    /// Where tests take the time from; otherwise it is that of the frames.
    var time: TimeSource?
    /// Tests without widgets drive it themselves, by ``advance(to:)``.
    var isDrivenByHand = false
    /// Tests without widgets choose what they draw from.
    var usesCairoByHand = false

    var fit = ContentFit.contain { didSet { if fit != oldValue { invalidateContents() } } }
    var layout = ImageLayout.natural { didSet { updateWish() } }
    var scale: Double? { didSet { rescale() } }
    var isPaused = false {
        didSet {
            clockChanged()
            frameChanged()
        }
    }
    private(set) var wish = ImageLayout.Wish()

    init(object: UnsafeMutablePointer<GObject>) { self.object = WeakReference(object) }

    deinit { preparation?.cancel() }

    // MARK: - Content

    func show(_ content: ImageContent, transition: ImageTransition) {
        let replacesPreview = self.content.isPreview && content.image != nil
        let transition = replacesPreview ? .none : transition
        generation += 1
        preparation?.cancel()
        preparation = nil
        self.content = content
        switch content.kind {
        case .empty: begin(nil, transition)
        case .paintable(let held, let fit):
            begin(.paintable(held, fit: fit), transition)
        case .image(let image, _, _): prepare(image, transition)
        }
        updateWish()
    }

    /// Makes the texture at once where that takes no time, so that what is in memory shows in the same
    /// call.
    private func prepare(_ image: RasterImage, _ transition: ImageTransition) {
        let pixels = image.posterFrame
        let forCairo = usesCairo
        if pixels.byteCount <= Self.mostBytesAtOnce
            || ImageTexture.isPrepared(pixels, forCairo: forCairo)
        {
            return begin(image, ImageTexture.shared(for: pixels), transition)
        }
        let generation = generation
        preparation = Task.detached { [weak self] in
            let texture = try? await ImageTexture.prepared(for: pixels, forCairo: forCairo)
            if Task.isCancelled { return }
            onMainLoop {
                guard let self, self.generation == generation else { return }
                self.preparation = nil
                self.begin(image, texture, transition)
            }
        }
    }

    /// A million pixels, which take a millisecond.
    static let mostBytesAtOnce = 4 << 20

    private func begin(
        _ image: RasterImage, _ texture: ImageTexture?, _ transition: ImageTransition
    ) {
        guard let texture else { return begin(nil, transition) }
        defer { shownImage = image }
        guard image.frameCount > 1 else { return begin(layer(texture, of: image), transition) }
        let player = AnimationPlayer.shared(for: image, poster: texture)
        begin(layer(player.texture, of: image), transition, player: player)
    }

    private func begin(
        _ layer: ContentLayer?, _ transition: ImageTransition, player: AnimationPlayer? = nil
    ) {
        old =
            isTransitioning
            ? .frozen(FrozenTransition(transition, progress: transitionProgress, old, current))
            : current
        current = layer
        shownImage = nil
        shownFrame = 0
        watches = []
        if case .paintable(let held, _) = layer {
            watches = [
                SignalWatch(held, "invalidate-contents") { [weak self] in
                    self?.forward { $0.invalidateContents() }
                },
                SignalWatch(held, "invalidate-size") { [weak self] in
                    self?.forward { $0.updateWish() }
                },
            ]
        }
        self.player?.leave(self)
        self.player = player
        player?.join(self)
        shownFrame = player?.index ?? 0
        self.transition = transition
        transitionStart = nil
        let isSeen = isDrivenByHand || (visibleClock != nil && MotionSetting.allowsMotion)
        transitionProgress = isSeen && !transition.isNone && (old != nil || layer != nil) ? 0 : 1
        if transitionProgress == 1 { old = nil }
        clockChanged()
        invalidateContents()
    }

    private func layer(_ texture: ImageTexture, of image: RasterImage) -> ContentLayer {
        .texture(texture, size: size(of: image))
    }

    /// Size in logical pixels.
    private func size(of image: RasterImage) -> PointSize {
        guard let scale, scale > 0, scale.isFinite else { return image.size }
        return PointSize(
            width: Double(image.pixelSize.width) / scale,
            height: Double(image.pixelSize.height) / scale)
    }

    private func rescale() {
        if case .texture(let texture, _) = current, let image = shownImage {
            current = layer(texture, of: image)
        }
        updateWish()
        invalidateContents()
    }

    /// Passes on what a foreign paintable tells; two that show each other would do so without end.
    private func forward(_ body: (PaintableCore) -> Void) {
        guard !isForwarding else { return }
        isForwarding = true
        body(self)
        isForwarding = false
    }

    // MARK: - Size

    private var naturalSize: PointSize? {
        switch content.kind {
        case .empty: nil
        case .image(let image, let expected, _): expected ?? size(of: image)
        case .paintable(let held, let fit):
            ContentLayer.paintable(held, fit: fit).naturalSize
        }
    }

    private func updateWish() {
        let wish = layout.wish(for: naturalSize)
        guard wish != self.wish else { return }
        self.wish = wish
        object.with { gdk_paintable_invalidate_size($0.opaque) }
    }

    // MARK: - Time

    func attach(_ clock: WidgetClock) {
        guard !clocks.contains(where: { $0.clock === clock }) else { return }
        clocks.removeAll { $0.clock == nil }
        clocks.append(AttachedClock(clock: clock))
        clock.add(self)
        clockChanged()
    }

    func detach(_ clock: WidgetClock) {
        clocks.removeAll { $0.clock === clock || $0.clock == nil }
        clock.remove(self)
        clockChanged()
    }

    private var visibleClock: WidgetClock? {
        clocks.lazy.compactMap(\.clock).first(where: \.isMapped)
    }

    var isTransitioning: Bool { transitionProgress < 1 }
    private var isPlaying: Bool { player.map { !$0.isOver && !isPaused } ?? false }

    /// Whether time passes for this.
    var isMoving: Bool { activeClock != nil }

    /// A widget was shown or hidden, or there is more or less that moves: follows the right clock.
    func clockChanged() {
        if isDrivenByHand {
            player?.setRunning(isPlaying, for: self)
            return
        }
        let allowed = MotionSetting.allowsMotion
        let clock = allowed && (isTransitioning || isPlaying) ? visibleClock : nil
        if clock !== activeClock {
            activeClock?.setMoving(false, self)
            activeClock = clock
            clock?.setMoving(true, self)
        }
        player?.setRunning(clock != nil && isPlaying, for: self)
        // Nobody sees it: it has its end.
        if clock == nil, isTransitioning { endTransition() }
    }

    private func endTransition() {
        transitionProgress = 1
        old = nil
        invalidateContents()
    }

    /// A frame begins, so many nanoseconds after some fixed moment.
    func ticked(_ frameTime: UInt64) {
        advance(to: time?.uptime ?? frameTime)
    }

    func advance(to now: UInt64) {
        if isTransitioning {
            let start = transitionStart ?? now
            transitionStart = start
            let elapsed = Duration.nanoseconds(clamping: now > start ? now - start : 0)
            transitionProgress = transition.progress(after: elapsed)
            if !isTransitioning { old = nil }
            invalidateContents()
        }
        if isPlaying { player?.advance(to: now) }
        if !isTransitioning, !isPlaying { clockChanged() }
    }

    /// The animation shows another frame.
    func frameChanged() {
        guard let player, !isPaused else { return }
        current = layer(player.texture, of: player.image)
        shownFrame = player.index
        invalidateContents()
    }

    /// The texture that shows.
    var texture: ImageTexture? {
        if case .texture(let texture, _) = current { return texture }
        return nil
    }

    /// Whether a widget to which this is attached is drawn by cairo.
    var usesCairo: Bool {
        usesCairoByHand || clocks.contains { $0.clock?.usesCairo ?? false }
    }

    /// The frame of an animation that shows, counted from 0.
    var frameIndex: Int { shownFrame }

    // MARK: - Drawing

    func invalidateContents() {
        object.with { gdk_paintable_invalidate_contents($0.opaque) }
    }

    /// A widget draws it.
    func drawInWidget(on snapshot: OpaquePointer, size: PointSize) {
        if size != drawnArea {
            drawnArea = size
            areaChanged?(size)
        }
        draw(on: snapshot, size: size)
    }

    func draw(on snapshot: OpaquePointer, size: PointSize) {
        // A paintable that shows itself would do so without end.
        guard !isDrawing, size.width > 0, size.height > 0 else { return }
        isDrawing = true
        defer { isDrawing = false }
        let widget = visibleClock ?? clocks.lazy.compactMap(\.clock).first
        let context = DrawingContext(
            fit: fit, place: placement?(size, content.image == nil ? nil : naturalSize),
            textColor: widget?.textColor, usesCairo: usesCairo)
        let canvas = Canvas(snapshot, size: size, old: old, new: current, context)
        if isTransitioning {
            transition.draw(on: canvas, progress: transitionProgress)
        } else {
            canvas.draw(.new)
        }
    }
}
