import Testing
import VitrineBase

@Suite(.timeLimit(.minutes(2))) struct AdmissionGateTests {
    @Test("L1: a job that is stopped while it asks for its turn leaves nothing taken")
    func stoppedWhileAsking() async {
        let gate = AdmissionGate(limit: 2)
        for round in 0..<15_000 {
            let ticket = gate.ticket()
            let hasBegun = Lock(false)
            // As a load does: it gives its place back at its end, however that comes.
            let job = Task {
                defer { ticket.release() }
                hasBegun.withLock { $0 = true }
                try? await ticket.take()
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            for _ in 0..<round % 50 { _ = hasBegun.withLock { $0 } }
            job.cancel()
            ticket.release()
            await job.value
        }
        #expect(gate.counts == (0, 0))
        #expect(gate.usage == 0)
    }

    @Test("L1: a release ends the waiting of another task, however close they are")
    func releasedWhileWaiting() async throws {
        let gate = AdmissionGate(limit: 1)
        let holder = gate.ticket()
        try await holder.take()
        for _ in 0..<5_000 {
            let ticket = gate.ticket()
            let job = Task { try await ticket.take() }
            // In line, and perhaps not waiting yet.
            while gate.counts.waiting < 1 { await Task.yield() }
            ticket.release()
            await #expect(throws: CancellationError.self) { try await job.value }
        }
        #expect(gate.counts == (1, 0))
        holder.release()
    }

    @Test("L1: a ticket that is dropped lets the next one through") func dropped() async throws {
        let gate = AdmissionGate(limit: 1)
        var first: AdmissionGate.Ticket? = gate.ticket()
        try await first?.take()
        let second = gate.ticket()
        let waiting = Task { try await second.take() }
        while gate.counts.waiting < 1 { await Task.yield() }
        first = nil
        try await waiting.value
        #expect(gate.counts == (1, 0))
        second.release()
        second.release()
        #expect(gate.counts == (0, 0))
        await #expect(throws: CancellationError.self) { try await second.take() }
    }

    @Test("L1: those who wait go in the order asked for, and may be raised") func order()
        async throws
    {
        let gate = AdmissionGate(limit: 1, order: .lastInFirstOut)
        let holder = gate.ticket()
        try await holder.take()
        let order = Lock<[Int]>([])
        let tickets = (0..<4).map { _ in gate.ticket(priority: .low) }
        let jobs = tickets.indices.map { index in
            Task {
                while gate.counts.waiting < index { await Task.yield() }
                try await tickets[index].take()
                order.withLock { $0.append(index) }
                tickets[index].release()
            }
        }
        while gate.counts.waiting < 4 { await Task.yield() }
        tickets[1].reprioritise(.high)
        holder.release()
        for job in jobs { try await job.value }
        #expect(order.withLock { $0 } == [1, 3, 2, 0])
    }

    @Test("L13: nobody goes through in a pause, and whoever gives up meanwhile ends at once")
    func pause() async throws {
        let gate = AdmissionGate(limit: 2)
        let through = gate.ticket()
        try await through.take()
        gate.pause()
        #expect(gate.isPaused)
        let tickets = (0..<3).map { _ in gate.ticket() }
        let jobs = tickets.map { ticket in Task { try await ticket.take() } }
        while gate.counts.waiting < 3 { await Task.yield() }
        jobs[0].cancel()
        await #expect(throws: CancellationError.self) { try await jobs[0].value }
        tickets[1].release()
        await #expect(throws: CancellationError.self) { try await jobs[1].value }
        through.release()
        #expect(gate.counts == (0, 1))
        gate.resume()
        try await jobs[2].value
        #expect(gate.counts == (1, 0) && !gate.isPaused)
    }
}
