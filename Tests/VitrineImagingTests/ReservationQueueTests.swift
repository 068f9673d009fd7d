import DeterminismSupport
import Testing
import VitrineBase

@testable import VitrineImaging

@Suite struct ReservationQueueTests {
    enum Event {
        case add(Int, bytes: Int, LoadPriority = .normal)
        case remove(Int)
        case reprioritise(Int, LoadPriority)
    }

    struct Row: CustomStringConvertible {
        let description: String
        /// Each event with those who may go then; the budget is 100.
        let steps: [(Event, goes: [Int])]
    }

    static let table: [Row] = [
        Row(
            description: "what fits goes at once",
            steps: [(.add(1, bytes: 60), [1]), (.add(2, bytes: 40), [2]), (.add(3, bytes: 1), [])]),
        Row(
            description: "first come, first served",
            steps: [
                (.add(1, bytes: 100), [1]), (.add(2, bytes: 50), []), (.add(3, bytes: 50), []),
                (.remove(1), [2, 3]),
            ]),
        Row(
            description: "nobody overtakes a large one",
            steps: [
                (.add(1, bytes: 50), [1]), (.add(2, bytes: 80), []), (.add(3, bytes: 10), []),
                (.remove(1), [2, 3]),
            ]),
        Row(
            description: "a higher priority goes first",
            steps: [
                (.add(1, bytes: 100), [1]), (.add(2, bytes: 100, .low), []),
                (.add(3, bytes: 100, .high), []), (.add(4, bytes: 100), []), (.remove(1), [3]),
                (.remove(3), [4]), (.remove(4), [2]),
            ]),
        Row(
            description: "more than the whole budget runs alone",
            steps: [
                (.add(1, bytes: 10), [1]), (.add(2, bytes: .max), []), (.add(3, bytes: 10), []),
                (.remove(1), [2]), (.remove(2), [3]),
            ]),
        Row(
            description: "who gives up makes way",
            steps: [
                (.add(1, bytes: 50), [1]), (.add(2, bytes: 80), []), (.add(3, bytes: 10), []),
                (.remove(2), [3]),
            ]),
        Row(
            description: "a priority may change while it waits",
            steps: [
                (.add(1, bytes: 50), [1]), (.add(2, bytes: 80), []), (.add(3, bytes: 10), []),
                (.reprioritise(3, .high), [3]), (.reprioritise(1, .low), []),
            ]),
        Row(
            description: "no job is free",
            steps: [
                (.add(1, bytes: 0), [1]), (.add(2, bytes: -5), [2]), (.add(3, bytes: 100), []),
                (.remove(1), []), (.remove(2), [3]), (.remove(2), []), (.remove(99), []),
            ]),
    ]

    @Test("D7: reservations, as a table", arguments: table)
    func rows(row: Row) {
        var queue = ReservationQueue<Int>(limit: 100)
        for (event, expected) in row.steps {
            let went =
                switch event {
                case .add(let id, let bytes, let priority):
                    queue.add(id, bytes: bytes, priority: priority)
                case .remove(let id): queue.remove(id)
                case .reprioritise(let id, let priority): queue.reprioritise(id, priority)
                }
            #expect(went == expected, "\(event)")
            #expect(queue.usage <= 100)
        }
    }

    @Test(
        "D7: random events: within the budget, in order, and nobody is forgotten", arguments: 0..<40
    )
    func simulation(seed: Int) {
        struct Job {
            let bytes: Int
            let number: Int
            var priority: LoadPriority
        }
        var random = SeededRandom(seed: UInt64(seed))
        var queue = ReservationQueue<Int>(limit: 1000)
        var waiting: [Int: Job] = [:]
        var running: [Int: Int] = [:]
        for number in 0..<800 {
            let went: [Int]
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let bytes = Int.random(in: -10...(number % 20 == 0 ? 3000 : 400), using: &random)
                let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                waiting[number] = Job(
                    bytes: min(1000, max(1, bytes)), number: number, priority: priority)
                went = queue.add(number, bytes: bytes, priority: priority)
            case 4...6:
                guard let id = running.keys.sorted().randomElement(using: &random) else { continue }
                running[id] = nil
                went = queue.remove(id)
            case 7:
                guard let id = waiting.keys.sorted().randomElement(using: &random) else { continue }
                waiting[id] = nil
                went = queue.remove(id)
            default:
                guard let id = waiting.keys.sorted().randomElement(using: &random) else { continue }
                waiting[id]?.priority = .veryHigh
                went = queue.reprioritise(id, .veryHigh)
            }
            func first() -> Job? {
                waiting.values.min {
                    $0.priority != $1.priority
                        ? $0.priority > $1.priority : $0.number < $1.number
                }
            }
            for id in went {
                #expect(first()?.number == id)
                running[id] = waiting.removeValue(forKey: id)?.bytes
            }
            let usage = running.values.reduce(0, +)
            #expect(usage <= 1000)
            #expect(queue.usage == usage)
            #expect(queue.activeCount == running.count)
            #expect(queue.waitingCount == waiting.count)
            if let next = first() { #expect(usage + next.bytes > 1000) }
        }
    }
}
