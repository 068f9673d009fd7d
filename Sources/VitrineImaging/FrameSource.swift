/// Where the frames of a ``RasterImage`` come from; its holders share it.
package protocol FrameSource: Sendable {
    /// The first frame, ready at once.
    var posterFrame: PixelBuffer { get }
    /// How long each frame shows; as many as there are frames.
    var durations: [Duration] { get }
    /// How often the frames are played; nil is for ever.
    var loopCount: Int? { get }
    /// Bytes that are held in memory.
    var cost: Int { get }

    /// The frame at `index`, which is within `durations.indices`.
    func frame(at index: Int) async throws -> PixelBuffer

    /// The same frames with `transform` applied to each.
    func mapped(
        _ transform: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) throws -> any FrameSource
}

/// One frame that never ends.
struct StillSource: FrameSource {
    let posterFrame: PixelBuffer

    var durations: [Duration] { [.zero] }
    var loopCount: Int? { 1 }
    var cost: Int { posterFrame.byteCount }

    func frame(at index: Int) async throws -> PixelBuffer { posterFrame }

    func mapped(
        _ transform: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) throws -> any FrameSource {
        StillSource(posterFrame: try transform(posterFrame))
    }
}
