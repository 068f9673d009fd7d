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
