import Glibc
import VitrineBase
import VitrineStorage

/// What a store has told, and from where.
final class EventLog: Sendable {
    private let seen = Lock<[DiskStore.Event]>([])
    private let threads = Lock<Set<pthread_t>>([])

    init(_ store: DiskStore) {
        store.observe { [self] event in
            seen.withLock { $0.append(event) }
            threads.withLock { _ = $0.insert(pthread_self()) }
        }
    }

    var events: [DiskStore.Event] { seen.withLock { $0 } }

    var threadCount: Int { threads.withLock { $0.count } }

    /// All events, once there are `count` of them; what there is after some seconds.
    func first(_ count: Int) async -> [DiskStore.Event] {
        for _ in 0..<1000 where events.count < count {
            try? await Task.sleep(for: .milliseconds(10))
        }
        return events
    }

    /// All events, once one of them is `event`; what there is after some seconds.
    func upTo(_ event: DiskStore.Event) async -> [DiskStore.Event] {
        for _ in 0..<1000 where !events.contains(event) {
            try? await Task.sleep(for: .milliseconds(10))
        }
        return events
    }

    /// All events after those that were told so far, once there are `count` of them.
    func next(_ count: Int, after told: [DiskStore.Event]) async -> [DiskStore.Event] {
        Array(await first(told.count + count).dropFirst(told.count))
    }
}
