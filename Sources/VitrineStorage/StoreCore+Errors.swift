import Glibc

extension StoreCore {
    /// Notes whether a call's end makes the store unavailable or available again.
    func noteOutcome<Result>(
        of work: StoreHealth.Work?, _ outcome: Swift.Result<Result, DiskStoreError>
    ) {
        guard let work else { return }
        var failure: DiskStoreError?
        if case .failure(let error) = outcome { failure = error }
        events.noteOutcome(of: work, failure, in: directory)
    }

    /// What a caller is told of a failure.
    func storeError(_ error: any Error) -> DiskStoreError {
        switch error {
        case let error as DiskStoreError: error
        case let error as SQLiteError: storeError(error)
        case let error as SystemError: storeError(error)
        default: .io(path: directory, reason: "\(error)")
        }
    }

    private func storeError(_ error: SQLiteError) -> DiskStoreError {
        switch error.kind {
        case .full: .full(path: directory)
        case .readOnly: .readOnly(path: directory)
        case .busy: .busy(path: directory)
        case .gone where !isOpen: .cannotOpen(path: directory, reason: error.reason)
        case .corrupt, .gone, .other: .io(path: directory, reason: error.reason)
        }
    }

    private func storeError(_ error: SystemError) -> DiskStoreError {
        switch error.code {
        case ENOSPC, EDQUOT: .full(path: directory)
        case EROFS: .readOnly(path: directory)
        case EACCES where FileSystem.identity(directory) != nil: .readOnly(path: directory)
        case _ where isOpen: .io(path: directory, reason: error.reason)
        case EWOULDBLOCK: .busy(path: directory)
        default: .cannotOpen(path: directory, reason: error.reason)
        }
    }
}
