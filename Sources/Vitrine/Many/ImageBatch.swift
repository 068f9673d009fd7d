import VitrineBase

/// The loads of one iteration over ``ImageResults``: performs what a ``BatchWindow`` decides.
final class ImageBatch: Sendable {
    private struct State {
        var window: BatchWindow<ImageResults.Element>
        var tasks: [Int: ImageTask] = [:]
        var isCancelled = false
        /// Who waits for a result.
        var reader: CheckedContinuation<Void, Never>?
        /// Who waits for room.
        var writer: CheckedContinuation<Void, Never>?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }

        mutating func takeWriter() -> CheckedContinuation<Void, Never>? {
            defer { writer = nil }
            return writer
        }
    }

    private let loader: ImageLoader
    private let state: Lock<State>

    init(_ loader: ImageLoader, _ window: BatchWindow<ImageResults.Element>) {
        self.loader = loader
        state = Lock(State(window: window))
    }

    // MARK: - Beginning

    /// Whether one more may begin now.
    var hasRoom: Bool { state.withLock { $0.window.hasRoom } }

    /// Waits until one more may begin; false if no more will.
    func waitForRoom() async -> Bool {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.window.hasRoom || state.window.isClosed { return true }
                state.writer = continuation
                return false
            }
            if goesOn { continuation.resume() }
        }
        return hasRoom
    }

    func begin(_ request: ImageRequest) {
        let number = state.withLock { $0.window.begin() }
        let task = loader.task(for: request)
        let isCancelled = state.withLock { state in
            state.tasks[number] = task
            return state.isCancelled
        }
        task.whenEnded { [self] result in
            ended(number, ImageResults.Element(index: number, request: request, result: result))
        }
        if isCancelled { task.cancel() }
    }

    /// No more will begin.
    func close() {
        let reader = state.withLock { state in
            state.window.close()
            return state.takeReader()
        }
        reader?.resume()
    }

    private func ended(_ number: Int, _ element: ImageResults.Element) {
        let reader = state.withLock { state in
            state.tasks[number] = nil
            return state.window.finish(number, element) ? state.takeReader() : nil
        }
        reader?.resume()
    }

    // MARK: - Handing out

    /// The next result; nil when there will be no more.
    func next() async -> ImageResults.Element? {
        await withTaskCancellationHandler {
            while true {
                let (element, isOver, writer) = state.withLock { state in
                    let element = state.window.next()
                    return (
                        element, state.window.isOver, element == nil ? nil : state.takeWriter()
                    )
                }
                writer?.resume()
                if let element { return element }
                if isOver { return nil }
                await waitForResult()
            }
        } onCancel: {
            cancel()
        }
    }

    private func waitForResult() async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.window.hasNext || state.window.isOver { return true }
                state.reader = continuation
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    /// Ends what is under way, and begins nothing more.
    func cancel() {
        let (tasks, reader, writer) = state.withLock { state in
            state.isCancelled = true
            state.window.close()
            return (
                state.tasks.sorted { $0.key < $1.key }.map(\.value), state.takeReader(),
                state.takeWriter()
            )
        }
        for task in tasks { task.cancel() }
        reader?.resume()
        writer?.resume()
    }
}
