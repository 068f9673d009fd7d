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
/// A job may be on a lane, of which there is one for each host for example. At most ``laneLimit`` of
/// a lane run at once. While a lane is full, its jobs stand aside, and those of other lanes go before
/// them; among themselves they keep the rules above, so that nobody starves on a lane either.
///
/// Where there is a bucket, each job takes a token from it when it goes, and all wait where there is
/// none; ``nextStart`` then says until when.
///
/// Adding, leaving and going take constant time on average, so that many thousands may wait, on many
/// thousand lanes; a change of priority takes time in proportion to those that wait at the new one.
package struct AdmissionQueue<ID: Hashable> {
    private struct Job {
        let id: ID
        let cost: Int
        let lane: String?
    }

    private struct Lane {
        var active = 0
        var waiting: WaitingLine
        /// Who stands for the lane among the lanes, if it has room: the next of it.
        var front: UInt64?
        /// The one that has waited longest, under the same condition.
        var oldest: UInt64?
    }

    /// How many may go before the one that has waited longest.
    package static var patience: Int { WaitingLine.patience }

    /// The most that all who run cost together; at least 1.
    package let limit: Int
    /// How many of one lane may run at once; nil for as many as the limit allows.
    package let laneLimit: Int?
    /// What those who run cost together; never more than the limit.
    package private(set) var usage = 0
    /// When somebody may go who waits for nothing but a token; nil if nobody does.
    package private(set) var nextStart: UInt64?
    private let order: AdmissionOrder
    private var bucket: TokenBucket?
    private var active: [ID: (cost: Int, lane: String?)] = [:]
    /// Who waits, by numbers in the order in which they came.
    private var waiting: [UInt64: Job] = [:]
    private var numbers: [ID: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    private var lanes: [String?: Lane] = [:]
    /// Those who stand for their lanes.
    private var fronts: WaitingLine
    /// Those who have waited longest on their lanes.
    private var elders = NumberLine()
    /// How many have gone before the first of the elders.
    private var passedOver = 0
    /// Whether nobody goes for now, however much room there is.
    package private(set) var isPaused = false

    package init(
        limit: Int, order: AdmissionOrder = .firstInFirstOut, laneLimit: Int? = nil,
        bucket: TokenBucket? = nil
    ) {
        self.limit = max(1, limit)
        self.laneLimit = laneLimit.map { max(1, $0) }
        self.order = order
        self.bucket = bucket
        fronts = WaitingLine(order: order)
    }

    package var activeCount: Int { active.count }
    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ id: ID) -> Bool { numbers[id] != nil }

    /// How many of a lane run.
    package func activeCount(on lane: String?) -> Int { lanes[lane]?.active ?? 0 }

    /// A job wants to go; it costs at least 1. Returns who may go now, at that time in nanoseconds,
    /// which counts only where there is a bucket.
    package mutating func add(
        _ id: ID, cost: Int = 1, priority: LoadPriority, lane: String? = nil, at now: UInt64 = 0
    ) -> [ID] {
        // Without a limit for each, one lane will do.
        let lane = laneLimit == nil ? nil : lane
        lastNumber += 1
        waiting[lastNumber] = Job(id: id, cost: min(max(1, cost), limit), lane: lane)
        numbers[id] = lastNumber
        lanes[lane, default: Lane(waiting: WaitingLine(order: order))]
            .waiting.insert(lastNumber, priority)
        update(lane)
        return admit(now)
    }

    /// A job has ended or was given up, whether it had gone or not. Returns who may go now.
    package mutating func remove(_ id: ID, at now: UInt64 = 0) -> [ID] {
        if let job = active.removeValue(forKey: id) {
            usage -= job.cost
            lanes[job.lane]?.active -= 1
            update(job.lane)
        }
        if let number = numbers.removeValue(forKey: id),
            let job = waiting.removeValue(forKey: number)
        {
            lanes[job.lane]?.waiting.remove(number)
            update(job.lane)
        }
        return admit(now)
    }

    /// Changes the place of a job that waits; one that runs goes on. Returns who may go now.
    package mutating func reprioritise(
        _ id: ID, _ priority: LoadPriority, at now: UInt64 = 0
    ) -> [ID] {
        guard let number = numbers[id], let job = waiting[number],
            lanes[job.lane]?.waiting.reprioritise(number, priority) == true
        else { return [] }
        update(job.lane)
        return admit(now)
    }

    /// Time has passed. Returns who may go now.
    package mutating func tick(at now: UInt64) -> [ID] { admit(now) }

    /// Nobody goes until ``resume(at:)``; those who run go on.
    package mutating func pause() {
        isPaused = true
        nextStart = nil
    }

    /// Ends a pause. Returns who may go now.
    package mutating func resume(at now: UInt64 = 0) -> [ID] {
        isPaused = false
        return admit(now)
    }

    private mutating func admit(_ now: UInt64) -> [ID] {
        var admitted: [ID] = []
        nextStart = nil
        while !isPaused, usage < limit, let number = next, let job = waiting[number],
            job.cost <= limit - usage
        {
            if bucket?.take(at: now) == false {
                nextStart = bucket?.nextToken(after: now)
                break
            }
            go(number, job)
            admitted.append(job.id)
        }
        return admitted
    }

    /// Who goes as soon as there is room.
    private var next: UInt64? {
        mutating get { passedOver >= Self.patience ? elders.first : fronts.best }
    }

    private mutating func go(_ number: UInt64, _ job: Job) {
        if number == elders.first { passedOver = 0 } else { passedOver += 1 }
        waiting[number] = nil
        numbers[job.id] = nil
        active[job.id] = (job.cost, job.lane)
        usage += job.cost
        lanes[job.lane]?.active += 1
        lanes[job.lane]?.waiting.take(number)
        update(job.lane)
    }

    /// Has the right ones stand for a lane on which something has changed.
    private mutating func update(_ key: String?) {
        guard var lane = lanes.removeValue(forKey: key) else { return }
        let isOpen = key == nil || lane.active < laneLimit ?? .max
        let front = isOpen ? lane.waiting.next : nil
        let priority = front.flatMap { lane.waiting.priority(of: $0) }
        if front != lane.front {
            if let old = lane.front { fronts.remove(old) }
            if let front, let priority { fronts.insert(front, priority) }
            lane.front = front
        } else if let front, let priority {
            fronts.reprioritise(front, priority)
        }
        let oldest = isOpen ? lane.waiting.oldest : nil
        if oldest != lane.oldest {
            if let old = lane.oldest {
                if old == elders.first { passedOver = 0 }
                elders.remove(old)
            }
            if let oldest { elders.insert(oldest) }
            lane.oldest = oldest
        }
        // What is neither running nor waiting is forgotten, or a long life would gather hosts.
        if lane.active > 0 || !lane.waiting.isEmpty { lanes[key] = lane }
    }
}
