import VitrineBase

/// A number that any thread may count up.
final class Counter: Sendable {
    private let value = Lock(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}
