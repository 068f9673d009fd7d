import VitrineBase

/// The revalidations under way, so that equal ones are made once.
final class Revalidations: Sendable {
    /// What is asked about: one stored response.
    struct ID: Hashable, Sendable {
        let key: ResponseKey
        let head: StoredResponse.Head
    }

    /// How a revalidation ended, for those who waited for it.
    enum End: Sendable {
        /// It still holds; this is its head now.
        case renewed(StoredResponse.Head)
        /// The server sent another response, which is the asker's alone.
        case answered
        /// There was no answer.
        case failed(TransportError)
        /// The asker left, or the one who waits did.
        case abandoned
    }

    private let waiting = Lock([ID: [OneShot<End>]]())

    /// Nil if the caller is the one to ask, and then to call ``end(_:as:)``; else what to wait for.
    func join(_ id: ID) -> OneShot<End>? {
        waiting.withLock { waiting in
            guard waiting[id] != nil else {
                waiting[id] = []
                return nil
            }
            let waiter = OneShot<End>()
            waiting[id]?.append(waiter)
            return waiter
        }
    }

    /// Whether the caller is the one to ask; nobody waits for the end otherwise.
    func begin(_ id: ID) -> Bool {
        waiting.withLock { waiting in
            guard waiting[id] == nil else { return false }
            waiting[id] = []
            return true
        }
    }

    func end(_ id: ID, as end: End) {
        let waiters = waiting.withLock { $0.removeValue(forKey: id) ?? [] }
        for waiter in waiters { waiter.fulfil(end) }
    }
}
