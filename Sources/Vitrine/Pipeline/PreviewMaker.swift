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

/// Makes previews while a transfer goes on: one at a time, each of the newest bytes, and none that would
/// hold up anything else.
struct PreviewMaker: Sendable {
    /// One thread, so that there is never more than one in a loader.
    private let pool = BlockingPool(name: "vitrine-preview", threads: 1)
    private let budget: DecodeBudget

    init(budget: DecodeBudget) {
        self.budget = budget
    }

    /// Reads the spool from its start while it is written, until it ends, until nothing more can be shown,
    /// or until nobody wishes anything.
    ///
    /// `wishes` tells what is wanted now and how seldom; nil ends it.
    func run(
        over spool: BodySpool, limits: DecodeLimits,
        wishes: () -> (interval: Duration, [PreviewWish])?,
        show: @Sendable (PreviewWish, RasterImage) -> Void
    ) async {
        let clock = ContinuousClock()
        var reader = spool.reader().makeAsyncIterator()
        var picture = ArrivingPicture(limits: limits)
        var last = clock.now
        while picture.canBeShown, let chunk = try? await reader.next() {
            picture.append(chunk)
            // Only the newest counts.
            guard picture.count >= spool.count, picture.hasNews else { continue }
            guard let (interval, wanted) = wishes() else { return }
            if clock.now < last + interval {
                // What arrives meanwhile is read first; if nothing does, this is still news.
                try? await clock.sleep(until: last + interval)
                if Task.isCancelled { return }
                if spool.count > picture.count { continue }
            }
            guard let part = picture.takePart() else { continue }
            do {
                try await make(part, wanted, show)
            } catch is CancellationError {
                return
            } catch {}  // the whole will tell what is wrong
            last = clock.now
        }
    }

    private func make(
        _ part: ArrivingPicture.Part, _ wishes: [PreviewWish],
        _ show: @Sendable (PreviewWish, RasterImage) -> Void
    ) async throws {
        for (options, wishes) in Dictionary(grouping: wishes, by: \.options) {
            let info = try await job { _ in try part.info(limits: options.limits) }
            let claim = DecodeBudget.bytes(toDecode: info, options: options)
            let image = try await job(claim) { cancellation in
                try part.decode(options: options, cancellation: cancellation)
            }
            guard let image else { continue }
            for wish in wishes {
                guard !wish.filters.isEmpty else {
                    show(wish, image)
                    continue
                }
                let claim = DecodeBudget.bytes(toFilter: image)
                show(
                    wish,
                    try await job(claim) { cancellation in
                        try image.applying(wish.filters, cancellation: cancellation)
                    })
            }
        }
    }

    /// Does one job on the thread, with a reservation of its own unless it claims nothing.
    private func job<Value: Sendable>(
        _ claim: Int = 0, _ body: @escaping @Sendable (DecodeCancellation) throws -> Value
    ) async throws -> Value {
        let reservation = budget.reservation(priority: .veryLow)
        defer { reservation.release() }
        if claim > 0 { try await reservation.take(claim) }
        return try await pool.run(priority: .veryLow, body)
    }
}

extension BlockingPool {
    /// Does `body` on one of the threads, and has it stop where it can when the task is cancelled.
    func run<Value: Sendable>(
        priority: LoadPriority, _ body: @escaping @Sendable (DecodeCancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = DecodeCancellation()
        return try await withTaskCancellationHandler {
            try await run(priority: priority) { try body(cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
