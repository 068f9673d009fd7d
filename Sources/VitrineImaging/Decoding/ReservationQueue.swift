import VitrineBase

/// Which jobs may claim their bytes of a budget now, and which wait: a pure state machine.
///
/// A higher priority goes first, and within a priority first come, first served. Whoever is first
/// waits until there is room for it, and nobody overtakes it, so that large jobs get their turn too. A
/// job that is larger than the whole budget goes when nothing else runs, and alone.
struct ReservationQueue<ID: Hashable> {
    private struct Entry {
        let id: ID
        let bytes: Int
        let number: UInt64
        var priority: LoadPriority
    }

    let limit: Int
    /// Bytes that are claimed; never more than the limit.
    private(set) var usage = 0
    private var active: [ID: Int] = [:]
    private var waiting: [Entry] = []
    private var lastNumber: UInt64 = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var activeCount: Int { active.count }
    var waitingCount: Int { waiting.count }

    func isWaiting(_ id: ID) -> Bool { waiting.contains { $0.id == id } }

    /// A job wants to claim `bytes`. Returns the jobs that may go now.
    mutating func add(_ id: ID, bytes: Int, priority: LoadPriority) -> [ID] {
        lastNumber += 1
        waiting.append(
            Entry(
                id: id, bytes: min(max(1, bytes), limit), number: lastNumber, priority: priority))
        return startNext()
    }

    /// A job has ended or was given up, whether it had its bytes or not. Returns the jobs that may go
    /// now.
    mutating func remove(_ id: ID) -> [ID] {
        if let bytes = active.removeValue(forKey: id) { usage -= bytes }
        waiting.removeAll { $0.id == id }
        return startNext()
    }

    /// Changes the place of a job that waits. Returns the jobs that may go now.
    mutating func reprioritise(_ id: ID, _ priority: LoadPriority) -> [ID] {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return [] }
        waiting[index].priority = priority
        return startNext()
    }

    private mutating func startNext() -> [ID] {
        var started: [ID] = []
        while let index = waiting.indices.min(by: isBefore),
            waiting[index].bytes <= limit - usage
        {
            let entry = waiting.remove(at: index)
            active[entry.id] = entry.bytes
            usage += entry.bytes
            started.append(entry.id)
        }
        return started
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (waiting[left], waiting[right])
        return a.priority != b.priority ? a.priority > b.priority : a.number < b.number
    }
}
