/// Swift tasks that wait for a change of the value behind a ``Lock``, of which this is a part.
package struct Waiters: Sendable {
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var last = 0

    package init() {}

    /// How many wait.
    package var count: Int { waiting.count }

    /// All who wait, in the order in which they came; they are to be resumed outside the lock.
    package mutating func takeAll() -> [CheckedContinuation<Void, Never>] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    fileprivate mutating func nextNumber() -> Int {
        last += 1
        return last
    }

    fileprivate mutating func add(_ continuation: CheckedContinuation<Void, Never>, _ number: Int) {
        waiting[number] = continuation
    }

    fileprivate mutating func take(_ number: Int) -> CheckedContinuation<Void, Never>? {
        waiting.removeValue(forKey: number)
    }
}

extension Lock {
    /// Suspends until the waiters are taken and resumed, unless `isThere` holds already or the Swift
    /// task is cancelled. A cancellation ends the wait at once.
    ///
    /// - Parameters:
    ///   - waiters: Which of the value's waiters it joins.
    ///   - isThere: Whether what it would wait for has come; asked under the lock.
    package func wait(
        in waiters: any WritableKeyPath<Value, Waiters> & Sendable,
        unless isThere: @Sendable (inout Value) -> Bool
    ) async {
        let number = withLock { $0[keyPath: waiters].nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = withLock { value in
                    if isThere(&value) || Task.isCancelled { return true }
                    value[keyPath: waiters].add(continuation, number)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            withLock { $0[keyPath: waiters].take(number) }?.resume()
        }
    }
}
