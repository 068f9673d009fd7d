import DeterminismSupport
import Testing
import VitrineBase

/// The queue where jobs are on lanes, as downloads are on those of their hosts.
@Suite struct AdmissionLaneTests {
    @Test("L13: a lane that is full makes way for the others")
    func fullLane() {
        var queue = AdmissionQueue<Int>(limit: 4, laneLimit: 2)
        var went = (1...4).flatMap { queue.add($0, priority: .high, lane: "a") }
        #expect(went == [1, 2])
        went = queue.add(5, priority: .low, lane: "b") + queue.add(6, priority: .low, lane: "b")
        #expect(went == [5, 6])
        went = queue.add(7, priority: .low, lane: "b")
        #expect(went == [])
        went = queue.remove(5)
        #expect(went == [7], "lane a has room for nobody")
        went = queue.remove(1) + queue.remove(2)
        #expect(went == [3, 4])
        #expect(queue.activeCount(on: "a") == 2 && queue.activeCount(on: "b") == 2)
    }

    @Test("L13: without a limit for each, lanes count for nothing, and a limit below 1 is 1")
    func noLanes() {
        var free = AdmissionQueue<Int>(limit: 9)
        var went = (1...9).flatMap { free.add($0, priority: .normal, lane: "a") }
        #expect(went.count == 9)
        var narrow = AdmissionQueue<Int>(limit: 9, laneLimit: -3)
        went = (1...9).flatMap { narrow.add($0, priority: .normal, lane: "a") }
        #expect(went == [1])
        went = (11...13).flatMap { narrow.add($0, priority: .normal, lane: nil) }
        #expect(went == [11, 12, 13], "what is on no lane is bounded by all together only")
    }

    @Test("L13: what is raised goes before the others of its lane")
    func raised() {
        var queue = AdmissionQueue<Int>(limit: 8, laneLimit: 1)
        var went = (1...4).flatMap { queue.add($0, priority: .normal, lane: "a") }
        #expect(went == [1])
        went = queue.reprioritise(4, .high) + queue.reprioritise(2, .low)
        #expect(went == [])
        for expected in [4, 3, 2] {
            went = queue.remove(queue.isWaiting(4) ? 1 : expected == 3 ? 4 : 3)
            #expect(went == [expected])
        }
    }

    @Test(
        "promise 9, L13: nobody starves on a lane that is always full",
        arguments: [AdmissionOrder.firstInFirstOut, .lastInFirstOut])
    func ageing(order: AdmissionOrder) {
        var queue = AdmissionQueue<Int>(limit: 3, order: order, laneLimit: 1)
        _ = queue.add(0, priority: .veryHigh, lane: "a")
        _ = queue.add(1000, priority: .veryHigh, lane: "b")
        _ = queue.add(-1, priority: .veryLow, lane: "a")
        _ = queue.add(-2, priority: .veryLow, lane: "b")
        var turns: [Int: Int] = [:]
        var running = [0, 1000]
        for turn in 1...100 {
            // Each lane has always somebody who is wanted sooner.
            let went =
                queue.add(turn, priority: .veryHigh, lane: "a")
                + queue.add(1000 + turn, priority: .veryHigh, lane: "b")
                + queue.remove(running.removeFirst())
            for id in went where id < 0 { turns[id] = turn }
            running += went
        }
        let patience = AdmissionQueue<Int>.patience
        #expect(turns[-1] ?? .max <= 2 * patience + 4)
        #expect(turns[-2] ?? .max <= 2 * patience + 4)
        #expect(turns[-1] ?? 0 > patience / 2)
    }

    @Test("L13: a pause sets no alarm, and its end keeps to the tokens")
    func pausedTokens() {
        var queue = AdmissionQueue<Int>(
            limit: 100, bucket: TokenBucket(perSecond: 1000, burst: 1))
        var went = (1...3).flatMap { queue.add($0, priority: .normal, at: 0) }
        #expect(went == [1] && queue.nextStart == 1_000_000)
        queue.pause()
        #expect(queue.nextStart == nil)
        went = queue.tick(at: 5_000_000)
        #expect(went == [] && queue.nextStart == nil)
        went = queue.resume(at: 6_000_000)
        #expect(went == [2] && queue.nextStart == 7_000_000)
    }

    @Test("L13: no token, no start; and then by priority")
    func tokens() {
        var queue = AdmissionQueue<Int>(
            limit: 100, bucket: TokenBucket(perSecond: 1000, burst: 2))
        var went = (1...5).flatMap { queue.add($0, priority: .low, at: 7) }
        #expect(went == [1, 2])
        #expect(queue.nextStart == 1_000_007)
        went = queue.add(6, priority: .high, at: 8) + queue.tick(at: 500_000)
        #expect(went == [])
        went = queue.tick(at: 1_000_007)
        #expect(went == [6], "whoever came meanwhile and is wanted sooner goes first")
        went = queue.tick(at: 1_999_999)
        #expect(went == [] && queue.nextStart == 2_000_007)
        _ = [3, 4, 5].map { queue.remove($0, at: 2_000_000) }
        #expect(queue.nextStart == nil, "nobody waits any more")
    }

    /// The same rules over plain lists, without any haste.
    private struct Model {
        struct Job {
            let id: Int
            var priority: LoadPriority
            let lane: String?
        }
        let limit: Int
        let laneLimit: Int
        let order: AdmissionOrder
        var waiting: [Job] = []
        var running: [Int: String?] = [:]
        var passedOver = 0
        var passedOverOnLane: [String?: Int] = [:]

