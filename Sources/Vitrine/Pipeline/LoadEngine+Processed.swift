import VitrineBase
import VitrineHTTP
import VitrineImaging

/// Results of target size and filters that are kept on disk.
extension LoadEngine {
    /// Whether what is made for the load is to be kept, and looked for, on disk.
    func keepsProcessed(_ plan: PlannedLoad) -> Bool {
        let request = plan.request
        return (request.storesProcessedImage ?? configuration.storesProcessedImages)
            && request.cachePolicy.writesCache
            && (request.targetSize != nil || !request.filters.isEmpty)
            // Which is no picture that anybody asked for.
            && !plan.path.contains(.check)
    }

    /// Whether a result may be kept: it is new, a whole still, and made of bytes that are kept.
    func isWorthKeeping(_ result: StepResult) -> Bool {
        guard let image = result.image else { return false }
        return result.bytes.keeping == .kept && result.recalled[result.made[...]] == nil
            && image.isComplete && image.frameCount == 1
    }

    /// Where results of these bytes lie; nil if they are kept in no store on disk.
    private func processed(_ bytes: FetchedBytes, for request: ImageRequest) -> ProcessedImages? {
        // The room of an offline group is for what cannot be had without a network.
        guard let place = bytes.place, let store = stores.place(for: request.store),
            let disk = store.disk, store.group?.isOffline != true
        else { return nil }
        return ProcessedImages(disk: disk, place: place, bytes: bytes.data)
    }

    func keepProcessed(_ plan: PlannedLoad, _ result: StepResult) {
        Task(priority: .background) {
            if let image = result.image, let images = processed(result.bytes, for: plan.request) {
                _ = await result.bytes.permit.write { [decodePool] in
                    await images.store(
                        image, for: plan, mostBytes: images.disk.configuration.maximumBytes / 16,
                        on: decodePool)
                }
            }
            update { state in
                state.dueWrites -= 1
                return []
            }
        }
    }

    /// What lies on disk of that which is wanted of the bytes, where they lay there as well.
    func recallProcessed(
        for step: Graph.StepID, of bytes: FetchedBytes
    ) async -> [ArraySlice<StepKey>: RasterImage] {
        guard bytes.source == .disk || bytes.source == .revalidated else { return [:] }
        let plans = state.withLock { state in
            state.graph.waiters(under: step).compactMap { state.waiters[$0]?.plan }
        }
        var found: [ArraySlice<StepKey>: RasterImage] = [:]
        var images: ProcessedImages?
        for plan in plans where keepsProcessed(plan) && found[plan.pathBehindBytes] == nil {
            images = images ?? processed(bytes, for: plan.request)
            guard let images else { return [:] }
            let reservation = configuration.decodeBudget.reservation(
                priority: plan.request.priority)
            found[plan.pathBehindBytes] = await images.image(
                for: plan, reservation: reservation, on: decodePool)
            reservation.release()
        }
        return found
    }

    /// Ends a step whose result was found on disk, or whose result nobody needs since all who wait
    /// behind it have theirs from there; nil if there is work to be done.
    func recall(
        _ step: Graph.StepID, _ input: StepResult?, _ state: inout State
    ) -> [Effect]? {
        guard var result = input, !result.recalled.isEmpty else { return nil }
        if let image = result.recalled[result.made[...]] {
            result.image = image
            return [.settle(step, result)]
        }
        let plans = state.graph.waiters(under: step).compactMap { state.waiters[$0]?.plan }
        guard plans.allSatisfy({ result.recalled[$0.pathBehindBytes] != nil }) else { return nil }
        // Nothing is made here, so whoever comes later must not find the step.
        let actions = state.graph.sever(step)
        result.image = nil
        return [.settle(step, result)] + actionsAsEffects(actions, &state)
    }
}
