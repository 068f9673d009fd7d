import VitrineBase

/// In which order downloads start, and how many run at once: a pure state machine.
///
/// A higher priority starts first; among equals the configured order decides.
struct DownloadQueue<ID: Hashable> {
    private struct Entry {
        let id: ID
        let number: UInt64
        var priority: LoadPriority
    }

    private let limit: Int
    private let order: ImageLoader.Configuration.DownloadOrder
    private var waiting: [Entry] = []
    private var active: Set<ID> = []
    private var lastNumber: UInt64 = 0

    init(limit: Int, order: ImageLoader.Configuration.DownloadOrder) {
        self.limit = max(1, limit)
        self.order = order
    }

    var activeCount: Int { active.count }
    var waitingCount: Int { waiting.count }

    /// A download wants to run. Returns which may start now.
    mutating func add(_ id: ID, priority: LoadPriority) -> [ID] {
        lastNumber += 1
        waiting.append(Entry(id: id, number: lastNumber, priority: priority))
        return startNext()
    }

    /// A download has ended or was given up, whether it had started or not.
    mutating func remove(_ id: ID) -> [ID] {
        active.remove(id)
        waiting.removeAll { $0.id == id }
        return startNext()
    }

    /// Changes the place of a download that waits; one that runs goes on.
    mutating func reprioritise(_ id: ID, _ priority: LoadPriority) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].priority = priority
    }

    private mutating func startNext() -> [ID] {
        var started: [ID] = []
        while active.count < limit, let index = waiting.indices.min(by: isBefore) {
            let entry = waiting.remove(at: index)
            active.insert(entry.id)
            started.append(entry.id)
        }
        return started
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (waiting[left], waiting[right])
        if a.priority != b.priority { return a.priority > b.priority }
        return order == .fifo ? a.number < b.number : a.number > b.number
    }
}
