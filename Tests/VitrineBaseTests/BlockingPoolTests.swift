import Glibc
import Testing
import VitrineBase

@Suite struct BlockingPoolTests {
    @Test func returnsWhatTheBodyReturns() async throws {
        let pool = BlockingPool(name: "test", threads: 2)
        #expect(try await pool.run { 6 * 7 } == 42)
    }

    @Test func throwsWhatTheBodyThrows() async {
        struct Broken: Error {}
        let pool = BlockingPool(name: "test", threads: 1)
        await #expect(throws: Broken.self) { try await pool.run { throw Broken() } }
    }

    @Test func neverRunsMoreThanItsThreads() async {
        let pool = BlockingPool(name: "test", threads: 3)
        let running = Lock((now: 0, most: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    try? await pool.run {
                        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        usleep(500)
                        running.withLock { $0.now -= 1 }
                    }
                }
            }
        }
        #expect(running.withLock { $0.most } <= 3)
        #expect(running.withLock { $0.now } == 0)
    }

    @Test func higherPriorityStartsFirst() async throws {
        let pool = BlockingPool(name: "test", threads: 1)
        let gate = Lock(false)
        let order = Lock([LoadPriority]())
        pool.submit { while !gate.withLock({ $0 }) { usleep(100) } }
        for priority in [LoadPriority.low, .veryHigh, .normal, .high, .veryLow] {
            pool.submit(priority: priority) { order.withLock { $0.append(priority) } }
        }
        gate.withLock { $0 = true }
        try await pool.run(priority: .veryLow) {}
        #expect(order.withLock { $0 } == [.veryHigh, .high, .normal, .low, .veryLow])
    }

    @Test("promise 9: work of a low priority is passed over, but not for ever")
    func lowPriorityDoesNotStarve() async throws {
        let pool = BlockingPool(name: "test", threads: 1)
        let gate = Lock(false)
        let order = Lock([Int]())
        pool.submit { while !gate.withLock({ $0 }) { usleep(100) } }
        while pool.waitingCount > 0 { await Task.yield() }
        pool.submit(priority: .veryLow) { order.withLock { $0.append(-1) } }
        for index in 0..<100 {
            pool.submit(priority: .high) { order.withLock { $0.append(index) } }
        }
        gate.withLock { $0 = true }
        while order.withLock({ $0.count }) < 101 { await Task.yield() }
        let place = try #require(order.withLock { $0.firstIndex(of: -1) })
        #expect((1...17).contains(place))
        #expect(order.withLock { $0.filter { $0 >= 0 } } == Array(0..<100))
    }

    @Test("L1: a priority may change while work waits") func reprioritised() async throws {
        let pool = BlockingPool(name: "test", threads: 1)
        let gate = Lock(false)
        let order = Lock([Int]())
        pool.submit { while !gate.withLock({ $0 }) { usleep(100) } }
        while pool.waitingCount > 0 { await Task.yield() }
        let ids = (0..<3).map { index in pool.submit { order.withLock { $0.append(index) } } }
        let priority = WorkPriority(.low)
        let waiting = Task {
            try await pool.run(at: priority) { order.withLock { $0.append(3) } }
        }
        let isLast = Lock(false)
        while pool.waitingCount < 4 { await Task.yield() }
        pool.reprioritise(ids[2], .high)
        pool.reprioritise(ids[0], .low)
        pool.reprioritise(99, .high)
        priority.value = .veryHigh
        pool.submit(priority: .veryLow) { isLast.withLock { $0 = true } }
        gate.withLock { $0 = true }
        try await waiting.value
        while !isLast.withLock({ $0 }) { await Task.yield() }
        #expect(order.withLock { $0 } == [3, 2, 1, 0])
        priority.value = .low
        #expect(try await pool.run(at: priority) { 7 } == 7, "it serves for one after the other")
    }

    @Test("promise 6: what is cancelled while it waits keeps no place and nothing alive")
    func cancelledLeavesTheLine() async throws {
        final class Held: Sendable {}
        let pool = BlockingPool(name: "test", threads: 1)
        let gate = Lock(false)
        pool.submit { while !gate.withLock({ $0 }) { usleep(100) } }
        while pool.waitingCount > 0 { await Task.yield() }
        let task: Task<Void, any Error>
        weak var held: Held?
        do {
            let object = Held()
            held = object
            task = Task { [object] in try await pool.run { _ = object } }
        }
        while pool.waitingCount < 1 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(pool.waitingCount == 0)
        #expect(held == nil)
        gate.withLock { $0 = true }
    }

    @Test func cancellingBeforeTheStartNeverRunsTheBody() async throws {
        let pool = BlockingPool(name: "test", threads: 1)
        let gate = Lock(false)
        let ran = Lock(false)
        pool.submit { while !gate.withLock({ $0 }) { usleep(100) } }
        let task = Task { try await pool.run { ran.withLock { $0 = true } } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.withLock { $0 = true }
        try await pool.run {}
        #expect(ran.withLock { $0 } == false)
    }

    @Test func withdrawnWorkDoesNotRun() async throws {
        let pool = BlockingPool(name: "test", threads: 1)
        let gate = Lock(false)
        let ran = Lock(0)
        pool.submit { while !gate.withLock({ $0 }) { usleep(100) } }
        let id = pool.submit { ran.withLock { $0 += 1 } }
        #expect(pool.withdraw(id))
        #expect(!pool.withdraw(id))
        gate.withLock { $0 = true }
        try await pool.run {}
        #expect(ran.withLock { $0 } == 0)
    }

    @Test func workOutlivesThePool() async {
        await withCheckedContinuation { continuation in
            let pool = BlockingPool(name: "test", threads: 1)
            pool.submit { usleep(2000) }
            pool.submit { continuation.resume() }
        }
    }
}
