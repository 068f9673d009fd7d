import FoundationEssentials

/// The answer that a stored response gives to a request (RFC 9111, section 4).
struct StoredAnswer: Sendable {
    private let stored: StoredResponse
    private let freshness: Freshness
    private let source: HTTP.Response.Source
    private let now: Double
    private let cause: TransportError?

    /// - Parameters:
    ///   - freshness: that of the stored response.
    ///   - source: whether the server was asked.
    ///   - cause: why it could not be asked, although it had to be.
    init(
        _ stored: StoredResponse, _ freshness: Freshness, source: HTTP.Response.Source, now: Double,
        cause: TransportError? = nil
    ) {
        self.stored = stored
        self.freshness = freshness
        self.source = source
        self.now = now
        self.cause = cause
    }

    private var head: StoredResponse.Head { stored.head }

    /// The whole, the part that the request's range names, or the 304 or 416 that its conditions
    /// lead to; nil if what is stored cannot answer it.
    func response(to request: HTTP.Request) -> HTTP.Response? {
        var response = HTTP.Response(
            url: request.url, status: head.status, headers: headers, source: source,
            freshUntil: freshness.freshUntil.map { Date(expiring: $0) }, cause: cause)
        response.receivedAt = Date(timeIntervalSince1970: head.receivedAt)
        if head.status == 200,
            Precondition.isMet(
                by: request.headers, stored: head.headers, receivedAt: head.receivedAt)
        {
            response.status = 304
            response.headers = Precondition.notModifiedFields(response.headers)
            return response
        }
        guard request.method == .get else { return response }
        response.body = .bytes(stored.body)
        guard let range = ByteRange(request.headers), head.kind == .partial || head.status == 200,
            Precondition.allowsRange(
                request.headers, of: head.headers, receivedAt: head.receivedAt)
        else { return head.kind == .partial ? nil : response }
        return limited(response, to: range)
    }

    /// What was stored, with its age; without the fields that must not be used before the server was
    /// asked, unless it was.
    private var headers: HTTP.Headers {
        var headers = head.headers
        guard source == .cache else { return headers }
        let hidden = freshness.control.noCacheFields
        if !hidden.isEmpty { headers = headers.filtered { !hidden.contains($0.name.lowercased()) } }
        headers["Age"] = String(Int(min(freshness.age.at(now), Double(DeltaSeconds.limit))))
        return headers
    }

    private func limited(_ whole: HTTP.Response, to range: ByteRange) -> HTTP.Response? {
        var response = whole
        if let part = PartialContent.part(range, of: stored) {
            response.status = 206
            response.headers["Content-Range"] = part.range.text
            response.headers["Content-Length"] = String(part.bytes.count)
            response.body = .bytes(part.bytes)
        } else {
            guard head.kind != .partial else { return nil }
            response.status = 416
            response.headers["Content-Range"] = "bytes */\(stored.body.count)"
            response.headers["Content-Length"] = "0"
            response.body = .bytes(Data())
        }
        return response
    }
}
