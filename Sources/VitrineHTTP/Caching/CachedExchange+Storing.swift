import FoundationEssentials
import VitrineBase

extension CachedExchange {
    /// More variants than this of one URL are not kept.
    private static let variantLimit = 8

    // MARK: Answers to GET

    /// The server's response with a ticket if it may be stored; if it may not, it makes what was
    /// stored outdated.
    func offered(_ arrival: Arrival, over found: StoredResponse?) async -> HTTP.Response {
        var response = arrival.response
        let head = newHead(of: arrival)
        response.freshUntil = head.freshness.freshUntil.map { Date(expiring: $0) }
        response.receivedAt = Date(timeIntervalSince1970: arrival.receivedAt)
        guard policy.writesCache else { return response }
        if mayStore(head, of: arrival) {
            response.ticket = ticket(head)
            response.place = place(of: head)
        } else if response.status == 200 || response.status == 410,
            !CacheControl(request.headers).has("no-store")
        {
            // The old answer is no longer the server's.
            for old in await cache.store.heads(for: key) where old.isSelected(by: request) {
                await cache.store.remove(variant: old.variant, for: key)
            }
        }
        return response
    }

    func mayStore(_ head: StoredResponse.Head, of arrival: Arrival) -> Bool {
        let response = arrival.response
        if terms.storesAlways, Storability.isWorthKeeping(response) { return true }
        return Storability.mayStore(
            status: response.status, headers: response.headers, request: request.headers,
            sentAt: arrival.sentAt, receivedAt: arrival.receivedAt, expiresAt: head.expiresAt)
    }

    /// The head of an answer as it is to be stored on these terms.
    private func newHead(of arrival: Arrival) -> StoredResponse.Head {
        var arrival = arrival
        if terms.storesAlways, Vary.names(in: arrival.response.headers) == nil {
            arrival.response.headers.remove("Vary")
        }
        var head = arrival.head(for: request)
        head.expiresAt = terms.expiryOfNew(
            status: head.status, receivedAt: arrival.receivedAt)
        head.url = urlBesideKey
        return head
    }

    /// The head of a stored response that an answer has confirmed, or whose part it has completed.
    func renewed(_ old: StoredResponse.Head, by arrival: Arrival) -> StoredResponse.Head {
        var head = old.merged(
            with: arrival.response.headers, sentAt: arrival.sentAt, receivedAt: arrival.receivedAt)
        head.expiresAt = terms.expiryOfRenewed(old, receivedAt: arrival.receivedAt)
        head.url = urlBesideKey
        return head
    }

    private var urlBesideKey: String? {
        terms.name == nil ? nil : ResponseKey.resource(of: request.url)
    }

    /// Where a response lies that has this head.
    func place(of head: StoredResponse.Head) -> HTTP.Response.Place {
        HTTP.Response.Place(key: key, variant: head.variant, url: head.url)
    }

    /// - Parameter holding: how many bytes of it the store has as parts.
    func ticket(_ head: StoredResponse.Head, holding: Int = 0) -> StoreTicket {
        let parts =
            Resumption.allows(head, to: request)
            ? PartKeeper(head, for: key, in: cache.store, stored: holding, time: cache.time) : nil
        return StoreTicket(parts: parts) { body in
            // One after another: between the look at what is stored and the change of it, another
            // answer to the same request could be stored.
            let outcome = await cache.turns.withTurn(for: key) { await keep(head, body) }
            if outcome.isChange { cache.configuration.onChange?(request.url) }
            await parts?.discardStored()
            return outcome
        }
    }

