/// How soon some work is wanted, which may change while it waits, on one pool after the other.
package final class WorkPriority: Sendable {
    private struct State {
        var value: LoadPriority
        var follower: (@Sendable (LoadPriority) -> Void)?
    }
    private let state: Lock<State>

    package init(_ value: LoadPriority = .normal) { state = Lock(State(value: value)) }

    /// The priority just now. Whoever follows hears of a change, on the thread that makes it.
    package var value: LoadPriority {
        get { state.withLock { $0.value } }
        set {
            let follower = state.withLock { state in
                state.value = newValue
                return state.follower
            }
            follower?(newValue)
        }
    }

    /// Hears of changes from now on, and at once of the priority that holds now; there is one follower
    /// at a time.
    func follow(_ follower: @escaping @Sendable (LoadPriority) -> Void) {
        let value = state.withLock { state in
            state.follower = follower
            return state.value
        }
        follower(value)
    }

    func unfollow() { state.withLock { $0.follower = nil } }
}
