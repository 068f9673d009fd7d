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
            guard state.runs[step] != nil else { return [Effect]() }
            state.arrivals[step] = Arrival(spool: spool)
            return startPreviews(step, &state)
        }
        perform(effects)
    }

    /// What somebody who has just joined is told of a transfer that is under way.
    func catchUp(
        _ waiter: Graph.WaiterID, _ step: Graph.StepID, _ state: inout State
    ) -> [Effect] {
        guard let (task, plan) = state.waiters[waiter].map({ ($0.task, $0.plan) }) else {
            return []
        }
        var effects: [Effect] = []
        if let progress = state.progress[step] { effects.append(.advance([task], progress)) }
        guard plan.request.previews.interval != nil else { return effects }
        if let preview = state.arrivals[step]?.previews[plan.pathBehindBytes] {
            effects.append(.show([task], preview))
        }
        return effects + startPreviews(step, &state)
    }

    /// Begins to make previews, if somebody wants them and nobody makes them yet.
    private func startPreviews(_ step: Graph.StepID, _ state: inout State) -> [Effect] {
        guard let arrival = state.arrivals[step], arrival.run == nil,
            previewWishes(step, state) != nil
        else { return [] }
        let run = Run()
        state.arrivals[step]?.run = run
        return [
            .run(run) { engine in
                await engine.previewMaker.run(
                    over: arrival.spool, limits: engine.configuration.decodeLimits,
                    wishes: { engine.previewWishes(step, for: run) },
                    show: { wish, image in engine.show(image, wish, step) })
            }
        ]
    }

    /// What is wished of the step now; nil once nothing is, and then `run` must end.
    private func previewWishes(
        _ step: Graph.StepID, for run: Run
    ) -> (interval: Duration, [PreviewWish])? {
        state.withLock { state in
            guard let arrival = state.arrivals[step], arrival.run === run else { return nil }
            let wishes = previewWishes(step, state)
            // Who joins later begins anew.
            if wishes == nil { state.arrivals[step]?.run = nil }
            return wishes
        }
    }

    private func previewWishes(
        _ step: Graph.StepID, _ state: State
    ) -> (interval: Duration, [PreviewWish])? {
        var shortest: Duration?
        var wishes: [ArraySlice<StepKey>: PreviewWish] = [:]
        for waiter in state.graph.waiters(under: step) {
            guard let plan = state.waiters[waiter]?.plan,
                let interval = plan.request.previews.interval
            else { continue }
            shortest = min(shortest ?? interval, interval)
            wishes[plan.pathBehindBytes] = PreviewWish(
                path: plan.pathBehindBytes, options: plan.options, filters: plan.request.filters)
        }
        return shortest.map { ($0, Array(wishes.values)) }
    }

    private func show(_ image: RasterImage, _ wish: PreviewWish, _ step: Graph.StepID) {
        let tasks = state.withLock { state in
            guard state.arrivals[step] != nil else { return [ImageTask]() }
            state.arrivals[step]?.previews[wish.path] = image
            return state.graph.waiters(under: step).compactMap { id in
                guard let waiter = state.waiters[id], waiter.plan.pathBehindBytes == wish.path,
                    waiter.plan.request.previews.interval != nil
                else { return nil }
                return waiter.task
            }
        }
        for task in tasks { task.show(image) }
    }
}
