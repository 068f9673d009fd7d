import VitrineBase
import VitrineHTTP
import VitrineImaging

extension LoadEngine {
    /// Brings a transfer's news to the engine, as long as there is one.
    struct TransferListener: SourceFetcher.Listener {
        weak let engine: LoadEngine?
        let step: Graph.StepID

        func began(_ spool: BodySpool) { engine?.began(step, spool) }
        func advanced(_ progress: ImageTask.Progress) { engine?.advanced(step, progress) }
    }

    private func began(_ step: Graph.StepID, _ spool: BodySpool) {
        let effects = state.withLock { state in
            // An attempt before may have got as far.
            let old = state.arrivals.removeValue(forKey: step)?.run.map { [Effect.stop($0)] } ?? []
            guard state.runs[step] != nil else { return old }
            state.arrivals[step] = Arrival(spool: spool)
            return old + startPreviews(step, &state)
        }
        perform(effects)
    }

    /// What somebody who has just joined is told of a transfer that is under way.
    func catchUp(
        _ waiter: Graph.WaiterID, _ step: Graph.StepID, _ state: inout State
    ) -> [Effect] {
        guard let (task, plan, part) = state.waiters[waiter].map({ ($0.task, $0.plan, $0.part) }),
            part == .main
        else { return [] }
        var effects: [Effect] = []
        if let progress = state.progress[step] { effects.append(.advance([task], progress)) }
        guard state.waiters[waiter]?.wantsPreviews == true else { return effects }
        if let preview = state.arrivals[step]?.previews[plan.pathBehindBytes] {
            effects.append(.show([task], preview))
        }
        // The others need not be asked, of whom there may be thousands.
        if let wanted = plan.request.previews.interval, let arrival = state.arrivals[step],
            arrival.run != nil, let current = arrival.interval, current <= wanted
        {
            return effects
        }
        return effects + startPreviews(step, &state)
    }

    /// Begins to make previews, if somebody wants them and nobody makes them yet as often.
    private func startPreviews(_ step: Graph.StepID, _ state: inout State) -> [Effect] {
        let callers = previewCallers(step, state)
        guard let arrival = state.arrivals[step],
            let interval = callers.compactMap(\.plan.request.previews.interval).min()
        else { return [] }
        if arrival.run != nil, let current = arrival.interval, current <= interval { return [] }
        let run = Run()
        state.arrivals[step]?.run = run
        state.arrivals[step]?.interval = interval
        let start = Effect.run(run) { engine in
            await engine.previewMaker.run(
                over: arrival.spool, every: interval, limits: engine.configuration.decodeLimits,
                wishes: { engine.previewWishes(step, for: run) },
                show: { wish, image in engine.show(image, wish, step) })
        }
        return (arrival.run.map { [.stop($0)] } ?? []) + [start]
    }

    /// What is wished of the step now; nothing if another run does it, or if nobody wishes anything, and
    /// then the next one who does begins anew.
    private func previewWishes(_ step: Graph.StepID, for run: Run) -> [PreviewWish] {
        state.withLock { state in
            guard state.arrivals[step]?.run === run else { return [] }
            let wishes = previewCallers(step, state).map { caller in
                (
                    caller.plan.pathBehindBytes,
                    PreviewWish(
                        path: caller.plan.pathBehindBytes, options: caller.plan.options,
                        filters: caller.plan.request.filters)
                )
            }
            if wishes.isEmpty { state.arrivals[step]?.run = nil }
            return Array(Dictionary(wishes, uniquingKeysWith: { first, _ in first }).values)
        }
    }

    /// Those who wait for the step and want previews.
    private func previewCallers(_ step: Graph.StepID, _ state: State) -> [Waiter] {
        state.graph.waiters(under: step).compactMap { state.waiters[$0] }
            .filter { $0.part == .main && $0.wantsPreviews }
    }

    private func show(_ image: RasterImage, _ wish: PreviewWish, _ step: Graph.StepID) {
        let tasks = state.withLock { state in
            guard state.arrivals[step] != nil else { return [ImageTask]() }
            state.arrivals[step]?.previews[wish.path] = image
            return previewCallers(step, state)
                .filter { $0.plan.pathBehindBytes == wish.path }.map(\.task)
        }
        for task in tasks { task.show(image) }
    }
}

extension LoadEngine.Waiter {
    /// Whether it is to be shown the picture while that arrives.
    fileprivate var wantsPreviews: Bool { plan.request.previews != .none && !hasOtherSize }
}
