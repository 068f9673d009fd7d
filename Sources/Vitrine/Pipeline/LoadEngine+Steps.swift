import VitrineBase
import VitrineHTTP
import VitrineImaging

/// The work of each step: bytes, pixels, a filter.
extension LoadEngine {
    /// What begins a step.
    func start(
        _ step: Graph.StepID, _ key: StepKey, _ parent: Graph.StepID?, _ priority: LoadPriority,
        _ state: inout State
    ) -> [Effect] {
        // Any of those who wait will do: all that matters to the step is equal among them.
        let request =
            state.graph.waiters(under: step).min().flatMap { state.waiters[$0]?.plan.request }
        var input = parent.flatMap { state.results[$0] }
        let run = Run()
        state.runs[step] = run
        if key.isMadeOfBytes {
            input?.made.append(key)
            if let effects = recall(step, input, &state) { return effects }
        }
        switch key {
        case .bytes(let source):
            let turn = downloadGate.ticket(priority: priority)
            run.turn = turn
            let permit = permits.permit(for: source)
            return [
                .run(run) { engine in
                    guard let request else { return }
                    await engine.fetch(step, request, permit, turn)
                }
            ]
        case .decode(let options):
            let reservation = configuration.decodeBudget.reservation(priority: priority)
            run.reservation = reservation
            return [
                .run(run) { [input] engine in
                    guard let request, let input else { return }
                    await engine.decode(step, request, input, options, priority, reservation)
                }
            ]
        case .filter(let identifier):
            let filter = request?.filters.first { $0.identifier == identifier }
            let reservation = configuration.decodeBudget.reservation(priority: priority)
            run.reservation = reservation
            return [
                .run(run) { [input] engine in
                    guard let request, let input, let filter else { return }
                    await engine.apply(filter, step, request, input, priority, reservation)
                }
            ]
        }
    }

    private func fetch(
        _ step: Graph.StepID, _ request: ImageRequest, _ permit: KeepPermit,
        _ turn: AdmissionGate.Ticket
    ) async {
        let startedAt = time.uptime
        state.withLock { $0.transfers += 1 }
        defer {
            update { state in
                state.transfers -= 1
                return []
            }
        }
        do throws(ImageError) {
            let listener = TransferListener(engine: self, step: step)
            var bytes = try await fetcher.fetch(
                request, permit: permit, turn: turn, listener: listener)
            bytes.duration = elapsed(since: startedAt)
            let recalled = await recallProcessed(for: step, of: bytes)
            finished(step, StepResult(bytes: bytes, recalled: recalled))
        } catch {
            failed(step, error)
        }
    }

    /// Brings up to date, in the background, a picture that has been handed out stale
    /// (`stale-while-revalidate`). It is a load like others, so that what arrives is decoded before it
    /// is stored, and is in memory afterwards.
    func refresh(_ request: ImageRequest, _ permit: KeepPermit) {
        var request = request
        request.cachePolicy = .revalidate
        request.priority = .veryLow
        _ = load(request, under: permit)
        update { state in
            state.dueRefreshes -= 1
            return []
        }
    }

    private func apply(
        _ filter: any ImageFilter, _ step: Graph.StepID, _ request: ImageRequest,
        _ input: StepResult, _ priority: LoadPriority, _ reservation: DecodeBudget.Reservation
    ) async {
        defer { reservation.release() }
        guard let image = input.image else { return }
        let http = input.bytes.http
        do {
            try await reservation.take(DecodeBudget.bytes(toFilter: image))
            var result = input
            result.image = try await decodePool.run(priority: priority) { cancellation in
                try image.applying([filter], cancellation: cancellation)
            }
            finished(step, result)
        } catch let error as ImagingError {
            failed(step, ImageError(.imaging(error), url: request.url, http: http))
        } catch {
            failed(step, ImageError(.cancelled, url: request.url, http: http))
        }
    }
}
