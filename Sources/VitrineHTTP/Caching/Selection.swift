/// The choice among the stored responses of one URL (RFC 9111, sections 4 and 4.1).
struct Selection: Sendable {
    let request: HTTP.Request
    let terms: HTTPCache.Terms
    let now: Double

    init(_ request: HTTP.Request, terms: HTTPCache.Terms, now: Double) {
        self.request = request
        self.terms = terms
        self.now = now
    }

    /// The one that answers, else the one that the server is best asked about; nil if none matches.
    ///
    /// Among equals the one received last counts.
    func choose(_ heads: [StoredResponse.Head]) -> Int? {
        heads.indices.filter { isUseful(heads[$0]) }.max { rank(heads[$0]) < rank(heads[$1]) }
    }

    /// What the chosen one is good for; `freshness` is its own.
    func reuse(_ head: StoredResponse.Head, _ freshness: Freshness) -> Reuse {
        guard covers(head) else { return .ask }
        return Reuse.of(head, freshness, for: request.headers, policy: terms.policy, now: now)
    }

    private func reuse(_ head: StoredResponse.Head) -> Reuse {
        reuse(head, terms.judged(head).freshness)
    }

    private func isUseful(_ head: StoredResponse.Head) -> Bool {
        guard head.isSelected(by: request) else { return false }
        switch head.kind {
        case .complete: return true
        case .error: return reuse(head) != .ask
        case .partial:
            return request.method == .get && (covers(head) || !request.headers.contains("Range"))
        }
    }

    /// Whether all that is asked for is in it.
    private func covers(_ head: StoredResponse.Head) -> Bool {
        guard head.kind == .partial else {
            // Several ranges, or units other than bytes, are the server's to answer.
            return !request.headers.contains("Range") || ByteRange(request.headers) != nil
        }
        guard let range = ByteRange(request.headers), let held = ContentRange(head.headers)
        else { return false }
        return PartialContent.covers(held, range)
    }

    private func rank(_ head: StoredResponse.Head) -> (Int, Int, Double) {
        // Where age does not count, the picture goes before the word that there is none.
        let isGood = head.kind == .complete ? 1 : 0
        let reuse = reuse(head).rawValue
        switch terms.policy {
        case .cacheElseLoad, .cacheOnly: return (min(reuse, 1), isGood, head.receivedAt)
        default: return (reuse, reuse == 0 ? isGood : 0, head.receivedAt)
        }
    }
}
