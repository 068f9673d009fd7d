import FoundationEssentials
import VitrineBase

/// One exchange through an ``HTTPCache``: looks, asks, answers.
struct CachedExchange: Sendable {
    let cache: HTTPCache
    let request: HTTP.Request
    let terms: HTTPCache.Terms
    let key: ResponseKey
    let transport: any Transport
    let refresh: (@Sendable () -> Void)?

    var policy: CachePolicy { terms.policy }

    func run() async throws(TransportError) -> HTTP.Response {
        switch request.method {
        case .get where isCacheable: try await get()
        case .head where isCacheable: try await head()
        default: try await forward()
        }
    }

    /// Whether the key says all that is asked for: it knows no content, and only the server can judge
    /// some conditions.
    private var isCacheable: Bool {
        (request.body?.isEmpty ?? true) && !Precondition.isForServer(request.headers)
    }

    // MARK: From the store

    private func get() async throws(TransportError) -> HTTP.Response {
        let selection = Selection(request, terms: terms, now: cache.time.now)
        let found = await look(selection)
        if let found {
            let freshness = freshness(of: found)
            let reuse = selection.reuse(found.head, freshness)
            if reuse != .ask, let answer = answer(from: found, freshness, .cache) {
                if reuse == .answerAndRefresh { refreshInBackground(found) }
                return answer
            }
        }
        if let answer = try withoutNetwork() { return answer }
        return try await ask(about: found)
    }

    private func head() async throws(TransportError) -> HTTP.Response {
        let selection = Selection(request, terms: terms, now: cache.time.now)
        if let found = await look(selection) {
            let freshness = freshness(of: found)
            if selection.reuse(found.head, freshness) == .answer,
                let answer = answer(from: found, freshness, .cache)
            {
                return answer
            }
        }
        if let answer = try withoutNetwork() { return answer }
        let question = Question(request, policy: policy, about: nil)
        let (response, sentAt, receivedAt) = try await send(question.request)
        if policy.writesCache, response.status == 200 {
            await update(by: response, sentAt: sentAt, receivedAt: receivedAt)
        }
        return response
    }

    private func look(_ selection: Selection) async -> StoredResponse? {
        guard policy.readsCache else { return nil }
        return await cache.store.response(for: key) { selection.choose($0) }
    }

    /// Where the network must not be asked: the 504 that `only-if-cached` wants (RFC 9111, section
    /// 5.2.1.7), or the policy's error.
    func withoutNetwork() throws(TransportError) -> HTTP.Response? {
        if policy == .cacheOnly { throw .cacheMiss }
        guard CacheControl(request.headers).has("only-if-cached") else { return nil }
        return gatewayTimeout(.cacheMiss)
    }

    private func gatewayTimeout(_ cause: TransportError) -> HTTP.Response {
        HTTP.Response(
            url: request.url, status: 504, headers: ["Content-Length": "0"], source: .cache,
            cause: cause)
    }

    /// How fresh a stored response is by the terms of this exchange.
    func freshness(of stored: StoredResponse) -> Freshness { terms.judged(stored.head).freshness }

    private func answer(
        from stored: StoredResponse, _ freshness: Freshness, _ source: HTTP.Response.Source,
        cause: TransportError? = nil
    ) -> HTTP.Response? {
        var answer = StoredAnswer(
            stored, freshness, source: source, now: cache.time.now, cause: cause
        ).response(to: request)
        answer?.place = place(of: stored.head)
        answer?.discard = { [cache, key, head = stored.head] in
            await cache.remove(head, for: key)
        }
        return answer
    }

    // MARK: From the server

    /// Sends a request; says when it left and when the answer came.
    func send(
        _ request: HTTP.Request
    ) async throws(TransportError) -> (HTTP.Response, sentAt: Double, receivedAt: Double) {
        if cache.isOffline { throw .cacheMiss }
        let sentAt = cache.time.now
        let response = try await transport.exchange(request)
        return (response, sentAt, cache.time.now)
    }

    /// Asks about what is stored, or for what is not. Equal questions are asked once at a time.
    private func ask(
        about found: StoredResponse?
    ) async throws(TransportError) -> HTTP.Response {
        guard let found, found.head.kind == .complete, !asksConditionally,
            !found.head.validators.isEmpty
        else { return try await exchange(about: found).response }
        let id = Revalidations.ID(key: key, head: found.head)
        while let earlier = cache.revalidations.join(id) {
            let end = await withTaskCancellationHandler {
                await earlier.value()
            } onCancel: {
                earlier.fulfil(.abandoned)
            }
            if Task.isCancelled { throw .cancelled }
            switch end {
            case .renewed(let head):
                let renewed = StoredResponse(head: head, body: found.body)
                if let answer = answer(from: renewed, freshness(of: renewed), .revalidated) {
                    return answer
                }
                return try await exchange(about: nil).response
            case .answered: return try await exchange(about: found).response
            case .failed(let error): return try afterFailure(error, about: found)
            case .abandoned: continue
            }
        }
        return try await lead(id, about: found)
    }

