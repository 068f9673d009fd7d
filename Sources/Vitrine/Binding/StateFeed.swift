import VitrineBase

/// A value that changes, for those who wait for its changes: each hears the newest, never a backlog,
/// and whoever begins to listen hears the one that is.
final class StateFeed<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var version = 1
        var isOver = false
        var waiting = Waiters()
    }
    private let state: Lock<State>

    init(_ value: Value) { state = Lock(State(value: value)) }

    func change(to value: Value) {
        let waiting = state.withLock { state in
            state.value = value
            state.version += 1
            return state.waiting.takeAll()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// There will be no more changes.
    func finish() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting.takeAll()
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
            await state.wait(in: \.waiting) { $0.version > heard || $0.isOver }
        }
        return nil
    }
}
