import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineImaging

/// What some callers want of a picture that is still arriving.
struct PreviewWish: Sendable {
    /// What is made of the bytes; it tells equal wishes.
    let path: ArraySlice<StepKey>
    let options: DecodeOptions
    let filters: [any ImageFilter]
}

/// Makes previews while transfers go on: one at a time, each of the newest bytes, and none that would
/// hold up anything else.
struct PreviewMaker: Sendable {
    private let pool = BlockingPool(name: "vitrine-preview", threads: 1)
    /// Whose turn it is: no memory is claimed before the thread is free.
    private let gate = AdmissionGate(limit: 1)
    private let budget: DecodeBudget

    init(budget: DecodeBudget) {
        self.budget = budget
    }

    /// Reads the spool from its start while it is written, until it ends, until nothing more can be shown,
    /// or until nobody wishes anything.
    ///
    /// `wishes` tells what is wanted now, and nothing once this is to end.
    func run(
        over spool: BodySpool, every interval: Duration, limits: DecodeLimits,
        wishes: () -> [PreviewWish], show: (PreviewWish, RasterImage) -> Void
    ) async {
        let clock = ContinuousClock()
        var reader = spool.reader().makeAsyncIterator()
        var picture = ArrivingPicture(limits: limits)
        var next = clock.now + interval
        while picture.canBeShown, let chunk = try? await reader.next() {
            picture.append(chunk)
            // Only the newest counts.
            guard picture.count >= spool.count, picture.hasNews else { continue }
            if clock.now < next {
                // What arrives meanwhile is read first; if nothing does, this is still news.
                try? await clock.sleep(until: next)
                if spool.count > picture.count { continue }
            }
            let wanted = wishes()
            guard !wanted.isEmpty, !Task.isCancelled else { return }
            guard let part = picture.takePart() else { continue }
            let turn = gate.ticket()
            try? await turn.take()
            await make(part, wanted, show)
            turn.release()
            next = clock.now + interval
        }
    }

    /// Makes what can be made; what is wrong with the others the whole will tell.
    private func make(
        _ part: ArrivingPicture.Part, _ wishes: [PreviewWish],
        _ show: (PreviewWish, RasterImage) -> Void
    ) async {
        for (options, wishes) in Dictionary(grouping: wishes, by: \.options) {
            guard
                let info = try? await pool.run({ try part.info(limits: options.limits) }),
                let image = await job(
                    DecodeBudget.bytes(toDecode: info, options: options),
                    { try part.decode(options: options, cancellation: $0) })
            else { continue }
            for wish in wishes {
                guard !wish.filters.isEmpty else {
                    show(wish, image)
                    continue
                }
                let claim = DecodeBudget.bytes(toFilter: image)
                let filtered = await job(claim) {
                    try image.applying(wish.filters, cancellation: $0)
                }
                if let filtered { show(wish, filtered) }
            }
        }
    }

    /// Does one job on the thread, with a reservation of its own; nil if it fails or is cancelled.
    private func job(
        _ claim: Int, _ body: @escaping @Sendable (DecodeCancellation) throws -> RasterImage?
    ) async -> RasterImage? {
        let reservation = budget.reservation(priority: .veryLow)
        defer { reservation.release() }
        do {
            try await reservation.take(claim)
            return try await pool.run(at: WorkPriority(.veryLow), body)
        } catch {
            return nil
        }
    }
}

extension BlockingPool {
    /// Does `body` on one of the threads, and has it stop where it can when the task is cancelled.
    func run<Value: Sendable>(
        at priority: WorkPriority, _ body: @escaping @Sendable (DecodeCancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = DecodeCancellation()
        return try await withTaskCancellationHandler {
            try await run(at: priority) { try body(cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
