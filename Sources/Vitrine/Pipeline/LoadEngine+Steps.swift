import FoundationEssentials
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
        let plan = state.graph.waiters(under: step).min().flatMap { state.waiters[$0]?.plan }
        let request = plan?.request
        var input = parent.flatMap { state.results[$0] }
        let run = Run(priority)
        state.runs[step] = run
        if key.isMadeOfBytes {
            input?.made.append(key)
            if let effects = recall(step, input, &state) { return effects }
        }
        switch key {
        case .bytes(let source):
            let permit = permits.permit(for: source)
            return [
                .run(run) { engine in
                    guard let plan else { return }
                    await engine.fetch(step, plan, permit, run)
                }
            ]
        case .decode(let options):
            let reservation = configuration.decodeBudget.reservation(priority: priority)
            run.reservation = reservation
            return [
                .run(run) { [input] engine in
                    guard let plan, let input else { return }
                    await engine.decode(step, plan, input, options, run, reservation)
                }
            ]
        case .check:
            let reservation = configuration.decodeBudget.reservation(priority: priority)
            run.reservation = reservation
            return [
                .run(run) { [input] engine in
                    guard let plan, let input else { return }
                    await engine.check(step, plan, input, run, reservation)
                }
            ]
        case .filter(let identifier):
            let filter = request?.filters.first { $0.identifier == identifier }
            let reservation = configuration.decodeBudget.reservation(priority: priority)
            run.reservation = reservation
            return [
                .run(run) { [input] engine in
                    guard let request, let input, let filter else { return }
                    await engine.apply(filter, step, request, input, run.priority, reservation)
                }
            ]
        }
    }

    /// Gets the bytes, in as many attempts as the callers want.
    private func fetch(
        _ step: Graph.StepID, _ plan: PlannedLoad, _ permit: KeepPermit, _ run: Run
    ) async {
        let request = plan.request
        let startedAt = time.uptime
        state.withLock { $0.transfers += 1 }
        defer {
            update { state in
                state.transfers -= 1
                return []
            }
        }
        let probe = probe(request.url) { [weak self] in self?.loads(under: step) ?? [] }
        var life = RetryLife()
        var action = life.start(at: startedAt)
        var error = ImageError(.cancelled, url: request.url)
        while true {
            switch action {
            case .attempt:
                let turn = run.newTurn { priority in
                    downloadGate.ticket(priority: priority, lane: request.url.lane)
                }
                let log = FetchLog(time: time, probe: probe)
                do throws(ImageError) {
                    let listener = TransferListener(engine: self, step: step)
                    var bytes = try await fetcher.fetch(
                        request, as: plan.standing, permit: permit, turn: turn,
                        priority: run.priority, log: log, listener: listener)
                    bytes.duration = elapsed(since: startedAt)
                    bytes.queue = log.queued
                    bytes.attempts = life.attempts
                    let recalled = await recallProcessed(for: step, of: bytes)
                    finished(step, StepResult(bytes: bytes, recalled: recalled))
                    return
                } catch let failure {
                    error = failure
                }
                let reason = error.reason
                let failure = RetryLife.Failure(
                    reason: reason, method: HTTP.Method(rawValue: request.method),
                    retryAfter: error.http?.headers["retry-after"].flatMap {
                        RetryAfter.seconds($0, now: time.now)
                    })
                action = life.failed(
                    failure, under: retry(under: step), at: time.uptime, chance: chance())
            case .wait(let moment):
                let span = probe?.begin(.retryWait)
                let wasCancelled = (try? await time.sleep(until: moment)) == nil
                span?.end(LoadEvent.Facts(attempts: life.attempts, error: error))
                // Then nobody listens any more.
                if wasCancelled { return }
                action = life.waited(at: time.uptime)
            case .giveUp:
                failed(step, error)
                return
            }
        }
    }

    /// How often those who wait for the step want it to be tried: as often as the most patient one.
    private func retry(under step: Graph.StepID) -> ImageRequest.Retry {
        state.withLock { state in
            state.graph.waiters(under: step).compactMap { state.waiters[$0] }
                .map { $0.plan.request.retry ?? configuration.retry }
                .max { $0.attempts < $1.attempts } ?? .none
        }
    }

    /// Brings up to date, in the background, a picture that has been handed out stale
    /// (`stale-while-revalidate`). It is a load like others, so that what arrives is decoded before it
    /// is stored, and is in memory afterwards.
    func refresh(_ request: ImageRequest, _ permit: KeepPermit) {
        var request = request
        request.cachePolicy = .revalidate
        request.priority = .veryLow
        if request.extras != nil {
            request.alternatives = []
            request.lowResolution = nil
        }
        _ = load(request, isModified: true, under: permit)
        update { state in
            state.dueRefreshes -= 1
            return []
        }
    }

    /// Keeps the bytes on disk if they are a picture, and makes nothing of them.
    ///
    /// All of them are read, since damage may be anywhere; a small size is what that costs least at.
    /// What a cache has given was found to be a picture before it was stored.
    private func check(
        _ step: Graph.StepID, _ plan: PlannedLoad, _ input: StepResult, _ run: Run,
        _ reservation: DecodeBudget.Reservation
    ) async {
        guard input.bytes.source == .network else {
            var result = input
            do {
                // Nobody looks at it.
                let pixel = PixelSize(width: 1, height: 1)
                result.image = try RasterImage(PixelBuffer(size: pixel, isOpaque: false) { _ in })
                finished(step, result)
            } catch {
                failed(step, ImageError(.imaging(.outOfMemory(bytes: 4)), url: plan.request.url))
            }
            return
        }
        let options = DecodeOptions(
            targetSize: .fit(width: 32, height: 32), limits: configuration.decodeLimits,
            frames: .first)
        await decode(step, plan, input, options, run, reservation)
    }

    private func apply(
        _ filter: any ImageFilter, _ step: Graph.StepID, _ request: ImageRequest,
        _ input: StepResult, _ priority: WorkPriority, _ reservation: DecodeBudget.Reservation
    ) async {
        defer { reservation.release() }
        guard let image = input.image else { return }
        let startedAt = time.uptime
        let span = probe(request.url) { [weak self] in self?.loads(under: step) ?? [] }?
            .begin(.filter(filter.identifier))
        let http = input.bytes.http
        do {
            try await reservation.take(DecodeBudget.bytes(toFilter: image))
            var result = input
            result.image = try await decodePool.run(at: priority) { cancellation in
                try image.applying([filter], cancellation: cancellation)
            }
            result.filterTime = (input.filterTime ?? .zero) + elapsed(since: startedAt)
            span?.end(LoadEvent.Facts(pixelSize: result.image?.pixelSize))
            finished(step, result)
        } catch let error as ImagingError {
            fail(step, ImageError(.imaging(error), url: request.url, http: http), span)
        } catch {
            fail(step, ImageError(.cancelled, url: request.url, http: http), span)
        }
    }

    func fail(_ step: Graph.StepID, _ error: ImageError, _ span: StageProbe.Span?) {
        span?.end(error)
        failed(step, error)
    }
}

extension URL {
    /// What downloads from the same host have in common; nil for what has no host.
    var lane: String? { host()?.lowercased() }
}
