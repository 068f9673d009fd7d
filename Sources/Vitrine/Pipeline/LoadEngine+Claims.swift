import VitrineBase
import VitrineHTTP
import VitrineImaging

/// What one caller's load consists of: its sources in turn, a small picture beforehand, a deadline.
extension LoadEngine {
    typealias ClaimID = UInt64

    /// One caller's load.
    struct Claim {
        let task: ImageTask
        let purpose: LoadPurpose
        let startedAt: UInt64
        /// It is not begun if this has been revoked.
        let permit: KeepPermit?
        var priority: LoadPriority
        var turns: SourceTurns<ImageRequest, ImageError>
        /// Who waits for the source that is being tried.
        var main: Graph.WaiterID?
        /// Who waits for the small picture.
        var low: Graph.WaiterID?
        /// What ends it when its time is over.
        var timer: Run?
        var span: StageProbe.Span?
    }

    /// What a waiter waits for.
    enum Part: Sendable { case main, lowResolution }

    /// What becomes of a request before anything is waited for.
    enum Prepared {
        case answered(ImageResponse)
        case planned(PlannedLoad)
        case failed(ImageError)
    }

    /// Whether there may be a modifier.
    func isModified(_ request: ImageRequest) -> Bool {
        request.extras != nil || configuration.modifier != nil
    }

    /// The request after the modifiers, which are then done with.
    func modified(_ request: ImageRequest) throws(ImageError) -> ImageRequest {
        guard isModified(request) else { return request }
        var result = request
        do {
            try configuration.modifier?(&result)
            if let modifier = result.modifier {
                result.modifier = nil
                try modifier(&result)
            }
        } catch let error as ImageError {
            throw error
        } catch {
            throw ImageError(.modifier("\(error)"), url: request.url)
        }
        return result
    }

    /// Looks into memory, and plans what to do if nothing is there.
    func prepare(
        _ request: ImageRequest, for purpose: LoadPurpose, startedAt: UInt64
    ) -> Prepared {
        guard request.scale > 0, request.scale.isFinite else {
            return .failed(ImageError(.invalidScale(request.scale), url: request.url))
        }
        // With the credentials and cookies that the loader has here and now.
        let standing = credentialing.standing(for: request)
        if purpose.keepsInMemory,
            let response = cachedResponse(
                ImageIdentity(request, standing), request, for: purpose, startedAt: startedAt)
        {
            return .answered(response)
        }
        let plan = PlannedLoad(
            request, limits: configuration.decodeLimits, standing: standing, purpose: purpose)
        if request.cachePolicy == .cacheOnly, plan.isUncached {
            return .failed(ImageError(.cacheMiss, url: request.url))
        }
        return .planned(plan)
    }

    /// A load that memory cannot answer.
    func open(
        _ task: ImageTask, _ request: ImageRequest, for purpose: LoadPurpose, _ first: Prepared,
        _ startedAt: UInt64, _ permit: KeepPermit? = nil
    ) {
        let deadline = (request.timeouts ?? configuration.timeouts).deadline
        let claim = state.withLock { state in
            state.lastClaim += 1
            state.claims[state.lastClaim] = Claim(
                task: task, purpose: purpose, startedAt: startedAt, permit: permit,
                priority: request.priority,
                turns: SourceTurns(alternatives: request.alternatives))
            return state.lastClaim
        }
        task.connect(
            priority: request.priority,
            cancel: { [weak self] in self?.close(claim, .cancelled) },
            reprioritise: { [weak self] in self?.reprioritise(claim, $0) })
        if let span = probe(request.url, { [claim] })?.begin(.load) {
            state.withLock { $0.claims[claim]?.span = span }
        }
        if let deadline { setTimer(claim, deadline) }
        // First in line, since it is to be there first.
        if purpose == .use, let low = request.lowResolution {
            begin(claim, low, as: .lowResolution)
        }
        switch first {
        case .planned(let plan): join(claim, plan, as: .main)
        case .failed(let error): settle(claim, .main, .failure(error))
        case .answered(let response): settle(claim, .main, .success(response))
        }
    }

    /// Begins with a source.
    func begin(_ claim: ClaimID, _ request: ImageRequest, as part: Part) {
        var own = request
        own.alternatives = []
        own.lowResolution = nil
        guard let purpose = state.withLock({ $0.claims[claim]?.purpose }) else { return }
        let prepared: Prepared
        do throws(ImageError) {
            prepared = prepare(try modified(own), for: purpose, startedAt: time.uptime)
        } catch {
            prepared = .failed(error)
        }
        switch prepared {
        case .planned(let plan): join(claim, plan, as: part)
        case .answered(let response): settle(claim, part, .success(response))
        case .failed(let error): settle(claim, part, .failure(error))
        }
    }

