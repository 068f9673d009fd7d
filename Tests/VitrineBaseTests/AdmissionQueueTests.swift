import DeterminismSupport
import Testing
import VitrineBase

@Suite struct AdmissionQueueTests {
    enum Event {
        case add(Int, cost: Int = 1, LoadPriority = .normal)
        case remove(Int)
        case reprioritise(Int, LoadPriority)
        case pause
        case resume

        func happen(to queue: inout AdmissionQueue<Int>) -> [Int] {
            switch self {
            case .add(let id, let cost, let priority):
                return queue.add(id, cost: cost, priority: priority)
            case .remove(let id): return queue.remove(id)
            case .reprioritise(let id, let priority): return queue.reprioritise(id, priority)
            case .pause:
                queue.pause()
                return []
            case .resume: return queue.resume()
            }
        }
    }

    struct Row: CustomStringConvertible {
        let description: String
        var limit = 100
        var order = AdmissionOrder.firstInFirstOut
        /// Each event with those who may go then.
        let steps: [(Event, goes: [Int])]
    }

    static let table: [Row] = [
        Row(
            description: "what fits goes at once",
            steps: [(.add(1, cost: 60), [1]), (.add(2, cost: 40), [2]), (.add(3, cost: 1), [])]),
        Row(
            description: "first come, first served",
            steps: [
                (.add(1, cost: 100), [1]), (.add(2, cost: 50), []), (.add(3, cost: 50), []),
                (.remove(1), [2, 3]),
            ]),
        Row(
            description: "last come, first served", limit: 1, order: .lastInFirstOut,
            steps: [
                (.add(1), [1]), (.add(2), []), (.add(3), []), (.add(4, .low), []),
                (.remove(1), [3]),
                (.add(5), []), (.remove(3), [5]), (.remove(5), [2]), (.remove(2), [4]),
            ]),
        Row(
            description: "nobody overtakes a costly one",
            steps: [
                (.add(1, cost: 50), [1]), (.add(2, cost: 80), []), (.add(3, cost: 10), []),
                (.remove(1), [2, 3]),
            ]),
        Row(
            description: "a higher priority goes first",
            steps: [
                (.add(1, cost: 100), [1]), (.add(2, cost: 100, .low), []),
                (.add(3, cost: 100, .high), []), (.add(4, cost: 100), []), (.remove(1), [3]),
                (.remove(3), [4]), (.remove(4), [2]),
            ]),
        Row(
            description: "more than the limit runs alone",
            steps: [
                (.add(1, cost: 10), [1]), (.add(2, cost: .max), []), (.add(3, cost: 10), []),
                (.remove(1), [2]), (.remove(2), [3]),
            ]),
        Row(
            description: "who gives up makes way",
            steps: [
                (.add(1, cost: 50), [1]), (.add(2, cost: 80), []), (.add(3, cost: 10), []),
                (.remove(2), [3]),
            ]),
        Row(
            description: "a priority may change while it waits",
            steps: [
                (.add(1, cost: 50), [1]), (.add(2, cost: 80), []), (.add(3, cost: 10), []),
                (.reprioritise(3, .high), [3]), (.reprioritise(1, .low), []),
                (.reprioritise(2, .low), []), (.add(4, cost: 80), []),
                (.reprioritise(2, .normal), []), (.remove(1), [2]), (.remove(3), []),
                (.remove(2), [4]),
            ]),
        Row(
            description: "nobody goes in a pause, and all who can go after it",
            steps: [
                (.add(1, cost: 60), [1]), (.pause, []), (.add(2, cost: 40), []), (.remove(1), []),
                (.add(3, cost: 60, .high), []), (.pause, []), (.remove(9), []),
                (.resume, [3, 2]), (.resume, []),
            ]),
        Row(
            description: "who gives up in a pause leaves nothing taken", limit: 1,
            steps: [
                (.pause, []), (.add(1), []), (.add(2), []), (.remove(1), []),
                (.reprioritise(2, .high), []), (.resume, [2]), (.remove(2), []), (.add(3), [3]),
            ]),
        Row(
            description: "no job is free",
            steps: [
                (.add(1, cost: 0), [1]), (.add(2, cost: -5), [2]), (.add(3, cost: 100), []),
                (.remove(1), []), (.remove(2), [3]), (.remove(2), []), (.remove(99), []),
            ]),
        Row(
            description: "a limit below one counts as one", limit: -3,
            steps: [(.add(1), [1]), (.add(2), []), (.remove(1), [2])]),
    ]

    @Test("L1, L13, D7: who may go, as a table", arguments: table)
    func rows(row: Row) {
        var queue = AdmissionQueue<Int>(limit: row.limit, order: row.order)
        for (event, expected) in row.steps {
            let went = event.happen(to: &queue)
            #expect(went == expected, "\(event)")
            #expect(queue.usage <= max(1, row.limit))
        }
    }

