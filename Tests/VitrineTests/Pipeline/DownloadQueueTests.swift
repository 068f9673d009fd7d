import DeterminismSupport
import Testing
import VitrineBase

@testable import Vitrine

@Suite struct DownloadQueueTests {
    /// Adds 1, 2, 3 … with these priorities to a queue of one slot, and says in which order they
    /// start.
    private func order(
        _ order: ImageLoader.Configuration.DownloadOrder, _ priorities: [LoadPriority]
    ) -> [Int] {
        var queue = DownloadQueue<Int>(limit: 1, order: order)
        var started = queue.add(0, priority: .normal)
        for (index, priority) in priorities.enumerated() {
            started += queue.add(index + 1, priority: priority)
        }
        #expect(started == [0])
        while let last = started.last {
            let next = queue.remove(last)
            guard !next.isEmpty else { break }
            started += next
        }
        return Array(started.dropFirst())
    }

    @Test("L1: first in, first out; or last in, first out") func orders() {
        #expect(order(.fifo, [.normal, .normal, .normal]) == [1, 2, 3])
        #expect(order(.lifo, [.normal, .normal, .normal]) == [3, 2, 1])
    }

    @Test("L1: a higher priority starts first") func priorities() {
        #expect(order(.fifo, [.low, .high, .normal, .high]) == [2, 4, 3, 1])
        #expect(order(.lifo, [.low, .high, .normal, .high]) == [4, 2, 3, 1])
    }

    @Test("L1: never more than the limit run") func limit() {
        var queue = DownloadQueue<Int>(limit: 3, order: .fifo)
        var started: [Int] = []
        for id in 1...10 { started += queue.add(id, priority: .normal) }
        #expect(started == [1, 2, 3])
        #expect(queue.activeCount == 3 && queue.waitingCount == 7)
        let answer1 = queue.remove(2)
        #expect(answer1 == [4])
        let answer2 = queue.remove(9)
        #expect(answer2 == [], "one that waits leaves without freeing a slot")
        let answer3 = queue.remove(99)
        #expect(answer3 == [])
        #expect(queue.activeCount == 3 && queue.waitingCount == 5)
    }

    @Test("L1: the priority of one that waits can change") func reprioritise() {
        var queue = DownloadQueue<Int>(limit: 1, order: .fifo)
        for id in 1...4 { _ = queue.add(id, priority: .normal) }
        queue.reprioritise(4, .high)
        queue.reprioritise(2, .low)
        let answer4 = queue.remove(1)
        #expect(answer4 == [4])
        let answer5 = queue.remove(4)
        #expect(answer5 == [3])
        let answer6 = queue.remove(3)
        #expect(answer6 == [2])
    }

    @Test("L1: the order is that of a list searched from end to end, whatever happens meanwhile")
    func model() {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let order = Bool.random(using: &random)
            var queue = DownloadQueue<Int>(limit: 2, order: order ? .fifo : .lifo)
            var model: [(id: Int, priority: LoadPriority)] = []
            var active: Set<Int> = []
            func startNext() -> [Int] {
                var started: [Int] = []
                while active.count < 2, let best = model.map(\.priority).max() {
                    let among = model.indices.filter { model[$0].priority == best }
                    guard let next = order ? among.first : among.last else { break }
                    let id = model.remove(at: next).id
                    active.insert(id)
                    started.append(id)
                }
                return started
            }
            for id in 0..<600 {
                let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                let other = Int.random(in: 0...id, using: &random)
                let started: [Int]
                let expected: [Int]
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5:
                    started = queue.add(id, priority: priority)
                    model.append((id, priority))
                    expected = startNext()
                case 5..<8:
                    started = queue.remove(other)
                    model.removeAll { $0.id == other }
                    active.remove(other)
                    expected = startNext()
                default:
                    queue.reprioritise(other, priority)
                    if let index = model.firstIndex(where: { $0.id == other }) {
                        model[index].priority = priority
                    }
                    (started, expected) = ([], [])
                }
                #expect(started == expected, "seed \(seed)")
                #expect(queue.waitingCount == model.count && queue.activeCount == active.count)
            }
        }
    }

    @Test("L1: thousands may wait and leave", .timeLimit(.minutes(1))) func many() {
        for order in [ImageLoader.Configuration.DownloadOrder.fifo, .lifo] {
            var queue = DownloadQueue<Int>(limit: 1, order: order)
            let count = 40_000
            for id in 0..<count { _ = queue.add(id, priority: .normal) }
            for id in stride(from: 1, to: count, by: 2) { _ = queue.remove(id) }
            var next = queue.remove(0)
            var last = 0
            while let id = next.first {
                last = id
                next = queue.remove(id)
            }
            #expect(queue.waitingCount == 0 && queue.activeCount == 0)
            #expect(last == (order == .fifo ? count - 2 : 2))
        }
    }

    @Test func aLimitBelowOneCountsAsOne() {
        var queue = DownloadQueue<Int>(limit: 0, order: .fifo)
        let answer7 = queue.add(1, priority: .normal)
        #expect(answer7 == [1])
    }
}