        func active(_ lane: String?) -> Int { running.values.filter { $0 == lane }.count }
        func isOpen(_ lane: String?) -> Bool { lane == nil || active(lane) < laneLimit }
        /// Who has waited longest where there is room.
        var elder: Int? { waiting.first { isOpen($0.lane) }?.id }

        func best(_ jobs: [Job]) -> Job? {
            guard let priority = jobs.map(\.priority).max() else { return nil }
            return order == .firstInFirstOut
                ? jobs.first { $0.priority == priority } : jobs.last { $0.priority == priority }
        }

        func next(on lane: String?) -> Job? {
            let jobs = waiting.filter { $0.lane == lane }
            return passedOverOnLane[lane, default: 0] >= AdmissionQueue<Int>.patience
                ? jobs.first : best(jobs)
        }

        var next: Int? {
            if passedOver >= AdmissionQueue<Int>.patience { return elder }
            let lanes = Set(waiting.map(\.lane)).filter { isOpen($0) }
            let fronts = lanes.compactMap { next(on: $0)?.id }
            return best(waiting.filter { fronts.contains($0.id) })?.id
        }

        /// Does something, and forgets how many went before one who is the eldest no more.
        mutating func change(_ id: Int?, _ change: (inout Model) -> Void) {
            let before = elder
            change(&self)
            guard let before, before != elder else { return }
            // An older one whose lane has room again inherits it.
            let isStillThere = waiting.contains { $0.id == before && isOpen($0.lane) }
            if !isStillThere { passedOver = 0 }
        }

        mutating func leave(_ id: Int) {
            guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
            let lane = waiting[index].lane
            if waiting.first(where: { $0.lane == lane })?.id == id { passedOverOnLane[lane] = 0 }
            waiting.remove(at: index)
            forget(lane)
        }

        mutating func forget(_ lane: String?) {
            if active(lane) == 0, !waiting.contains(where: { $0.lane == lane }) {
                passedOverOnLane[lane] = nil
            }
        }

        mutating func admit() -> [Int] {
            var went: [Int] = []
            while running.count < limit, let id = next,
                let job = waiting.first(where: { $0.id == id })
            {
                passedOver += 1
                passedOverOnLane[job.lane, default: 0] += 1
                let wasElder = id == elder
                change(id) {
                    $0.running[id] = job.lane
                    $0.leave(id)
                }
                if wasElder { passedOver = 0 }
                went.append(id)
            }
            return went
        }
    }

    @Test("L1, L13, promise 9: 24,000 random events go as in plain lists", arguments: 0..<12)
    func simulation(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let order = seed % 2 == 0 ? AdmissionOrder.firstInFirstOut : .lastInFirstOut
        let (limit, laneLimit) = [(4, 1), (6, 2), (2, 2)][seed % 3]
        let lanes: [String?] = [nil, "a", "b", "c"]
        var queue = AdmissionQueue<Int>(limit: limit, order: order, laneLimit: laneLimit)
        var model = Model(limit: limit, laneLimit: laneLimit, order: order)
        for number in 0..<2000 {
            let isRising = number / 100 % 2 == 0
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            let went: [Int]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<(isRising ? 5 : 2):
                // Mostly one lane, so that it is full.
                let lane = Bool.random(using: &random) ? "a" : lanes.randomElement(using: &random)
                let place = lane ?? nil
                model.change(nil) {
                    $0.waiting.append(.init(id: number, priority: priority, lane: place))
                }
                went = queue.add(number, priority: priority, lane: place)
            case 5:
                guard let index = model.waiting.indices.randomElement(using: &random) else {
                    continue
                }
                model.waiting[index].priority = priority
                went = queue.reprioritise(model.waiting[index].id, priority)
            case 6:
                guard let id = model.waiting.randomElement(using: &random)?.id else { continue }
                model.change(nil) { $0.leave(id) }
                went = queue.remove(id)
            default:
                guard let id = model.running.keys.sorted().randomElement(using: &random) else {
                    continue
                }
                model.change(nil) {
                    let lane = $0.running.removeValue(forKey: id) ?? nil
                    $0.forget(lane)
                }
                went = queue.remove(id)
            }
            #expect(went == model.admit(), "step \(number)")
            #expect(queue.activeCount == model.running.count && queue.usage <= limit)
            #expect(queue.waitingCount == model.waiting.count)
            for lane in lanes {
                #expect(queue.activeCount(on: lane) == model.active(lane))
                #expect(lane == nil || queue.activeCount(on: lane) <= laneLimit)
            }
            if went.isEmpty, queue.usage < limit {
                #expect(!model.waiting.contains { model.isOpen($0.lane) }, "somebody could go")
            }
        }
        for job in model.waiting { _ = queue.remove(job.id) }
        while let id = model.running.keys.first {
            model.running[id] = nil
            _ = queue.remove(id)
        }
        #expect(queue.activeCount == 0 && queue.waitingCount == 0 && queue.usage == 0)
    }

    @Test("L13: thousands of lanes cost no more than one", .timeLimit(.minutes(1)))
    func manyLanes() {
        var queue = AdmissionQueue<Int>(limit: 4, laneLimit: 1)
        var went: [Int] = []
        for id in 0..<20_000 { went += queue.add(id, priority: .normal, lane: "\(id / 2)") }
        var count = 0
        while let id = went.popLast() {
            count += 1
            went += queue.remove(id)
        }
        #expect(count == 20_000)
    }
}
