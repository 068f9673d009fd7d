import VitrineImaging

/// Plays an animation for all who show it: one time, one set of frames, however many they are.
///
/// It follows the clock: on a slow machine frames are left out, and the animation takes no longer. Time
/// passes while somebody runs it. Two frames are held: the one that shows, and the next one, which is
/// asked for beforehand.
@MainActor final class AnimationPlayer {
    let image: RasterImage
    private let playback: Playback
    private var watchers: [ObjectIdentifier: Watcher] = [:]
    private var elapsed: UInt64 = 0
    private var lastTime: UInt64?
    /// The frame that should show by now.
    private var wanted = 0
    private var next: (index: Int, texture: ImageTexture)?
    private var request: (index: Int, task: Task<Void, Never>)?

    /// The frame that shows, and its index.
    private(set) var texture: ImageTexture
    private(set) var index = 0
    /// Nothing moves any more: the last round has ended, or a frame cannot be drawn.
    private(set) var isOver = false

    /// Who shows the animation, and whether anybody sees that just now.
    private struct Watcher {
        weak var core: PaintableCore?
        var runs = false
    }

    /// The player of this animation, which it gets if nobody shows it yet.
    static func shared(for image: RasterImage, poster: ImageTexture) -> AnimationPlayer {
        let key = ObjectIdentifier(image.posterFrame)
        if let player = players[key]?.player, player.image.hasSameFrames(as: image) {
            return player
        }
        players = players.filter { $0.value.player != nil }
        let player = AnimationPlayer(image, poster: poster)
        players[key] = WeakPlayer(player: player)
        return player
    }

    private struct WeakPlayer { weak var player: AnimationPlayer? }
    /// By the identity of the first frame, which a player keeps alive.
    private static var players: [ObjectIdentifier: WeakPlayer] = [:]

    private init(_ image: RasterImage, poster: ImageTexture) {
        self.image = image
        texture = poster
        playback = Playback(durations: image.durations, loopCount: image.loopCount)
    }

    deinit { request?.task.cancel() }

    /// From now on it hears of new frames. What had ended begins again.
    func join(_ core: PaintableCore) {
        watchers[ObjectIdentifier(core)] = Watcher(core: core)
        guard isOver else { return }
        rewind()
        for watcher in watchers.values where watcher.core !== core { watcher.core?.clockChanged() }
    }

    func leave(_ core: PaintableCore) {
        watchers[ObjectIdentifier(core)] = nil
        pauseIfUnseen()
    }

    /// Time passes for as long as anybody runs it.
    func setRunning(_ runs: Bool, for core: PaintableCore) {
        // Those who ran it may have gone without a word.
        pauseIfUnseen()
        watchers[ObjectIdentifier(core)]?.runs = runs
        pauseIfUnseen()
    }

    private func pauseIfUnseen() {
        watchers = watchers.filter { $0.value.core != nil }
        guard !watchers.values.contains(where: \.runs) else { return }
        lastTime = nil
        request?.task.cancel()
        request = nil
    }

    private func rewind() {
        (elapsed, lastTime, wanted, isOver) = (0, nil, 0, false)
        show(0, ImageTexture.existing(for: image.posterFrame) ?? texture)
    }

    /// It is so late now, in nanoseconds; several who run it may all say so.
    func advance(to now: UInt64) {
        defer { lastTime = max(now, lastTime ?? now) }
        guard !isOver else { return }
        if let lastTime, now > lastTime {
            elapsed = elapsed.addingReportingOverflow(now - lastTime).partialValue
        }
        let position = playback.position(after: elapsed)
        wanted = position.frame
        if let ready = next, ready.index == wanted {
            next = nil
            show(wanted, ready.texture)
        }
        if wanted == index {
            isOver = position.isOver
            if !isOver { ask(for: playback.frame(after: index)) }
        } else {
            ask(for: wanted)
        }
    }

    private func show(_ index: Int, _ texture: ImageTexture) {
        self.index = index
        self.texture = texture
        for watcher in watchers.values { watcher.core?.frameChanged() }
    }

    private func ask(for index: Int) {
        guard request?.index != index, next?.index != index else { return }
        request?.task.cancel()
        let image = image
        let forCairo = watchers.values.contains { $0.core?.usesCairo ?? false }
        let task = Task.detached { [weak self] in
            let texture = try? await ImageTexture.frame(at: index, of: image, forCairo: forCairo)
            if Task.isCancelled { return }
            onMainLoop { self?.arrived(index, texture) }
        }
        request = (index, task)
    }

    private func arrived(_ index: Int, _ texture: ImageTexture?) {
        guard request?.index == index else { return }
        request = nil
        guard let texture else {
            // It stays at the last frame that could be drawn.
            isOver = true
            return
        }
        if wanted == self.index {
            next = (index, texture)
        } else {
            // Perhaps late, but later ones would be late too.
            show(index, texture)
        }
    }
}
