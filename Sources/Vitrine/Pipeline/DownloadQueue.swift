import VitrineBase

/// In which order downloads start, and how many run at once: a pure state machine.
///
/// A higher priority starts first; among equals the configured order decides. Adding, starting and
/// removing take constant time on average, so that thousands may wait, and a change of priority takes
/// time in proportion to those that wait at the new one.
struct DownloadQueue<ID: Hashable> {
    private struct Entry {
        let id: ID
        let number: UInt64
    }

    private struct Place: Equatable {
        let number: UInt64
        var priority: LoadPriority
    }

    /// Those of one priority, by their numbers; some have left, and are passed over.
    private struct Level {
        var entries: [Entry] = []
        /// The first that has not been taken.
        var head = 0
        var gone = 0
    }

    private let limit: Int
    private let order: ImageLoader.Configuration.DownloadOrder
    private var levels: [LoadPriority: Level] = [:]
    /// Who waits, and where.
    private var places: [ID: Place] = [:]
    private var active: Set<ID> = []
    private var lastNumber: UInt64 = 0

    init(limit: Int, order: ImageLoader.Configuration.DownloadOrder) {
        self.limit = max(1, limit)
        self.order = order
    }

    var activeCount: Int { active.count }
    var waitingCount: Int { places.count }

    /// A download wants to run. Returns which may start now.
    mutating func add(_ id: ID, priority: LoadPriority) -> [ID] {
        lastNumber += 1
        insert(id, Place(number: lastNumber, priority: priority))
        return startNext()
    }

    /// A download has ended or was given up, whether it had started or not.
    mutating func remove(_ id: ID) -> [ID] {
        active.remove(id)
        if let place = places.removeValue(forKey: id) { leave(place.priority) }
        return startNext()
    }

    /// Changes the place of a download that waits; one that runs goes on.
    mutating func reprioritise(_ id: ID, _ priority: LoadPriority) {
        guard var place = places[id], place.priority != priority else { return }
        leave(place.priority)
        place.priority = priority
        insert(id, place)
    }

    private mutating func insert(_ id: ID, _ place: Place) {
        places[id] = place
        var level = levels.removeValue(forKey: place.priority) ?? Level()
        // Nearly always at the end.
        var index = level.entries.count
        while index > level.head, level.entries[index - 1].number > place.number { index -= 1 }
        level.entries.insert(Entry(id: id, number: place.number), at: index)
        levels[place.priority] = level
    }

    /// One of the level's entries counts no more.
    private mutating func leave(_ priority: LoadPriority) {
        guard var level = levels.removeValue(forKey: priority) else { return }
        level.gone += 1
        if level.gone > 64, level.gone * 2 > level.entries.count - level.head {
            level.entries = level.entries[level.head...].filter { isWaiting($0, at: priority) }
            level.head = 0
            level.gone = 0
        }
        levels[priority] = level
    }

    private func isWaiting(_ entry: Entry, at priority: LoadPriority) -> Bool {
        places[entry.id] == Place(number: entry.number, priority: priority)
    }

    private mutating func startNext() -> [ID] {
        var started: [ID] = []
        while active.count < limit, let id = takeNext() {
            places[id] = nil
            active.insert(id)
            started.append(id)
        }
        return started
    }

    private mutating func takeNext() -> ID? {
        for priority in LoadPriority.allCases.sorted(by: >) {
            guard var level = levels.removeValue(forKey: priority) else { continue }
            defer { levels[priority] = level }
            while level.head < level.entries.count {
                let entry: Entry
                if order == .fifo {
                    entry = level.entries[level.head]
                    level.head += 1
                } else {
                    entry = level.entries.removeLast()
                }
                if isWaiting(entry, at: priority) {
                    if level.head > 64, level.head * 2 > level.entries.count {
                        level.entries.removeFirst(level.head)
                        level.head = 0
                    }
                    return entry.id
                }
                level.gone = max(0, level.gone - 1)
            }
            level = Level()
        }
        return nil
    }
}
