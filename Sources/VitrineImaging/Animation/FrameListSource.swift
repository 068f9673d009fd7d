import VitrineBase

/// Frames that are all in memory.
struct FrameListSource: FrameSource {
    private let frames: [PixelBuffer]
    private var transforms: [@Sendable (PixelBuffer) throws -> PixelBuffer] = []

    private(set) var posterFrame: PixelBuffer
    let rawDurations: [Duration]
    let durations: [Duration]
    let loopCount: Int?

    var cost: Int { frames.reduce(0) { $0 + $1.byteCount } }

    init(
        _ frames: [PixelBuffer], durations: [Duration], loopCount: Int?
    ) throws(ImagingError) {
        guard let first = frames.first else {
            throw .invalidArgument(name: "frames", reason: "there is none")
        }
        guard frames.allSatisfy({ $0.size == first.size }) else {
            throw .invalidArgument(name: "frames", reason: "they differ in size")
        }
        guard durations.count == frames.count, durations.allSatisfy({ $0 >= .zero }) else {
            throw .invalidArgument(
                name: "durations", reason: "one of at least 0 is needed for each frame")
        }
        if let loopCount, loopCount < 1 {
            throw .invalidArgument(name: "loopCount", reason: "\(loopCount) is not positive")
        }
        self.frames = frames
        posterFrame = first
        rawDurations = durations
        self.durations = frames.count == 1 ? durations : durations.map(AnimationOutline.shown)
        self.loopCount = loopCount
    }

    private init(
        frames: [PixelBuffer], transforms: [@Sendable (PixelBuffer) throws -> PixelBuffer],
        posterFrame: PixelBuffer, rawDurations: [Duration], durations: [Duration], loopCount: Int?
    ) {
        self.frames = frames
        self.transforms = transforms
        self.posterFrame = posterFrame
        self.rawDurations = rawDurations
        self.durations = durations
        self.loopCount = loopCount
    }

    func frame(at index: Int) async throws -> PixelBuffer {
        if index == 0 || transforms.isEmpty { return index == 0 ? posterFrame : frames[index] }
        return try await BlockingPool.frames.run { try transformed(index) }
    }

    func weakReference() -> @Sendable () -> (any FrameSource)? {
        struct Frame: Sendable { weak let buffer: PixelBuffer? }
        let references = frames.map { Frame(buffer: $0) }
        let poster = Frame(buffer: posterFrame)
        return { [transforms, rawDurations, durations, loopCount] in
            let frames = references.compactMap(\.buffer)
            guard let first = poster.buffer, frames.count == references.count else { return nil }
            return FrameListSource(
                frames: frames, transforms: transforms, posterFrame: first,
                rawDurations: rawDurations, durations: durations, loopCount: loopCount)
        }
    }

    func hasSameFrames(as other: any FrameSource) -> Bool {
        guard let other = other as? FrameListSource, other.posterFrame === posterFrame,
            other.transforms.count == transforms.count, other.durations == durations,
            other.loopCount == loopCount
        else { return false }
        return frames.elementsEqual(other.frames, by: ===)
    }

    func forEachFrame(_ body: (PixelBuffer, Int) throws -> Void) throws {
        for index in frames.indices { try body(try transformed(index), index) }
    }

    func mapped(
        _ transform: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) throws -> any FrameSource {
        var source = self
        source.posterFrame = try transform(posterFrame)
        source.transforms.append(transform)
        return source
    }

    private func transformed(_ index: Int) throws -> PixelBuffer {
        if index == 0 { return posterFrame }
        return try transforms.reduce(frames[index]) { try $1($0) }
    }
}
