import VitrineBase

/// Who wants to know what happens to a store, and what they have not been told yet.
///
/// Events are noted where they happen, maybe under the index's lock, and told on a thread of its own.
final class StoreEvents: Sendable {
    private struct State {
        var observers: [Int: @Sendable (DiskStore.Event) -> Void] = [:]
        var lastID = 0
        var waiting: [DiskStore.Event] = []
        var isTelling = false
        var health = StoreHealth()
    }

    private let state = Lock(State())
    private let pool = BlockingPool(name: "vitrine-observe", threads: 1)

    var areObserved: Bool { state.withLock { !$0.observers.isEmpty } }

    func addObserver(_ observer: @escaping @Sendable (DiskStore.Event) -> Void) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            return state.lastID
        }
    }

    func removeObserver(_ id: Int) {
        // Released outside of the lock, since that may run anybody's code.
        let observer = state.withLock { state in
            let observer = state.observers.removeValue(forKey: id)
            if state.observers.isEmpty {
                state.waiting = []
                state.health = StoreHealth()
            }
            return observer
        }
        withExtendedLifetime(observer) {}
    }

    func note(_ event: DiskStore.Event) { note([event]) }

    func note(_ events: [DiskStore.Event]) {
        guard !events.isEmpty else { return }
        state.withLock { state in
            if !state.observers.isEmpty { state.waiting += events }
        }
    }

    /// Notes how a call ended, if that changes whether the store counts as available.
    func noteOutcome(of work: StoreHealth.Work, _ error: DiskStoreError?, in directory: String) {
        state.withLock { state in
            guard !state.observers.isEmpty else { return }
            let event = state.health.after(work, error, in: directory)
            if let event { state.waiting.append(event) }
        }
    }

    /// Has the observers told what was noted. Not to be called under a lock: where no thread can be
    /// had, they are told on this one.
    func deliver() {
        let hasWork = state.withLock { state in
            guard !state.waiting.isEmpty, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        if hasWork { pool.submit { [self] in tell() } }
    }

    private func tell() {
        while true {
            let events = state.withLock { state in
                let events = state.waiting
                state.waiting = []
                state.isTelling = !events.isEmpty
                return events
            }
            guard !events.isEmpty else { return }
            for event in events {
                // Asked for each event, so that one who has cancelled hears no more.
                let observers = state.withLock { $0.observers.sorted { $0.key < $1.key } }
                for (_, observer) in observers { observer(event) }
            }
        }
    }
}
