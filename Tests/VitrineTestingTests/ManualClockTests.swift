import FoundationEssentials
import Testing
import VitrineTesting

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
    @Test("L14: moment and date move together, and never back") func moves() {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 1000))
        let start = clock.now
        clock.advance(by: .milliseconds(1500))
        clock.advance(by: .seconds(-5))
        #expect(start.duration(to: clock.now) == .milliseconds(1500))
        #expect(clock.date == Date(timeIntervalSince1970: 1001.5))
    }

    @Test("L14: who sleeps is woken when the time has come, or when it is cancelled")
    func sleepers() async throws {
        let clock = ManualClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await short.value
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        await clock.waitForSleepers(0)
    }

    @Test("L14: a gate lets nobody through before it is open, and all afterwards") func gates()
        async throws
    {
        let gate = Gate()
        let first = Task { try await gate.pass() }
        let second = Task { try await gate.pass() }
        while gate.waiting < 2 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(!gate.isOpen)
        gate.open()
        gate.open()
        try await first.value
        try await gate.pass()
    }
}
