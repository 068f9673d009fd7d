/// Whether a store can be used, as far as its calls show: a value without I/O.
///
/// A full disk fails what writes and lets reading go on. So a store in which writing failed is
/// available again when writing succeeds, while one that could not be read needs any success.
struct StoreHealth {
    /// What a call does with the folder.
    enum Work {
        case reading
        case writing
    }

    /// What failed first since all was well.
    private var trouble: Work?

    /// A call has ended. Returns what observers are to be told.
    mutating func after(
        _ work: Work, _ error: DiskStoreError?, in directory: String
    ) -> DiskStore.Event? {
        guard let error else {
            guard let trouble, work == .writing || trouble == .reading else { return nil }
            self.trouble = nil
            return .available
        }
        guard trouble == nil, StoreHealth.isTheStores(error, directory) else { return nil }
        trouble = work
        return .unavailable(error)
    }

    /// Whether the store failed, and not what it was asked to do.
    private static func isTheStores(_ error: DiskStoreError, _ directory: String) -> Bool {
        switch error {
        case .tooLarge, .noRoom: false
        case .io(let path, _): path == directory
        case .cannotOpen, .full, .readOnly, .busy, .newerFormat: true
        }
    }
}
