import FoundationEssentials
import VitrineBase

extension DiskStore {
    /// An entry that waits for its transaction, and who waits for that.
    struct Waiting: Sendable {
        let entry: ReadyEntry
        let caller: CheckedContinuation<Result<Void, DiskStoreError>, Never>
    }

    /// The most entries that share a transaction.
    static let entriesPerTransaction = 32

    /// The most bytes of those, with their bodies.
    static let bytesPerTransaction = 1_048_576

    /// Stores a body from memory, in one transaction with others that are being stored right now.
    ///
    /// Bodies are put in their places by all threads of the store. The thread that has done the last one
    /// commits what waits, while the others go on.
    func insertTogether(
        _ body: Data, metadata: Data, for key: String, expires: Expiry?
    ) async throws(DiskStoreError) {
        let (core, line) = (core, line)
        noteUse()
        let outcome = await withCheckedContinuation { caller in
            let place = line.withLock { $0.announce(key) }
            pool.submit {
                let ready = Result {
                    try core.prepare(body, metadata: metadata, for: key, expiry: expires)
                }
                let batch = line.withLock { line in
                    guard case .success(let entry) = ready else { return line.withdraw(place) }
                    return line.join(
                        Waiting(entry: entry, caller: caller), of: entry.new.cost, at: place)
                }
                // Of one that is ready, whoever commits it answers.
                if case .failure(let error) = ready { core.answer(caller, .failure(error)) }
                core.commit(batch, of: line)
                core.events.deliver()
                core.tidy()
            }
        }
        try outcome.get()
    }
}

extension StoreCore {
    /// Commits a batch, and those that are due then.
    func commit(
        _ batch: [DiskStore.Waiting]?, of line: Lock<CommitLine<DiskStore.Waiting>>
    ) {
        var batch = batch
        while let waiting = batch {
            let outcomes = commit(waiting.map(\.entry))
            batch = line.withLock { $0.committed() }
            for (one, outcome) in zip(waiting, outcomes) { answer(one.caller, outcome) }
            events.deliver()
            tidy()
        }
    }

    fileprivate func answer(
        _ caller: CheckedContinuation<Result<Void, DiskStoreError>, Never>,
        _ outcome: Result<Void, any Error>
    ) {
        let outcome = outcome.mapError { storeError($0) }
        noteOutcome(of: .writing, outcome)
        caller.resume(returning: outcome)
    }
}