    private func join(_ claim: ClaimID, _ plan: PlannedLoad, as part: Part) {
        let effects = state.withLock { state -> [Effect] in
            guard let owner = state.claims[claim] else { return [] }  // cancelled meanwhile
            // Between the look before and this lock, the load that we wanted to join may have ended.
            if owner.purpose.keepsInMemory,
                let response = cachedResponse(
                    plan.image, plan.request, for: owner.purpose, startedAt: owner.startedAt)
            {
                return settle(claim, part, .success(response), &state) + wakeIfIdle(&state)
            }
            if let permit = owner.permit, !permit.isValid {
                return cancel(claim, .cancelled, &state) + wakeIfIdle(&state)
            }
            state.lastWaiter += 1
            let waiter = state.lastWaiter
            let other =
                part == .main && owner.purpose == .use && plan.request.showsOtherSizes
                ? memory.otherSize(of: ImageKey(plan.image), plan.request) : nil
            state.waiters[waiter] = Waiter(
                task: owner.task, plan: plan, purpose: owner.purpose, startedAt: owner.startedAt,
                claim: claim, part: part, hasOtherSize: other != nil)
            switch part {
            case .main: state.claims[claim]?.main = waiter
            case .lowResolution: state.claims[claim]?.low = waiter
            }
            let actions = state.graph.join(waiter, path: plan.path, priority: owner.priority)
            var effects = carryOut(actions, &state)
            if let other { effects.append(.show([owner.task], other)) }
            if let root = state.graph.root(of: waiter) {
                effects += catchUp(waiter, root, &state)
            }
            return effects
        }
        perform(effects)
    }

    private func setTimer(_ claim: ClaimID, _ deadline: Duration) {
        let end = time.uptime(after: deadline)
        let timer = Run()
        state.withLock { $0.claims[claim]?.timer = timer }
        timer.begin { [weak self, time] in
            guard (try? await time.sleep(until: end)) != nil else { return }
            self?.close(claim, .deadlinePassed(deadline))
        }
    }

    // MARK: - Changes

    /// A caller wants it sooner or later than before.
    private func reprioritise(_ claim: ClaimID, _ priority: LoadPriority) {
        update { state in
            state.claims[claim]?.priority = priority
            let waiters = [state.claims[claim]?.main, state.claims[claim]?.low].compactMap { $0 }
            return waiters.flatMap { state.graph.reprioritise($0, priority) }
        }
    }

    /// A source has ended, whether it was waited for or not.
    private func settle(
        _ claim: ClaimID, _ part: Part, _ end: Result<ImageResponse, ImageError>
    ) {
        perform(
            state.withLock { state in
                settle(claim, part, end, &state) + wakeIfIdle(&state)
            })
    }

    func settle(
        _ id: ClaimID, _ part: Part, _ end: Result<ImageResponse, ImageError>,
        _ state: inout State
    ) -> [Effect] {
        guard let claim = state.claims[id] else { return [] }
        switch (part, end) {
        case (.lowResolution, .success(let response)):
            state.claims[id]?.low = nil
            return [.showFirst(claim.task, response.image)]
        case (.lowResolution, .failure):
            state.claims[id]?.low = nil
            return []
        case (.main, .success):
            return close(id, end, &state)
        case (.main, .failure(let error)):
            state.claims[id]?.main = nil
            switch state.claims[id]?.turns.failed(error, isFinal: error.isCancelled) {
            case .load(let next): return [.tryNext(id, next)]
            case .fail(let error): return close(id, .failure(error), &state)
            case nil: return []
            }
        }
    }

    /// The caller has had enough.
    private func close(_ claim: ClaimID, _ reason: ImageError.Reason) {
        perform(
            state.withLock { state in
                cancel(claim, reason, &state) + wakeIfIdle(&state)
            })
    }

    func cancel(
        _ claim: ClaimID, _ reason: ImageError.Reason, _ state: inout State
    ) -> [Effect] {
        guard let task = state.claims[claim]?.task else { return [] }
        return close(claim, .failure(ImageError(reason, url: task.request.url)), &state)
    }

    /// The end of a load: nothing is done for it any more.
    private func close(
        _ id: ClaimID, _ end: Result<ImageResponse, ImageError>, _ state: inout State
    ) -> [Effect] {
        guard let claim = state.claims.removeValue(forKey: id) else { return [] }
        var effects: [Effect] = []
        if let timer = claim.timer { effects.append(.stop(timer)) }
        for waiter in [claim.main, claim.low].compactMap({ $0 })
        where state.waiters.removeValue(forKey: waiter) != nil {
            effects += actionsAsEffects(state.graph.leave(waiter), &state)
        }
        effects.append(.end(claim.task, end, claim.span))
        return effects
    }

    // MARK: - Observers

    /// What tells the observer of work for these loads; nil if nobody observes.
    func probe(_ url: URL, _ loads: @escaping @Sendable () -> [ClaimID]) -> StageProbe? {
        guard let observer = configuration.observer else { return nil }
        return StageProbe(observer: observer, time: time, url: url, loads: loads)
    }

    /// The loads that wait for a step just now.
    func loads(under step: Graph.StepID) -> [ClaimID] {
        state.withLock { state in
            Set(state.graph.waiters(under: step).compactMap { state.waiters[$0]?.claim }).sorted()
        }
    }

    /// An image in memory is a load that begins and ends at once.
    func tellOfHit(_ response: ImageResponse) {
        guard configuration.observer != nil else { return }
        let id = state.withLock { state in
            state.lastClaim += 1
            return state.lastClaim
        }
        probe(response.request.url, { [id] })?.begin(.load).end(LoadEvent.Facts(response))
    }
}

extension LoadEvent.Facts {
    init(_ response: ImageResponse) {
        self.init(
            source: response.source, bytes: response.data?.count, status: response.http?.status,
            pixelSize: response.image.pixelSize)
    }

    init(_ end: Result<ImageResponse, ImageError>) {
        switch end {
        case .success(let response): self.init(response)
        case .failure(let error): self.init(status: error.http?.status, error: error)
        }
    }
}
