import FoundationEssentials
import VitrineBase

extension CachedExchange {
    /// What is held of a response that was cut off, if the rest of it may be asked for.
    ///
    /// What is stored whole and came later is the newer one.
    func beginning(over found: StoredResponse?) async -> Resumption.Beginning? {
        guard policy.readsCache, Resumption.allows(request), found?.head.kind != .partial else {
            return nil
        }
        let heads = await cache.store.parts(for: key)
        guard !heads.isEmpty,
            let held = Resumption.Beginning(heads, for: request, now: cache.time.now)
        else { return nil }
        if let found, found.head.receivedAt > held.head.receivedAt { return nil }
        return held
    }

    /// The whole, from what is held and the rest that comes; nil if they do not belong together, or
    /// if the store has lost or damaged what it held.
    func resumed(
        _ held: Resumption.Beginning, by arrival: Arrival
    ) async -> HTTP.Response? {
        var response = arrival.response
        guard let total = held.total(with: response, receivedAt: arrival.receivedAt),
            total <= request.maximumBodyBytes, let start = await spool(of: held)
        else { return nil }
        let head = PartialContent.head(
            renewed(held.head, by: arrival), holding: ContentRange(bytes: 0..<total, total: total))
        response.status = head.status
        response.headers = head.headers
        response.body = .continuing(start, with: response.body, expecting: total)
        response.freshUntil = head.freshness.freshUntil.map { Date(expiring: $0) }
        response.receivedAt = Date(timeIntervalSince1970: arrival.receivedAt)
        response.discard = { await dropParts(like: held) }
        response.heldBytes = start.count
        if mayStore(
            head,
            of: Arrival(
                response: response, sentAt: arrival.sentAt, receivedAt: arrival.receivedAt))
        {
            response.ticket = ticket(head, holding: held.count)
            response.place = place(of: head)
        }
        return response
    }

    /// Copied, so that it cannot vanish or change while it is read; a temporary file, if it is long.
    private func spool(of held: Resumption.Beginning) async -> BodySpool? {
        let spool = BodySpool()
        for head in held.parts {
            guard let range = ContentRange(ifPartial: head),
                let bytes = await cache.store.part(head, for: key),
                bytes.count == range.bytes.count, (try? await spool.append(bytes)) != nil
            else { return nil }
        }
        spool.finish()
        return spool
    }

    func dropParts(like held: Resumption.Beginning) async {
        await cache.store.removeParts(variant: held.head.variant, for: key)
    }
}