    @Test(
        "promise 9: nobody starves behind higher priorities or newer jobs",
        arguments: [AdmissionOrder.firstInFirstOut, .lastInFirstOut])
    func ageing(order: AdmissionOrder) {
        var queue = AdmissionQueue<Int>(limit: 10, order: order)
        _ = queue.add(0, cost: 5, priority: .normal)
        for old in [-1, -2] { _ = queue.add(old, cost: 10, priority: .veryLow) }  // costly, too
        var running: Set<Int> = [0]
        var turns: [Int: Int] = [:]
        for id in 1...100 {
            var went = queue.add(id, cost: 5, priority: .high)
            running.formUnion(went)
            for old in went where old < 0 { turns[old] = id }
            guard let first = running.min() else { break }
            running.remove(first)
            went = queue.remove(first)
            for old in went where old < 0 { turns[old] = id }
            running.formUnion(went)
        }
        let patience = AdmissionQueue<Int>.patience
        #expect(turns[-1] ?? .max > patience / 2 && turns[-1] ?? .max <= patience + 2)
        #expect(turns[-2] ?? .max <= 2 * patience + 5)
    }

    /// The same rules over a plain list, without any haste.
    private struct Model {
        struct Job {
            let id: Int
            let cost: Int
            var priority: LoadPriority
        }
        let limit: Int
        let order: AdmissionOrder
        var waiting: [Job] = []
        var running: [Int: Int] = [:]
        var passedOver = 0
        var isPaused = false

        var usage: Int { running.values.reduce(0, +) }

        /// The index of the one that goes next.
        var next: Int? {
            if passedOver >= AdmissionQueue<Int>.patience, !waiting.isEmpty { return 0 }
            guard let best = waiting.map(\.priority).max() else { return nil }
            return order == .firstInFirstOut
                ? waiting.firstIndex { $0.priority == best }
                : waiting.lastIndex { $0.priority == best }
        }

        mutating func leave(_ index: Int) -> Job {
            if index == 0 { passedOver = 0 }
            return waiting.remove(at: index)
        }

        mutating func admit() -> [Int] {
            var went: [Int] = []
            while !isPaused, let next, usage + waiting[next].cost <= limit {
                passedOver += 1
                let job = leave(next)
                running[job.id] = job.cost
                went.append(job.id)
            }
            return went
        }
    }

    @Test("L1, L13, D7: random events go as in a list searched from end to end", arguments: 0..<40)
    func simulation(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let order = seed % 2 == 0 ? AdmissionOrder.firstInFirstOut : .lastInFirstOut
        let limit = seed % 4 < 2 ? 3 : 1000
        var queue = AdmissionQueue<Int>(limit: limit, order: order)
        var model = Model(limit: limit, order: order)
        for number in 0..<1500 {
            // Now more come, now more leave.
            let isRising = number / 250 % 2 == 0
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            let event: Event
            switch Int.random(in: 0..<11, using: &random) {
            case 10:
                model.isPaused = Bool.random(using: &random)
                event = model.isPaused ? .pause : .resume
            case 0..<(isRising ? 6 : 2):
                let cost = limit == 3 ? 1 : Int.random(in: -10...400, using: &random)
                event = .add(number, cost: number % 20 == 0 ? 3000 : cost, priority)
                let bounded = number % 20 == 0 ? limit : max(1, cost)
                model.waiting.append(.init(id: number, cost: bounded, priority: priority))
            case 6..<8:
                guard let index = model.waiting.indices.randomElement(using: &random) else {
                    continue
                }
                event = .reprioritise(model.waiting[index].id, priority)
                model.waiting[index].priority = priority
            case 8:
                guard let index = model.waiting.indices.randomElement(using: &random) else {
                    continue
                }
                event = .remove(model.leave(index).id)
            default:
                let id = model.running.keys.sorted().randomElement(using: &random) ?? -1
                event = .remove(id)
                model.running[id] = nil
            }
            let went = event.happen(to: &queue)
            #expect(went == model.admit(), "\(event), step \(number)")
            #expect(queue.usage == model.usage && queue.usage <= limit)
            #expect(queue.activeCount == model.running.count)
            #expect(queue.waitingCount == model.waiting.count)
            for job in model.waiting.prefix(3) { #expect(queue.isWaiting(job.id)) }
        }
    }

    @Test(
        "L1: thousands may wait, leave and change their priority", .timeLimit(.minutes(1)),
        arguments: [AdmissionOrder.firstInFirstOut, .lastInFirstOut])
    func many(order: AdmissionOrder) {
        var queue = AdmissionQueue<Int>(limit: 1, order: order)
        let count = 40_000
        for id in 0..<count { _ = queue.add(id, priority: .normal) }
        for id in stride(from: 1, to: count, by: 2) { _ = queue.remove(id) }
        for id in stride(from: 0, to: count, by: 4) { _ = queue.reprioritise(id, .high) }
        var seen: Set<Int> = [0]
        var next = queue.remove(0)
        while let id = next.first {
            seen.insert(id)
            next = queue.remove(id)
        }
        #expect(seen.count == count / 2)
        #expect(queue.waitingCount == 0 && queue.activeCount == 0)
    }
}
