public import VitrineBase

/// The most bytes of memory that decoding and filtering claim at once.
///
/// Each job makes one reservation before it takes a thread, and gives it back when it is done. Waiting
/// suspends and blocks no thread. Higher priorities go first, then whoever came first, but nobody is
/// passed over more than 16 times once it has waited longest; a job that is larger than the whole budget
/// runs alone. A job must not make a second reservation while it holds one.
///
/// ```swift
/// let reservation = DecodeBudget.shared.reservation(priority: .high)
/// try await reservation.take(DecodeBudget.bytes(toDecode: info, options: options))
/// defer { reservation.release() }
/// ```
///
/// It bounds the work that is under way, not what is kept: results are bounded by caches, and the
/// frames of animations by ``DecodeOptions/animationMemory``.
public final class DecodeBudget: Sendable {
    /// The budget of everybody who is not given another one: 536,870,912 bytes (512 MB).
    public static let shared = DecodeBudget()

    private let gate: AdmissionGate

    /// The most bytes claimed at once.
    public let maximumBytes: Int

    /// A budget of its own; at least one byte.
    public init(maximumBytes: Int = 536_870_912) {
        self.maximumBytes = max(1, maximumBytes)
        gate = AdmissionGate(limit: maximumBytes)
    }

    /// Bytes that are claimed just now.
    public var usage: Int { gate.usage }

    /// Jobs that hold their reservation, and jobs that wait for it, just now.
    public var counts: (active: Int, waiting: Int) { gate.counts }

    /// A reservation that has not been made yet.
    public func reservation(priority: LoadPriority = .normal) -> Reservation {
        Reservation(gate.ticket(priority: priority))
    }

    /// The claim of one job; given back at the latest when nobody holds it any more.
    public final class Reservation: Sendable {
        private let ticket: AdmissionGate.Ticket

        fileprivate init(_ ticket: AdmissionGate.Ticket) {
            self.ticket = ticket
        }

        /// Waits until `bytes` can be claimed, and claims them. Only the first call does anything.
        ///
        /// - Throws: `CancellationError` if the task is cancelled while it waits, or if the
        ///   reservation was released before.
        public func take(_ bytes: Int) async throws { try await ticket.take(bytes) }

        /// Changes its place among those that wait.
        public func reprioritise(_ priority: LoadPriority) { ticket.reprioritise(priority) }

        /// Gives the bytes back, or the place among those that wait. A second time does nothing.
        public func release() { ticket.release() }
    }
}
