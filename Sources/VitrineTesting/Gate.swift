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
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
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
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Suspends until it is open.
    ///
    /// - Throws: `CancellationError` at once if the Swift task is cancelled.
    public func pass() async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        try Task.checkCancellation()
    }
}