    private func lead(
        _ id: Revalidations.ID, about found: StoredResponse
    ) async throws(TransportError) -> HTTP.Response {
        let end: Revalidations.End
        let result: Result<HTTP.Response, TransportError>
        do throws(TransportError) {
            let outcome = try await exchange(about: found, rescuing: false)
            end = outcome.renewed.map { .renewed($0) } ?? .answered
            result = .success(outcome.response)
        } catch {
            end = Task.isCancelled || error == .cancelled ? .abandoned : .failed(error)
            result = .failure(error)
        }
        cache.revalidations.end(id, as: end)
        switch result {
        case .success(let response): return response
        case .failure(let error): return try afterFailure(error, about: found)
        }
    }

    private var asksConditionally: Bool {
        Validators.conditionNames.contains { request.headers.contains($0) }
    }

    private typealias Outcome = (response: HTTP.Response, renewed: StoredResponse.Head?)

    /// One exchange with the server, and another where the first one's answer cannot be used.
    private func exchange(
        about found: StoredResponse?, rescuing: Bool = true, resuming: Bool = true
    ) async throws(TransportError) -> Outcome {
        let held = resuming ? await beginning(over: found) : nil
        let question = Question(request, policy: policy, about: found, resuming: held)
        let response: HTTP.Response
        let sentAt: Double
        let receivedAt: Double
        do throws(TransportError) {
            (response, sentAt, receivedAt) = try await send(question.request)
        } catch {
            guard rescuing, let found else { throw error }
            return (try afterFailure(error, about: found), nil)
        }
        let arrival = Arrival(response: response, sentAt: sentAt, receivedAt: receivedAt)
        if case .resumption(let held) = question.kind {
            switch response.status {
            case 206, 416:
                if let whole = await resumed(held, by: arrival) { return (whole, nil) }
                await dropParts(like: held)
                return try await exchange(about: found, rescuing: rescuing, resuming: false)
            case 200: await dropParts(like: held)  // it has changed
            case let status where Resumption.isNoAnswer(status):
                await dropParts(like: held)
                return try await exchange(about: found, rescuing: rescuing, resuming: false)
            default: break
            }
        }
        if let found {
            switch question.kind {
            case .validation where response.status == 304:
                if found.head.validators.contradict(response.headers) {
                    return try await exchange(about: nil)
                }
                return try await renewed(found, by: arrival)
            case .completion where response.status == 206 || response.status == 416:
                if let whole = completed(found, by: arrival) { return (whole, nil) }
                return try await exchange(about: nil)
            default: break
            }
            if policy == .standard, let failure = StaleAnswer.failure(status: response.status),
                StaleAnswer.isAllowed(
                    terms.judged(found.head), for: request.headers, after: failure,
                    now: cache.time.now),
                let stale = answer(from: found, freshness(of: found), .cache)
            {
                return (stale, nil)
            }
        }
        // To a condition of the caller's.
        if response.status == 304 { await refreshStored(by: arrival) }
        return (await offered(arrival, over: found), nil)
    }

    /// A 304 about what is stored: it holds for longer.
    private func renewed(
        _ found: StoredResponse, by arrival: Arrival
    ) async throws(TransportError) -> Outcome {
        let head = renewed(found.head, by: arrival)
        if policy.writesCache { await cache.store.replace(found.head, with: head, for: key) }
        let stored = StoredResponse(head: head, body: found.body)
        guard let answer = answer(from: stored, freshness(of: stored), .revalidated) else {
            return try await exchange(about: nil)
        }
        return (answer, head)
    }

    /// What answers when the server did not: what is stored, where that is allowed.
    private func afterFailure(
        _ error: TransportError, about found: StoredResponse
    ) throws(TransportError) -> HTTP.Response {
        guard policy == .standard, let failure = StaleAnswer.failure(error) else { throw error }
        if StaleAnswer.isAllowed(
            terms.judged(found.head), for: request.headers, after: failure, now: cache.time.now),
            let stale = answer(from: found, freshness(of: found), .cache, cause: error)
        {
            return stale
        }
        if found.head.kind == .complete, StaleAnswer.isForbidden(freshness(of: found)) {
            return gatewayTimeout(error)
        }
        throw error
    }

    /// Brings up to date what has answered stale, if nobody does already.
    private func refreshInBackground(_ found: StoredResponse) {
        if let refresh { return refresh() }
        let id = Revalidations.ID(key: key, head: found.head)
        guard !cache.isOffline, cache.revalidations.begin(id) else { return }
        var plain = request
        for name in ["Range"] + Validators.conditionNames { plain.headers.remove(name) }
        var asking = terms
        asking.policy = .revalidate
        let exchange = CachedExchange(
            cache: cache, request: plain, terms: asking, key: key, transport: transport,
            refresh: nil)
        Task(priority: .background) {
            _ = try? await exchange.lead(id, about: found).store()
        }
    }
}
