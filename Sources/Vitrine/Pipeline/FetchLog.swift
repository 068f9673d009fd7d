import VitrineBase

/// What happens in one attempt to get the bytes of a source, stage by stage: the times that a response
/// tells, and what an observer hears.
final class FetchLog: Sendable {
    private struct State {
        var span: StageProbe.Span?
        var queuedSince: UInt64?
        var queued: Duration?
        var refusal: ImageError?
    }
    private let state = Lock(State())
    private let time: TimeSource
    private let probe: StageProbe?

    init(time: TimeSource, probe: StageProbe?) {
        self.time = time
        self.probe = probe
    }

    /// How long it waited for a turn to download; nil if it needed none.
    var queued: Duration? { state.withLock { $0.queued } }

    /// What a modifier said that threw.
    var refusal: ImageError? { state.withLock { $0.refusal } }

    /// The network is needed, and a turn is waited for: once, whatever the number of redirects.
    func needsNetwork() {
        let isFirst = state.withLock { state in
            guard state.queuedSince == nil else { return false }
            state.queuedSince = time.uptime
            return true
        }
        if isFirst { begin(.queue) }
    }

    func hasTurn() {
        let isFirst = state.withLock { state in
            guard state.queued == nil, let start = state.queuedSince else { return false }
            state.queued = .nanoseconds(clamping: time.uptime &- start)
            return true
        }
        if isFirst { end() }
    }

    /// The request is sent.
    func sends() { begin(.transfer) }

    func refuse(_ error: ImageError) {
        state.withLock { $0.refusal = error }
        ended(error)
    }

    /// A stage begins, and the one before it ends, if it has not.
    func begin(_ stage: LoadEvent.Stage) {
        guard let probe else { return }
        end()
        let span = probe.begin(stage)
        state.withLock { $0.span = span }
    }

    /// The stage that has begun ends.
    func end(_ facts: LoadEvent.Facts = LoadEvent.Facts()) {
        guard probe != nil else { return }
        let span = state.withLock { state in
            defer { state.span = nil }
            return state.span
        }
        span?.end(facts)
    }

    func ended(_ error: ImageError) {
        end(LoadEvent.Facts(status: error.http?.status, error: error))
    }
}
