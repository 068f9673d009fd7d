import VitrineBase

/// Holds back whoever comes to it until a test opens it.
///
/// ```swift
/// let gate = Gate()
/// transport.answer(url, with: .bytes(png).held(by: gate))
/// // … the picture is loading …
/// gate.open()
/// ```
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting = Waiters()
    }
    private let state = Lock(State())

    /// A closed gate.
    public init() {}

    /// Whether it is open.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many wait before it.
    public var waiting: Int { state.withLock { $0.waiting.count } }

    /// Lets all through, now and later.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting.takeAll()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Suspends until it is open.
    ///
    /// - Throws: `CancellationError` at once if the Swift task is cancelled.
    public func pass() async throws {
        await state.wait(in: \.waiting) { $0.isOpen }
        try Task.checkCancellation()
    }
}
