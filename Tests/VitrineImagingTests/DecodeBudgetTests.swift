import FoundationEssentials
import PixelSupport
import Testing
import VitrineBase
import VitrineImaging

@Suite(.timeLimit(.minutes(2))) struct DecodeBudgetTests {
    @Test("D7: jobs that run at once stay within the budget") func bound() async throws {
        let budget = DecodeBudget(maximumBytes: 1000)
        let most = Lock(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for job in 0..<200 {
                group.addTask {
                    let reservation = budget.reservation(
                        priority: job % 3 == 0 ? .high : .normal)
                    try await reservation.take(job % 50 == 0 ? 5000 : 100 + job)
                    most.withLock { $0 = max($0, budget.usage) }
                    #expect(budget.usage <= 1000)
                    if job % 50 == 0 { #expect(budget.counts.active == 1) }
                    await Task.yield()
                    reservation.release()
                }
            }
            try await group.waitForAll()
        }
        #expect(most.withLock { $0 } > 300)
        #expect(budget.usage == 0)
        #expect(budget.counts == (0, 0))
    }

    @Test("D7: waiting can be cancelled, and holds up nobody then") func cancel() async throws {
        let budget = DecodeBudget(maximumBytes: 100)
        let first = budget.reservation()
        try await first.take(60)
        let second = Task {
            let reservation = budget.reservation()
            try await reservation.take(90)
        }
        while budget.counts.waiting < 1 { await Task.yield() }
        let third = Task {
            let reservation = budget.reservation()
            try await reservation.take(30)
            return budget.usage
        }
        while budget.counts.waiting < 2 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try await third.value == 90)
        first.release()
        first.release()
        #expect(budget.usage == 0)
    }

    @Test("D7: a reservation that nobody holds is given back") func dropped() async throws {
        let budget = DecodeBudget(maximumBytes: 100)
        try await budget.reservation().take(80)
        #expect(budget.usage == 0)
        let over = budget.reservation()
        over.release()
        await #expect(throws: CancellationError.self) { try await over.take(5) }
        let twice = budget.reservation()
        try await twice.take(60)
        try await twice.take(60)
        #expect(budget.usage == 60)
        #expect(DecodeBudget(maximumBytes: -4).maximumBytes == 1)
        #expect(DecodeBudget.shared.maximumBytes == 536_870_912)
    }

    @Test("D7: a release ends the waiting of another task") func releasedWhileWaiting() async throws
    {
        let budget = DecodeBudget(maximumBytes: 100)
        let holder = budget.reservation()
        try await holder.take(100)
        let reservation = budget.reservation()
        let waiting = Task { try await reservation.take(10) }
        while budget.counts.waiting < 1 { await Task.yield() }
        reservation.release()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(budget.counts == (1, 0))
        holder.release()
        #expect(budget.usage == 0)
    }

    @Test("D7: priority may change while a job waits") func reprioritise() async throws {
        let budget = DecodeBudget(maximumBytes: 100)
        let holder = budget.reservation()
        try await holder.take(100)
        let order = Lock<[Int]>([])
        let reservations = (0..<3).map { _ in budget.reservation(priority: .low) }
        let tasks = reservations.indices.map { index in
            Task {
                while budget.counts.waiting < index { await Task.yield() }
                try await reservations[index].take(100)
                order.withLock { $0.append(index) }
                reservations[index].release()
            }
        }
        while budget.counts.waiting < 3 { await Task.yield() }
        reservations[2].reprioritise(.veryHigh)
        holder.release()
        for task in tasks { try await task.value }
        #expect(order.withLock { $0 } == [2, 0, 1])
    }

    @Test("D7: what a decode claims grows with file, result, depth and frames") func claims() throws
    {
        func claim(
            _ format: RasterFormat, _ side: Int, bits: Int = 8, frames: Int = 1,
            target: TargetSize? = nil, comesByRows: Bool = false
        ) -> Int {
            var info = ImageInfo(
                format: format, pixelSize: PixelSize(width: side, height: side),
                frameCount: frames, hasAlpha: false, bitsPerSample: bits, byteCount: 1)
            info.comesByRows = comesByRows
            return DecodeBudget.bytes(
                toDecode: info, options: DecodeOptions(targetSize: target))
        }
        #expect(claim(.jpeg, 1000) == 8_000_000 + 4_194_304)
        #expect(claim(.jpeg, 1000, target: .maximum(100)) == 4_040_000 + 4_194_304)
        // A few rows at a time, if what is left is a quarter or less.
        #expect(
            claim(.jpeg, 1000, target: .maximum(250), comesByRows: true)
                == 256_000 + 500_000 + 4_194_304)
        #expect(
            claim(.jpeg, 1000, target: .maximum(251), comesByRows: true) > 4_000_000 + 4_194_304)
        #expect(claim(.png, 1000, bits: 16) == 12_000_000 + 4_194_304)
        #expect(claim(.webp, 1000, frames: 9) == 20_000_000 + 4_194_304)
        #expect(claim(.tiff, 1000, frames: 9) == 8_000_000 + 4_194_304)
        for format in RasterFormat.allCases {
            #expect(claim(format, 500) < claim(format, 1000))
            #expect(
                claim(format, .max) > 1 << 60 || claim(format, .max) == 4_194_304
                    || format == .svg)
        }
        #expect(DecodeBudget.bytes(toFilter: RasterImage(Scene.plain)) == 96 * 64 * 12)
    }
}
