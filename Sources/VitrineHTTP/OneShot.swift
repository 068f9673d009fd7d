import VitrineBase

/// A value for which one task waits; who brings one first wins, and the rest is ignored.
///
/// The lock is never held while the task is resumed, so that a cancellation handler may bring the
/// value while the runtime holds the task's own lock.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        // Unchecked, because a state is left once: nobody else has the continuation, and `done` is
        // reached by resuming it.
        case waiting(UnsafeContinuation<Value, Never>)
        case brought(Value)
        case done
    }
    private let state = Lock(State.empty)

    /// Brings the value; false if there was one already.
    @discardableResult
    func fulfil(_ value: Value) -> Bool {
        let (waiter, isFirst) = state.withLock {
            state -> (UnsafeContinuation<Value, Never>?, Bool) in
            switch state {
            case .empty:
                state = .brought(value)
                return (nil, true)
            case .waiting(let continuation):
                state = .done
                return (continuation, true)
            case .brought, .done:
                return (nil, false)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value; to be called once.
    func value() async -> Value {
        await withUnsafeContinuation { continuation in
            let value = state.withLock { state -> Value? in
                guard case .brought(let value) = state else {
                    state = .waiting(continuation)
                    return nil
                }
                state = .done
                return value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
