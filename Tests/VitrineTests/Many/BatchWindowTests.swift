import DeterminismSupport
import Testing

@testable import Vitrine

@Suite struct BatchWindowTests {
    /// What happens to a window, and what is seen of it.
    enum Step: Sendable {
        case begin
        case finish(Int, wakes: Bool)
        case next(Int?)
        case close
        case state(hasRoom: Bool, isOver: Bool)
    }

    struct Row: CustomStringConvertible, Sendable {
        let description: String
        var limit = 2
        var order = ImageResults.Order.arrival
        let steps: [Step]
    }

    static let table: [Row] = [
        Row(
            description: "an empty list is over at once",
            steps: [
                .state(hasRoom: true, isOver: false), .close, .next(nil),
                .state(hasRoom: false, isOver: true),
            ]),
        Row(
            description: "as they come",
            steps: [
                .begin, .begin, .state(hasRoom: false, isOver: false), .next(nil),
                .finish(1, wakes: true), .state(hasRoom: false, isOver: false), .next(1),
                .state(hasRoom: true, isOver: false), .begin, .finish(2, wakes: true),
                .finish(0, wakes: true), .next(2), .next(0), .next(nil), .close,
                .state(hasRoom: false, isOver: true),
            ]),
        Row(
            description: "in the order of the requests", order: .request,
            steps: [
                .begin, .begin, .finish(1, wakes: false), .next(nil), .finish(0, wakes: true),
                .next(0), .next(1), .begin, .finish(2, wakes: true), .next(2), .next(nil),
            ]),
        Row(
            description: "one that ends twice counts once",
            steps: [
                .begin, .finish(0, wakes: true), .finish(0, wakes: false), .next(0), .next(nil),
                .finish(0, wakes: false), .finish(7, wakes: false), .close,
                .state(hasRoom: false, isOver: true),
            ]),
        Row(
            description: "what is under way is handed out after the close",
            steps: [
                .begin, .close, .state(hasRoom: false, isOver: false), .finish(0, wakes: true),
                .next(0), .state(hasRoom: false, isOver: true),
            ]),
        Row(
            description: "a limit below one counts as one", limit: -5,
            steps: [
                .state(hasRoom: true, isOver: false), .begin,
                .state(hasRoom: false, isOver: false),
            ]),
        Row(
            description: "no limit", limit: .max,
            steps: [
                .begin, .begin, .begin, .finish(0, wakes: true), .next(0),
                .state(hasRoom: true, isOver: false),
            ]),
    ]

    @Test("L5: which run and which come next, as a table", arguments: table)
    func rows(row: Row) {
        var window = BatchWindow<Int>(limit: row.limit, order: row.order)
        for (place, step) in row.steps.enumerated() {
            switch step {
            case .begin: _ = window.begin()
            case .close: window.close()
            case .finish(let number, let wakes):
                let woke = window.finish(number, number)
                #expect(woke == wakes, "step \(place)")
            case .next(let expected):
                #expect(window.hasNext == (expected != nil), "step \(place)")
                let next = window.next()
                #expect(next == expected, "step \(place)")
            case .state(let hasRoom, let isOver):
                #expect(window.hasRoom == hasRoom && window.isOver == isOver, "step \(place)")
            }
        }
    }

    @Test(
        "L5: each is handed out once, and never more than the window is held",
        arguments: [ImageResults.Order.arrival, .request], 1...4 as ClosedRange<UInt64>)
    func simulation(order: ImageResults.Order, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = Int.random(in: 1...6, using: &random)
        var window = BatchWindow<Int>(limit: limit, order: order)
        var underWay: [Int] = []
        var arrived: [Int] = []
        var out: [Int] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where window.hasRoom: underWay.append(window.begin())
            case 1 where !underWay.isEmpty:
                let number = underWay.remove(
                    at: Int.random(in: 0..<underWay.count, using: &random))
                let couldBefore = window.hasNext
                let wakes = window.finish(number, number)
                if !couldBefore { #expect(wakes == window.hasNext) }
                arrived.append(number)
            default:
                if let number = window.next() { out.append(number) }
            }
            #expect(underWay.count + arrived.count - out.count <= limit)
            #expect(window.hasRoom == (underWay.count + arrived.count - out.count < limit))
        }
        window.close()
        for number in underWay { _ = window.finish(number, number) }
        arrived += underWay
        while let number = window.next() { out.append(number) }
        #expect(window.isOver)
        #expect(out == (order == .arrival ? arrived : Array(0..<arrived.count)))
    }
}
