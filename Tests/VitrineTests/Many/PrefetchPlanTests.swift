import DeterminismSupport
import Testing

@testable import Vitrine

@Suite struct PrefetchPlanTests {
    typealias Plan = PrefetchPlan<String, Int>

    enum Event: Sendable {
        case add(String)
        case remove(String)
        case removeAll
        case ended(UInt64, failed: Bool = false)
        case pause
        case resume

        func happen(to plan: inout Plan) -> [Plan.Action] {
            switch self {
            case .add(let key): return plan.add(key, 0)
            case .remove(let key): return plan.remove(key)
            case .removeAll: return plan.removeAll()
            case .ended(let number, let failed): return plan.ended(number, failed: failed)
            case .pause:
                plan.pause()
                return []
            case .resume: return plan.resume()
            }
        }
    }

    struct Row: CustomStringConvertible, Sendable {
        let description: String
        var limit = 1
        /// Each event with the runs that start (`+1`) or stop (`-1`).
        let steps: [(Event, [String])]
    }

    static let table: [Row] = [
        Row(
            description: "so many at once, first come, first served", limit: 2,
            steps: [
                (.add("a"), ["+1"]), (.add("b"), ["+2"]), (.add("c"), []), (.add("d"), []),
                (.ended(2), ["+3"]), (.ended(1, failed: true), ["+4"]),
            ]),
        Row(
            description: "asking twice is asking once, while it waits or runs",
            steps: [
                (.add("a"), ["+1"]), (.add("a"), []), (.add("b"), []), (.add("b"), []),
                (.ended(1), ["+2"]), (.ended(2), []), (.add("a"), ["+3"]),
            ]),
        Row(
            description: "what is stopped makes way",
            steps: [
                (.add("a"), ["+1"]), (.add("b"), []), (.add("c"), []), (.remove("b"), []),
                (.remove("x"), []), (.remove("a"), ["-1", "+3"]), (.ended(1), []),
                (.remove("a"), []),
            ]),
        Row(
            description: "stopping all starts nothing in its place", limit: 2,
            steps: [
                (.add("a"), ["+1"]), (.add("b"), ["+2"]), (.add("c"), []), (.add("d"), []),
                (.removeAll, ["-2", "-1"]), (.ended(1), []), (.add("c"), ["+5"]),
            ]),
        Row(
            description: "an old run's end is not taken for the new one's",
            steps: [
                (.add("a"), ["+1"]), (.remove("a"), ["-1"]), (.add("a"), ["+2"]), (.ended(1), []),
                (.add("b"), []), (.ended(2), ["+3"]),
            ]),
        Row(
            description: "a pause starts nothing", limit: 2,
            steps: [
                (.add("a"), ["+1"]), (.pause, []), (.add("b"), []), (.add("c"), []),
                (.ended(1), []), (.remove("b"), []), (.resume, ["+3"]), (.resume, []),
            ]),
        Row(
            description: "what is stopped in a pause is forgotten",
            steps: [
                (.pause, []), (.add("a"), []), (.add("b"), []), (.removeAll, []), (.resume, []),
                (.add("a"), ["+3"]),
            ]),
    ]

    @Test("L6: what starts and stops, as a table", arguments: table)
    func rows(row: Row) {
        var plan = Plan(limit: row.limit)
        for (event, expected) in row.steps {
            let actions = event.happen(to: &plan).map(text)
            #expect(actions == expected, "\(event)")
        }
    }

    private func text(_ action: Plan.Action) -> String {
        switch action {
        case .start(let number, _): "+\(number)"
        case .stop(let number): "-\(number)"
        }
    }

    @Test(
        "L6, promise 5: each run ends once, the bound holds, and nothing is left",
        arguments: 1...5 as ClosedRange<UInt64>)
    func simulation(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = Int.random(in: 1...4, using: &random)
        var plan = Plan(limit: limit)
        var running: Set<UInt64> = []
        var counted = 0
        func perform(_ actions: [Plan.Action]) {
            for action in actions {
                switch action {
                case .start(let number, _): #expect(running.insert(number).inserted)
                case .stop(let number): #expect(running.remove(number) != nil)
                }
            }
        }
        for _ in 0..<6000 {
            let key = String(Int.random(in: 0..<12, using: &random))
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5: perform(plan.add(key, 0))
            case 5, 6: perform(plan.remove(key))
            case 7: plan.pause()
            case 8: perform(plan.resume())
            case 9 where Bool.random(using: &random): perform(plan.removeAll())
            default:
                guard let number = running.sorted().randomElement(using: &random) else { continue }
                running.remove(number)
                counted += 1
                perform(plan.ended(number, failed: Bool.random(using: &random)))
            }
            #expect(plan.active == running.count && running.count <= limit)
            #expect(plan.finished + plan.failed == counted)
            #expect(plan.isEmpty == (plan.active + plan.waiting == 0))
            for number in running { #expect(plan.isActive(number)) }
            if !plan.isPaused, plan.waiting > 0 { #expect(running.count == limit) }
        }
        perform(plan.removeAll())
        #expect(plan.isEmpty && running.isEmpty)
    }
}