    /// Stores a response, joined with the part that is stored already; drops those whose place it
    /// takes.
    private func keep(
        _ head: StoredResponse.Head, _ body: BodySpool
    ) async -> StoreTicket.Outcome {
        var head = head
        var body = body
        if let range = ContentRange(ifPartial: head) {
            guard body.count == range.bytes.count,
                let joined = await joined(head, range, body)
            else { return StoreTicket.Outcome(isStored: false) }
            (head, body) = joined
        }
        let stored = await cache.store.heads(for: key)
        if stored.contains(where: { isNewer($0, than: head) }) {
            // Another process may have fetched the same a moment later: then it is stored.
            let isSame = await isStored(body, of: head)
            return StoreTicket.Outcome(isStored: isSame, isOutdated: !isSame)
        }
        let isChange = await isChange(head, body, from: stored)
        let isStored = await cache.store.store(head, body: body, for: key)
        var others = stored.filter { $0.variant != head.variant }
        for old in others where isSuperseded(old, by: head) {
            await cache.store.remove(variant: old.variant, for: key)
        }
        others.removeAll { isSuperseded($0, by: head) }
        others.sort { $0.receivedAt > $1.receivedAt }
        for old in others.dropFirst(Self.variantLimit - 1) {
            await cache.store.remove(variant: old.variant, for: key)
        }
        return StoreTicket.Outcome(isStored: isStored, isChange: isStored && isChange)
    }

    /// Whether a whole response of the same variant has these very bytes.
    private func isStored(_ body: BodySpool, of head: StoredResponse.Head) async -> Bool {
        guard head.kind == .complete,
            let stored = await cache.store.response(
                for: key,
                choosing: { [variant = head.variant] heads in
                    heads.firstIndex { $0.variant == variant && $0.kind == .complete }
                })
        else { return false }
        return await BodyMark(body) == BodyMark(stored.body)
    }

    /// Whether there is a whole response that the same request selects, of other bytes.
    private func isChange(
        _ head: StoredResponse.Head, _ body: BodySpool, from stored: [StoredResponse.Head]
    ) async -> Bool {
        guard head.kind == .complete,
            stored.contains(where: { $0.kind == .complete && $0.isSelected(by: request) }),
            let old = await cache.store.response(
                for: key,
                choosing: { [request] heads in
                    heads.indices.filter {
                        heads[$0].kind == .complete && heads[$0].isSelected(by: request)
                    }.max { heads[$0].receivedAt < heads[$1].receivedAt }
                })
        else { return false }
        return await BodyMark(body) != BodyMark(old.body)
    }

    /// Whether what is stored was asked for later, so that an answer that was long on its way does not
    /// take its place. A moment that is still to come is one of a clock that has been set back.
    private func isNewer(
        _ stored: StoredResponse.Head, than head: StoredResponse.Head
    ) -> Bool {
        stored.variant == head.variant && stored.sentAt > head.sentAt
            && stored.sentAt <= cache.time.now
    }

    /// Whether the same request selects both, and the newer one is as good: an error does not
    /// displace a picture, nor a part the whole.
    private func isSuperseded(
        _ old: StoredResponse.Head, by new: StoredResponse.Head
    ) -> Bool {
        (new.kind == .complete || new.kind == old.kind) && old.isSelected(by: request)
    }

    private func joined(
        _ head: StoredResponse.Head, _ range: ContentRange, _ body: BodySpool
    ) async -> (StoredResponse.Head, BodySpool)? {
        let variant = head.variant
        let stored = await cache.store.response(for: key) { heads in
            heads.firstIndex { $0.variant == variant }
        }
        if let stored, let held = ContentRange(ifPartial: stored.head),
            PartialContent.belongTogether(stored.head.validators, head.validators),
            let bytes = try? await body.bytes(),
            let joined = PartialContent.join((held, stored.body), (range, bytes))
        {
            let merged = stored.head.merged(
                with: head.headers, sentAt: head.sentAt, receivedAt: head.receivedAt)
            return (PartialContent.head(merged, holding: joined.range), BodySpool(joined.bytes))
        }
        return (PartialContent.head(head, holding: range), body)
    }

    // MARK: Completing a part

