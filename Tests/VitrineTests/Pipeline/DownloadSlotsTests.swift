import Testing
import VitrineBase

@testable import Vitrine

@Suite struct DownloadSlotsTests {
    @Test("L1: a load that is stopped while it asks for a slot leaves none taken")
    func stoppedWhileAsking() async {
        let slots = DownloadSlots(limit: 2, order: .fifo)
        for round in 0..<15_000 {
            let lease = slots.lease(priority: .normal)
            let hasBegun = Lock(false)
            // As a load does: it gives its slot back at its end, however that comes.
            let load = Task {
                defer { lease.release() }
                hasBegun.withLock { $0 = true }
                try? await lease.acquire()
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            for _ in 0..<round % 50 { _ = hasBegun.withLock { $0 } }
            load.cancel()
            lease.release()
            await load.value
        }
        #expect(slots.counts.active == 0)
        #expect(slots.counts.waiting == 0)
    }

    @Test("L1: a lease that is dropped gives its slot to the next")
    func dropped() async throws {
        let slots = DownloadSlots(limit: 1, order: .fifo)
        var first: DownloadSlots.Lease? = slots.lease(priority: .normal)
        try await first?.acquire()
        let second = slots.lease(priority: .normal)
        let waiting = Task { try await second.acquire() }
        try await eventually("the second waits") { slots.counts.waiting == 1 }
        first = nil
        try await waiting.value
        #expect(slots.counts.active == 1)
        second.release()
        second.release()
        #expect(slots.counts.active == 0)
    }
}
