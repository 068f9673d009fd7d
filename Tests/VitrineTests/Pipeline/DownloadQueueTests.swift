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

    @Test func aLimitBelowOneCountsAsOne() {
        var queue = DownloadQueue<Int>(limit: 0, order: .fifo)
        let answer7 = queue.add(1, priority: .normal)
        #expect(answer7 == [1])
    }
}
