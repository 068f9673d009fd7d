/// In which order jobs of the same priority go.
package enum AdmissionOrder: Sendable {
    case firstInFirstOut
    case lastInFirstOut
}

/// Which jobs may go now, and which wait, where all that run share one bound: a pure state machine.
///
/// Each job has a cost, and those that run never cost more than the limit together. A higher priority
/// goes first, and among equals the order decides. Whoever is next waits until there is room, and
/// nobody overtakes it, so that costly jobs get their turn too; one that costs more than the limit
/// goes when nothing else runs, and alone. Nobody starves: after ``patience`` jobs have gone before
/// the one that has waited longest, that one is next, whatever its priority.
///
/// Adding, leaving and going take constant time on average, so that many thousands may wait; a change
/// of priority takes time in proportion to those that wait at the new one.
package struct AdmissionQueue<ID: Hashable> {
    private struct Job {
        let id: ID
        let cost: Int
        var priority: LoadPriority
    }

    /// How many may go before the one that has waited longest.
    package static var patience: Int { 16 }

    /// The most that all who run cost together; at least 1.
    package let limit: Int
    /// What those who run cost together; never more than the limit.
    package private(set) var usage = 0
    private let order: AdmissionOrder
    private var active: [ID: Int] = [:]
    /// Who waits, by numbers in the order in which they came.
    private var waiting: [UInt64: Job] = [:]
    private var numbers: [ID: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    private var lines = LoadPriority.allCases.map { Line(priority: $0) }
    private var everybody = Line(priority: nil)
    /// How many have gone before the one that has waited longest.
    private var passedOver = 0
    /// Whether nobody goes for now, however much room there is.
    package private(set) var isPaused = false

    package init(limit: Int, order: AdmissionOrder = .firstInFirstOut) {
        self.limit = max(1, limit)
        self.order = order
    }

    package var activeCount: Int { active.count }
    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ id: ID) -> Bool { numbers[id] != nil }

    /// A job wants to go; it costs at least 1. Returns who may go now.
    package mutating func add(_ id: ID, cost: Int = 1, priority: LoadPriority) -> [ID] {
        lastNumber += 1
        waiting[lastNumber] = Job(id: id, cost: min(max(1, cost), limit), priority: priority)
        numbers[id] = lastNumber
        lines[priority.rawValue].insert(lastNumber)
        everybody.insert(lastNumber)
        return admit()
    }

    /// A job has ended or was given up, whether it had gone or not. Returns who may go now.
    package mutating func remove(_ id: ID) -> [ID] {
        if let cost = active.removeValue(forKey: id) { usage -= cost }
        if let number = numbers[id] { _ = take(number) }
        return admit()
    }

    /// Changes the place of a job that waits; one that runs goes on. Returns who may go now.
    package mutating func reprioritise(_ id: ID, _ priority: LoadPriority) -> [ID] {
        guard let number = numbers[id], let old = waiting[number]?.priority, old != priority else {
            return []
        }
        waiting[number]?.priority = priority
        lines[old.rawValue].forget(waiting)
        lines[priority.rawValue].insert(number)
        return admit()
    }

    /// Nobody goes until ``resume()``; those who run go on.
    package mutating func pause() { isPaused = true }

    /// Ends a pause. Returns who may go now.
    package mutating func resume() -> [ID] {
        isPaused = false
        return admit()
    }

    private mutating func admit() -> [ID] {
        var admitted: [ID] = []
        while !isPaused, usage < limit, let number = next(), let cost = waiting[number]?.cost,
            cost <= limit - usage
        {
            passedOver += 1
            guard let job = take(number) else { break }
            active[job.id] = cost
            usage += cost
            admitted.append(job.id)
        }
        return admitted
    }

    /// Who goes as soon as there is room.
    private mutating func next() -> UInt64? {
        if passedOver >= Self.patience { return everybody.first(waiting) }
        for line in lines.indices.reversed() {
            let number =
                switch order {
                case .firstInFirstOut: lines[line].first(waiting)
                case .lastInFirstOut: lines[line].last(waiting)
                }
            if let number { return number }
        }
        return nil
    }

    /// Takes a job out of those that wait.
    private mutating func take(_ number: UInt64) -> Job? {
        if number == everybody.first(waiting) { passedOver = 0 }
        guard let job = waiting.removeValue(forKey: number) else { return nil }
        numbers[job.id] = nil
        lines[job.priority.rawValue].forget(waiting)
        everybody.forget(waiting)
        return job
    }

    /// The numbers of those who wait at one priority, or of all, in ascending order; some count no
    /// more, and are passed over.
    private struct Line {
        let priority: LoadPriority?
        private var numbers: [UInt64] = []
        private var head = 0
        private var count = 0

        init(priority: LoadPriority?) { self.priority = priority }

        mutating func insert(_ number: UInt64) {
            count += 1
            // Nearly always at the end.
            var (low, high) = (head, numbers.count)
            if let last = numbers.last, last < number { low = high }
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < number { low = middle + 1 } else { high = middle }
            }
            // One that comes back may still be there.
            if low == numbers.count || numbers[low] != number { numbers.insert(number, at: low) }
        }

        /// One of them counts no more, as `waiting` says.
        mutating func forget(_ waiting: [UInt64: Job]) {
            count -= 1
            guard numbers.count > 2 * count + 64 else { return }
            numbers = numbers[head...].filter { isHere($0, waiting) }
            head = 0
        }

        mutating func first(_ waiting: [UInt64: Job]) -> UInt64? {
            while head < numbers.count, !isHere(numbers[head], waiting) { head += 1 }
            return head < numbers.count ? numbers[head] : nil
        }

        mutating func last(_ waiting: [UInt64: Job]) -> UInt64? {
            while head < numbers.count, let last = numbers.last {
                if isHere(last, waiting) { return last }
                numbers.removeLast()
            }
            return nil
        }

        private func isHere(_ number: UInt64, _ waiting: [UInt64: Job]) -> Bool {
            guard let job = waiting[number] else { return false }
            return priority == nil || job.priority == priority
        }
    }
}
