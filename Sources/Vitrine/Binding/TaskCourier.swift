import VitrineBase

/// Carries one task's news to where they are wanted: one after the other, in order, never a backlog,
/// and the end once.
final class TaskCourier: Sendable {
    private struct State {
        var listener: ImageTask.Life.ListenerID?
        /// Whether something is being handed over, or is on its way to be.
        var isUnderWay = false
        /// Whether something has changed since it was last looked for.
        var hasChanged = false
    }

    private let task: ImageTask
    private let delivery: Delivery
    private let handOver: @Sendable (ImageTask.Event) -> Void
    private let state = Lock(State())

    private init(
        _ task: ImageTask, _ delivery: Delivery,
        _ handOver: @escaping @Sendable (ImageTask.Event) -> Void
    ) {
        self.task = task
        self.delivery = delivery
        self.handOver = handOver
    }

    /// Hands over whatever the task tells from now on, and what it has told last; in this call, if it
    /// has ended and the caller is where it is wanted.
    static func carry(
        _ task: ImageTask, on delivery: Delivery,
        _ handOver: @escaping @Sendable (ImageTask.Event) -> Void
    ) {
        if let end = task.ended, delivery.isHere {
            handOver(.finished(end))
            return
        }
        let courier = TaskCourier(task, delivery, handOver)
        // The task holds the courier until it has ended, and so do jobs under way.
        let listener = task.listen { courier.changed() }
        courier.state.withLock { $0.listener = listener }
        courier.changed()
    }

    private func changed() {
        let mustStart = state.withLock { state in
            state.hasChanged = true
            guard !state.isUnderWay, state.listener != nil else { return false }
            state.isUnderWay = true
            return true
        }
        if mustStart { delivery.hand { self.handOverNext() } }
    }

    /// One piece of news a turn, so that others on the same thread get theirs.
    private func handOverNext() {
        while true {
            let listener = state.withLock { state in
                state.hasChanged = false
                return state.listener
            }
            guard let listener, case .news(let news) = task.news(for: listener) else {
                let isDone = state.withLock { state in
                    state.isUnderWay = state.hasChanged
                    return !state.hasChanged
                }
                if isDone { return }
                continue
            }
            handOver(ImageTask.Event(news))
            if case .end = news { return }
            if delivery.isInline { continue }
            delivery.hand { self.handOverNext() }
            return
        }
    }
}
