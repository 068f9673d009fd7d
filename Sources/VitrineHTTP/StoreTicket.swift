/// A cache's offer to store a response.
///
/// Whoever has read the whole body and accepted it (decoded the image, say) hands it over; a body
/// that nobody accepts is not stored. Of one that is cut off, what has arrived may be kept, so that
/// the next exchange goes on from there where the server allows it; that is never an answer by itself.
public struct StoreTicket: Sendable {
    /// What became of a body that was handed over.
    package struct Outcome: Sendable, Hashable {
        /// Whether it is stored now.
        package var isStored: Bool
        /// Whether it has taken the place of one of other bytes.
        package var isChange: Bool
        /// Whether it is not, since a response that was asked for later lies there.
        package var isOutdated: Bool

        package init(isStored: Bool, isChange: Bool = false, isOutdated: Bool = false) {
            self.isStored = isStored
            self.isChange = isChange
            self.isOutdated = isOutdated
        }
    }

    private let action: @Sendable (BodySpool) async -> Outcome
    private let parts: PartKeeper?

    /// A ticket that does `store` with the body, which says whether it is stored now; keeps no parts.
    public init(store: @escaping @Sendable (BodySpool) async -> Bool) {
        self.init(parts: nil) { Outcome(isStored: await store($0)) }
    }

    init(parts: PartKeeper?, store: @escaping @Sendable (BodySpool) async -> Outcome) {
        self.parts = parts
        action = store
    }

    /// Stores the body; returns when that is done or has failed, which is no error for the caller, and
    /// says which of the two.
    @discardableResult
    public func store(_ body: BodySpool) async -> Bool { await action(body).isStored }

    /// The same, and tells more.
    package func outcome(ofStoring body: BodySpool) async -> Outcome { await action(body) }

    /// To be called as the body arrives, with all that has arrived. Writes it down now and then, so
    /// that not even a killed process has to begin anew; mostly does nothing, at the cost of a lock.
    ///
    /// One call at a time.
    public func advance(_ body: BodySpool) async {
        guard let parts, parts.isDue(arrived: body.count) else { return }
        await Task { await parts.keep(body) }.value
    }

    /// Keeps what has arrived of a body that will not be complete, if the response can be gone on
    /// with (a strong validator, no content coding), if `error` says that it was merely cut off, and
    /// if it is more than a few kilobytes; else forgets what was kept of it.
    ///
    /// Goes on when the calling task is cancelled. One call at a time.
    public func storePart(_ body: BodySpool, after error: TransportError) async {
        guard let parts else { return }
        await Task {
            if error.isInterruption {
                await parts.keep(body)
            } else {
                await parts.discardStored()
            }
        }.value
    }

    /// Forgets what was kept of the body, since it is not what it was taken for.
    public func discardParts() async { await parts?.discardStored() }
}

extension TransportError {
    /// Whether what had arrived before is as good as the rest would have been.
    fileprivate var isInterruption: Bool {
        switch self {
        case .cancelled, .timeout, .truncated, .connectionLost, .shutDown: true
        default: false
        }
    }
}
