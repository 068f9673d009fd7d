/// Where the frames of a ``RasterImage`` come from; its holders share it.
package protocol FrameSource: Sendable {
    /// The first frame, ready at once.
    var posterFrame: PixelBuffer { get }
    /// How long each frame shows; as many as there are frames.
    var durations: [Duration] { get }
    /// The same as the file has them.
    var rawDurations: [Duration] { get }
    /// How often the frames are played; nil is for ever.
    var loopCount: Int? { get }
    /// Bytes that are held in memory.
    var cost: Int { get }

    /// The frame at `index`, which is within `durations.indices`.
    func frame(at index: Int) async throws -> PixelBuffer

    /// What gives this source, or one with the same frames, as long as somebody else keeps them alive.
    func weakReference() -> @Sendable () -> (any FrameSource)?

    /// Whether the other one has the very same frames, so that what is made of them can be shared.
    func hasSameFrames(as other: any FrameSource) -> Bool

    /// Gives `body` each frame in order, with its index. Blocks, and keeps no frame.
    func forEachFrame(_ body: (PixelBuffer, Int) throws -> Void) throws

    /// The same frames with `transform` applied to each.
    func mapped(
        _ transform: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) throws -> any FrameSource
}

/// One frame that never ends.
struct StillSource: FrameSource {
    let posterFrame: PixelBuffer

    var durations: [Duration] { [.zero] }
    var rawDurations: [Duration] { [.zero] }
    var loopCount: Int? { 1 }
    var cost: Int { posterFrame.byteCount }

    func frame(at index: Int) async throws -> PixelBuffer { posterFrame }

    /// Whoever holds the pixels keeps the picture alive, a texture made of them for example.
    func weakReference() -> @Sendable () -> (any FrameSource)? {
        { [weak posterFrame] in posterFrame.map { StillSource(posterFrame: $0) } }
    }

    func hasSameFrames(as other: any FrameSource) -> Bool {
        (other as? StillSource)?.posterFrame === posterFrame
    }

    func forEachFrame(_ body: (PixelBuffer, Int) throws -> Void) throws {
        try body(posterFrame, 0)
    }

    func mapped(
        _ transform: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) throws -> any FrameSource {
        StillSource(posterFrame: try transform(posterFrame))
    }
}
