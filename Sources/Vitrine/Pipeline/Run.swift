import VitrineBase
import VitrineImaging

/// One run of a step: may be stopped before it has begun, and is begun once.
final class Run: Sendable {
    private enum Phase {
        case ready
        case running(Task<Void, Never>)
        case stopped
    }

    private struct State {
        var phase = Phase.ready
        var failure: ImageError?
        var turn: AdmissionGate.Ticket?
        var reservation: DecodeBudget.Reservation?
    }
    private let state = Lock(State())

    /// With what the step has failed.
    var failure: ImageError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// The step's turn to download, if it is one that may need the network.
    var turn: AdmissionGate.Ticket? {
        get { state.withLock { $0.turn } }
        set { state.withLock { $0.turn = newValue } }
    }

    /// The memory that the step may claim, if it is one that decodes or filters.
    var reservation: DecodeBudget.Reservation? {
        get { state.withLock { $0.reservation } }
        set { state.withLock { $0.reservation = newValue } }
    }

    /// Changes how soon the step's turn comes, if it waits for one.
    func reprioritise(_ priority: LoadPriority) {
        turn?.reprioritise(priority)
        reservation?.reprioritise(priority)
    }

    func begin(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard case .ready = state.phase else { return }
            state.phase = .running(Task { await work() })
        }
    }

    /// Cancels the work. What it still reports is not listened to.
    func stop() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state.phase = .stopped }
            if case .running(let task) = state.phase { return task }
            return nil
        }
        task?.cancel()
        turn?.release()
    }
}
