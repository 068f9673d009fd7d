/// What the structure of an animated file tells, without any pixel decoded: its frames in order, how
/// long each shows, where it lies on the canvas, and where its bytes are.
struct AnimationOutline: Sendable {
    /// What becomes of a frame's area before the next frame is drawn.
    enum Disposal: Sendable {
        case keep
        /// It becomes transparent. The background colours that files name are ignored, as all browsers
        /// do.
        case clear
        /// It becomes what it was before the frame.
        case restore
    }

    struct Frame: Sendable {
        var x = 0
        var y = 0
        var width = 0
        var height = 0
        /// As the file says.
        var delay = Duration.zero
        var disposal = Disposal.keep
        /// Whether the frame lies over what is there, by its alpha; else it replaces that.
        var blends = false
        /// Whether each of its pixels is known to be opaque.
        var isOpaque = false
        /// Whether its data mean something only after those of earlier frames.
        var buildsOnEarlier = false
        /// Where its part of the file lies; what that is depends on the format.
        var payload = 0..<0
        /// The index in a GIF's palette that is transparent.
        var transparentIndex: UInt8?
    }

    var canvas = PixelSize(width: 0, height: 0)
    /// How often the frames are played; nil is for ever.
    var loopCount: Int? = 1
    /// At most as many as were to be stored.
    private(set) var frames: [Frame] = []
    /// All frames, also those that were not stored.
    private(set) var frameCount = 0
    private let mostStored: Int

    /// An outline without frames; of many frames only the first `limit` will be stored.
    init(storing limit: Int) {
        mostStored = max(1, limit)
    }

    mutating func add(_ frame: Frame) {
        frameCount += 1
        if frames.count < mostStored { frames.append(frame) }
    }

    mutating func changeFirst(_ change: (inout Frame) -> Void) {
        if !frames.isEmpty { change(&frames[0]) }
    }

    /// Whether a pixel of some frame can be transparent.
    var hasAlpha: Bool {
        guard let first = frames.first, covers(first), first.isOpaque else { return true }
        return frames.contains { frame in
            frame.disposal == .clear || (!frame.blends && !frame.isOpaque)
        }
    }

    /// Fills in how the frames are played.
    func describe(_ info: inout ImageInfo) {
        guard frameCount > 1 else { return }
        info.loopCount = loopCount
        info.duration = frames.reduce(.zero) { $0 + Self.shown($1.delay) }
    }

    /// For each frame the last one, up to itself, that can be drawn on an empty canvas as if all
    /// before it had been drawn.
    func keyFrames() -> [Int] {
        var key = 0
        return frames.indices.map { index in
            if index > 0, isKey(index) { key = index }
            return key
        }
    }

    private func isKey(_ index: Int) -> Bool {
        let frame = frames[index]
        if frame.buildsOnEarlier { return false }
        let before = frames[index - 1]
        if before.disposal == .clear, covers(before) { return true }
        return covers(frame) && (frame.isOpaque || !frame.blends) && frame.disposal != .restore
    }

    private func covers(_ frame: Frame) -> Bool {
        frame.x <= 0 && frame.y <= 0 && frame.x + frame.width >= canvas.width
            && frame.y + frame.height >= canvas.height
    }

    /// How long browsers show a frame that asks for `delay`: very short delays are mistakes of old
    /// files, so that 10 ms or less count as 100 ms.
    static func shown(_ delay: Duration) -> Duration {
        delay <= .milliseconds(10) ? .milliseconds(100) : delay
    }
}
