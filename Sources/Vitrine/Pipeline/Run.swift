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

    /// How soon its work is wanted on the threads that do it.
    let priority: WorkPriority

    init(_ priority: LoadPriority = .normal) {
        self.priority = WorkPriority(priority)
    }

    /// With what the step has failed.
    var failure: ImageError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// A new turn to download for the step, at its priority of the moment; the one before is given back.
    func newTurn(_ make: (LoadPriority) -> AdmissionGate.Ticket) -> AdmissionGate.Ticket {
        let (turn, old, isStopped) = state.withLock { state in
            let turn = make(priority.value)
            defer { state.turn = turn }
            if case .stopped = state.phase { return (turn, state.turn, true) }
            return (turn, state.turn, false)
        }
        old?.release()
        if isStopped { turn.release() }
        return turn
    }

    /// The memory that the step may claim, if it is one that decodes or filters.
    var reservation: DecodeBudget.Reservation? {
        get { state.withLock { $0.reservation } }
        set { state.withLock { $0.reservation = newValue } }
    }

    /// Changes how soon the step's turn comes, if it waits for one.
    func reprioritise(_ priority: LoadPriority) {
        // Under the lock, so that a turn which is made meanwhile has the new one.
        let (turn, reservation) = state.withLock { state in
            self.priority.value = priority
            return (state.turn, state.reservation)
        }
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
        let old = state.withLock { state in
            defer { state.phase = .stopped }
            return state
        }
        if case .running(let task) = old.phase { task.cancel() }
        old.turn?.release()
    }
}