    /// The whole, from a stored part and the rest that has come; nil if they do not belong together.
    func completed(_ found: StoredResponse, by arrival: Arrival) -> HTTP.Response? {
        var response = arrival.response
        let new = newHead(of: arrival)
        guard response.status == 206, let held = ContentRange(ifPartial: found.head),
            let rest = ContentRange(ifPartial: new), held.bytes.count == found.body.count,
            PartialContent.belongTogether(found.head.validators, new.validators),
            let total = rest.total, held.total ?? total == total
        else { return nil }
        let isTail =
            held.bytes.lowerBound == 0 && rest.bytes.lowerBound == held.bytes.upperBound
            && rest.bytes.upperBound == total
        let isHead =
            held.bytes.upperBound == total && rest.bytes.lowerBound == 0
            && rest.bytes.upperBound == held.bytes.lowerBound
        guard isTail || isHead, total <= request.maximumBodyBytes else { return nil }
        let head = PartialContent.head(
            renewed(found.head, by: arrival), holding: ContentRange(bytes: 0..<total, total: total))
        response.status = head.status
        response.headers = head.headers
        response.body = .joining(found.body, response.body, isFirst: isTail, expecting: total)
        response.heldBytes = found.body.count
        response.freshUntil = head.freshness.freshUntil.map { Date(expiring: $0) }
        response.receivedAt = Date(timeIntervalSince1970: arrival.receivedAt)
        if policy.writesCache {
            response.ticket = ticket(head)
            response.place = place(of: head)
        }
        return response
    }

    // MARK: Answers that update what is stored

    /// A 304 to the caller's own condition renews what is stored, if it is surely about that (RFC
    /// 9111, section 4.3.4).
    func refreshStored(by arrival: Arrival) async {
        guard policy.writesCache, let tag = EntityTag(arrival.response.headers) else { return }
        for old in await cache.store.heads(for: key) {
            guard old.kind == .complete, old.isSelected(by: request),
                let own = EntityTag(old.headers), own.matchesStrongly(tag)
            else { continue }
            await renew(old, by: arrival)
        }
    }

    /// The answer to a `HEAD` renews what is stored if it agrees with it, and removes it otherwise
    /// (RFC 9111, section 4.3.5).
    func update(by response: HTTP.Response, sentAt: Double, receivedAt: Double) async {
        let arrival = Arrival(response: response, sentAt: sentAt, receivedAt: receivedAt)
        let length = response.headers.first("Content-Length")
        for old in await cache.store.heads(for: key)
        where old.kind == .complete && old.isSelected(by: request) {
            let isSameLength = length == nil || old.headers.first("Content-Length") == length
            if isSameLength, !old.validators.contradict(response.headers) {
                await renew(old, by: arrival)
            } else {
                await cache.store.remove(variant: old.variant, for: key)
            }
        }
    }

    private func renew(_ old: StoredResponse.Head, by arrival: Arrival) async {
        await cache.store.replace(old, with: renewed(old, by: arrival), for: key)
    }

    // MARK: Other methods

    /// Passes a request on. If it may have changed something, what is stored is outdated.
    func forward() async throws(TransportError) -> HTTP.Response {
        if let answer = try withoutNetwork() { return answer }
        let (answer, sentAt, receivedAt) = try await send(request)
        var response = answer
        for url in RelatedURL.invalidated(by: response.status, response.headers, to: request) {
            await cache.store.removeAll(for: url)
        }
        guard request.method == .post, policy.writesCache,
            Storability.mayStorePost(
                status: response.status, headers: response.headers, request: request,
                sentAt: sentAt, receivedAt: receivedAt)
        else { return response }
        let arrival = Arrival(response: response, sentAt: sentAt, receivedAt: receivedAt)
        let head = newHead(of: arrival)
        response.ticket = ticket(head)
        response.place = place(of: head)
        return response
    }
}

/// Enough of a body to tell whether another one is the same.
private struct BodyMark: Equatable {
    let count: Int
    let checksum: UInt64

    init(_ bytes: Data) {
        count = bytes.count
        checksum = bytes.withUnsafeBytes { Checksum.of($0) }
    }

    /// Nil if the body cannot be read.
    init?(_ spool: BodySpool) async {
        var sum = Checksum()
        var length = 0
        do {
            for try await chunk in spool.reader() {
                chunk.withUnsafeBytes { sum.update($0) }
                length += chunk.count
            }
        } catch {
            return nil
        }
        count = length
        checksum = sum.value
    }
}
