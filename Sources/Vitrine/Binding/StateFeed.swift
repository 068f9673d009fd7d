import VitrineBase

/// A value that changes, for those who wait for its changes: each hears the newest, never a backlog,
/// and whoever begins to listen hears the one that is.
final class StateFeed<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var version = 1
        var isOver = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiting = 0

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }
    private let state: Lock<State>

    init(_ value: Value) { state = Lock(State(value: value)) }

    func change(to value: Value) {
        let waiting = state.withLock { state in
            state.value = value
            state.version += 1
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// There will be no more changes.
    func finish() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The value, once it is newer than the version heard; nil when there will be none, and when the
    /// Swift task is cancelled.
    func next(after heard: Int) async -> (value: Value, version: Int)? {
        while !Task.isCancelled {
            let (value, version, isOver) = state.withLock { ($0.value, $0.version, $0.isOver) }
            if version > heard { return (value, version) }
            if isOver { return nil }
            await waitForChange(after: heard)
        }
        return nil
    }

    private func waitForChange(after heard: Int) async {
        let number = state.withLock { state in
            state.lastWaiting += 1
            return state.lastWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.version > heard || state.isOver || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
