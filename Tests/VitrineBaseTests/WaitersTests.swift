import Testing

@testable import VitrineBase

struct WaitersTests {
    private struct State {
        var isOpen = false
        var waiting = Waiters()
    }

    @Test("promise 5: who waits is resumed once, in the order in which they came")
    func order() async {
        let state = Lock(State())
        let order = Lock<[Int]>([])
        await withTaskGroup { group in
            for number in 0..<5 {
                group.addTask {
                    await state.wait(in: \.waiting) { $0.isOpen }
                    order.withLock { $0.append(number) }
                }
                while state.withLock({ $0.waiting.count }) <= number { await Task.yield() }
            }
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting.takeAll()
            }
            #expect(waiting.count == 5)
            for (number, continuation) in waiting.enumerated() {
                continuation.resume()
                while order.withLock({ $0.count }) <= number { await Task.yield() }
            }
        }
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
        // What has come is not waited for.
        await state.wait(in: \.waiting) { $0.isOpen }
        #expect(state.withLock { $0.waiting.takeAll() }.isEmpty)
    }

    @Test("promise 6: a cancelled task stops waiting at once, and alone")
    func cancellation() async {
        let state = Lock(State())
        let other = Task { await state.wait(in: \.waiting) { $0.isOpen } }
        while state.withLock({ $0.waiting.count }) < 1 { await Task.yield() }
        let task = Task { await state.wait(in: \.waiting) { $0.isOpen } }
        while state.withLock({ $0.waiting.count }) < 2 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(state.withLock { $0.waiting.count } == 1)
        // Cancelled beforehand, it does not begin to wait.
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await state.wait(in: \.waiting) { $0.isOpen }
        }
        await late.value
        for continuation in state.withLock({ $0.waiting.takeAll() }) { continuation.resume() }
        await other.value
    }
}
