import Glibc
import VitrineBase

extension BlockingPool {
    /// Where the frames of all animations are drawn.
    static let frames = BlockingPool(
        name: "vitrine-frames", threads: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

/// The frames of an animated file, drawn when they are asked for.
///
/// All who hold the picture share its readers and the frames that are kept. One frame is drawn at a
/// time. A reader that stands before the wanted frame goes on from there; else a new one starts at the
/// last frame that needs none before it.
final class AnimationSource: FrameSource {
    private struct State {
        var pool: FramePool
        /// Those that nobody uses just now; whoever draws takes one out and brings it back.
        var readers: [FrameReader] = []
        var waiters: [FramePool.WaiterID: CheckedContinuation<PixelBuffer, any Error>] = [:]
        var lastWaiter: FramePool.WaiterID = 0
        var isDrawing = false
    }

    private let file: AnimationFile
    private let memory: Int
    private let keyFrames: [Int]
    private let mostReaders: Int
    private let state: Lock<State>

    let posterFrame: PixelBuffer
    let durations: [Duration]
    let rawDurations: [Duration]
    let cost: Int

    var loopCount: Int? { file.outline.loopCount }

    /// A source that takes `memory` bytes for frames and readers, or the least with which it works: the
    /// first frame, another one, and a canvas. `posterFrame` is the first frame.
    init(_ file: AnimationFile, posterFrame: PixelBuffer, memory: Int) {
        let frames = file.outline.frames
        self.file = file
        self.memory = memory
        self.posterFrame = posterFrame
        keyFrames = file.outline.keyFrames()
        rawDurations = frames.map(\.delay)
        durations = rawDurations.map(AnimationOutline.shown)
        let restores = frames.contains { $0.disposal == .restore }
        let pixels = file.outline.canvas.pixelCount ?? 0
        let canvas =
            pixels * (restores ? 8 : 4)
            + file.codec.drawerMemory(bytes: file.bytes.count, pixels: pixels)
        let frame = posterFrame.byteCount
        mostReaders = memory / 2 >= canvas + frame ? 2 : 1
        let rest = frame.multipliedReportingOverflow(by: frames.count - 1)
        let room = max(frame, memory - mostReaders * canvas - frame)
        let capacity = rest.overflow ? room : min(room, rest.partialValue)
        cost = file.bytes.count + mostReaders * canvas + frame + capacity
        state = Lock(State(pool: FramePool(capacity: capacity)))
    }

    /// Bytes of the frames that are kept just now, without the first one.
    var usage: Int { state.withLock { $0.pool.usage } }

    func frame(at index: Int) async throws -> PixelBuffer {
        if index == 0 { return posterFrame }
        let (kept, id) = state.withLock { state in
            state.lastWaiter += 1
            return (state.pool.frame(at: index), state.lastWaiter)
        }
        if let kept { return kept }
        let frame = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, id, for: index) }
        } onCancel: {
            resume(state.withLock { take([id], from: &$0) }, .failure(CancellationError()))
        }
        // The continuation has handed it over already; through the lock ThreadSanitizer sees it too.
        return state.withLock { _ in frame }
    }

    func forEachFrame(_ body: (PixelBuffer, Int) throws -> Void) throws {
        let reader = try FrameReader(file)
        for index in durations.indices {
            try reader.advance()
            try body(try index == 0 ? posterFrame : reader.snapshot(), index)
        }
    }

    func weakReference() -> @Sendable () -> (any FrameSource)? {
        { [weak self] in self }
    }

    func hasSameFrames(as other: any FrameSource) -> Bool {
        (other as? AnimationSource) === self
    }

    func mapped(
        _ transform: @escaping @Sendable (PixelBuffer) throws -> PixelBuffer
    ) throws -> any FrameSource {
        var file = file
        file.transforms.append(transform)
        return AnimationSource(file, posterFrame: try transform(posterFrame), memory: memory)
    }

    // MARK: - Waiting

    private func wait(
        _ continuation: CheckedContinuation<PixelBuffer, any Error>, _ id: FramePool.WaiterID,
        for index: Int
    ) {
        enum Way { case over(PixelBuffer), cancelled, waits(isFirst: Bool) }
        let way = state.withLock { state -> Way in
            if Task.isCancelled { return .cancelled }
            if let frame = state.pool.frame(at: index) { return .over(frame) }
            state.pool.wait(id, for: index)
            state.waiters[id] = continuation
            defer { state.isDrawing = true }
            return .waits(isFirst: !state.isDrawing)
        }
        switch way {
        case .over(let frame): continuation.resume(returning: frame)
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .waits(let isFirst): if isFirst { BlockingPool.frames.submit { self.draw() } }
        }
    }

    private typealias Waiters = [CheckedContinuation<PixelBuffer, any Error>]

    private func take(_ ids: [FramePool.WaiterID], from state: inout State) -> Waiters {
        ids.compactMap { id in
            _ = state.pool.leave(id)
            return state.waiters.removeValue(forKey: id)
        }
    }

    private func resume(_ waiters: Waiters, _ result: Result<PixelBuffer, any Error>) {
        for waiter in waiters { waiter.resume(with: result) }
    }

    // MARK: - Drawing

    /// Draws the frame for which somebody has waited longest, and comes again for the next; runs on
    /// one thread at a time.
    private func draw() {
        let job = state.withLock { state -> (target: Int, reader: FrameReader?)? in
            guard let target = state.pool.nextWanted else {
                state.isDrawing = false
                return nil
            }
            let nearest = state.readers.indices
                .filter { (keyFrames[target]...target).contains(state.readers[$0].position) }
                .max { state.readers[$0].position < state.readers[$1].position }
            return (target, nearest.map { state.readers.remove(at: $0) })
        }
        guard let (target, idle) = job else { return }
        var position = keyFrames[target]
        do {
            if idle == nil {  // there must be room for another canvas
                state.withLock { state in
                    while state.readers.count >= mostReaders { state.readers.removeFirst() }
                }
            }
            let reader = try idle ?? FrameReader(file, from: position)
            while reader.position <= target {
                position = reader.position
                guard state.withLock({ $0.pool.isWanted(target) }) else { break }
                try reader.advance()
                guard state.withLock({ $0.pool.isWanted(position) }) else { continue }
                let frame = try reader.snapshot()
                let waiters = state.withLock { state in
                    take(state.pool.insert(frame, at: position), from: &state)
                }
                resume(waiters, .success(frame))
            }
            state.withLock { state in
                if reader.position < durations.count {
                    state.readers.append(reader)
                }
            }
        } catch {
            // No frame that needs this one will come either.
            let failed = position
            let waiters = state.withLock { state in
                let ids = state.pool.takeWaiters { $0 >= failed && keyFrames[$0] <= failed }
                return take(ids, from: &state)
            }
            resume(waiters, .failure(error))
        }
        BlockingPool.frames.submit { self.draw() }
    }
}
