import VitrineBase

/// How many want something at each priority, so that the highest is known without asking them all.
struct PriorityCounts {
    /// One place for each priority; a vector, since an array would be an allocation.
    private var counts = SIMD8<Int>(repeating: 0)

    /// The highest at which anybody wants it; nil if nobody does.
    var highest: LoadPriority? {
        LoadPriority.allCases.last { counts[$0.rawValue] > 0 }
    }

    /// One more wants it.
    mutating func add(_ priority: LoadPriority) { counts[priority.rawValue] += 1 }

    /// One who wanted it at this priority does so no more.
    mutating func remove(_ priority: LoadPriority) { counts[priority.rawValue] -= 1 }
}
