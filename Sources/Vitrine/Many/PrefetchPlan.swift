import VitrineBase

/// What a prefetcher still has to do, and in which order: a pure value.
///
/// Whoever asks again for what waits or runs adds nothing. A number names one run of a key, so that
/// news of one that was stopped are told apart from those of a later one.
struct PrefetchPlan<Key: Hashable, Item> {
    typealias Number = UInt64

    enum Action {
        case start(Number, Item)
        case stop(Number)
    }

    private var queue: AdmissionQueue<Number>
    private var numbers: [Key: Number] = [:]
    private var jobs: [Number: (key: Key, item: Item)] = [:]
    private var lastNumber: Number = 0
    private(set) var finished = 0
    private(set) var failed = 0

    init(limit: Int) { queue = AdmissionQueue(limit: limit) }

    var active: Int { queue.activeCount }
    var waiting: Int { queue.waitingCount }
    var isEmpty: Bool { jobs.isEmpty }
    var isPaused: Bool { queue.isPaused }

    /// Whether it has started and is still wanted.
    func isActive(_ number: Number) -> Bool { jobs[number] != nil && !queue.isWaiting(number) }

    mutating func add(_ key: Key, _ item: Item) -> [Action] {
        guard numbers[key] == nil else { return [] }
        lastNumber += 1
        numbers[key] = lastNumber
        jobs[lastNumber] = (key, item)
        return started(queue.add(lastNumber, priority: .normal))
    }

    /// It is wanted no more. Nothing happens if it has ended.
    mutating func remove(_ key: Key) -> [Action] {
        guard let number = numbers[key] else { return [] }
        let wasActive = isActive(number)
        return (wasActive ? [.stop(number)] : []) + leave(number)
    }

    mutating func removeAll() -> [Action] {
        // The last ones first: nobody starts in the place of another.
        numbers.values.sorted().reversed().flatMap { number in
            jobs[number].map { remove($0.key) } ?? []
        }
    }

    /// A run has ended by itself. Nothing happens if it was stopped.
    mutating func ended(_ number: Number, failed hasFailed: Bool) -> [Action] {
        guard jobs[number] != nil else { return [] }
        if hasFailed { failed += 1 } else { finished += 1 }
        return leave(number)
    }

    mutating func pause() { queue.pause() }

    mutating func resume() -> [Action] { started(queue.resume()) }

    private mutating func leave(_ number: Number) -> [Action] {
        if let job = jobs.removeValue(forKey: number) { numbers[job.key] = nil }
        return started(queue.remove(number))
    }

    private func started(_ numbers: [Number]) -> [Action] {
        numbers.compactMap { number in jobs[number].map { .start(number, $0.item) } }
    }
}
