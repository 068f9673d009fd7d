import FoundationEssentials
package import VitrineBase

/// A private cache between a transport and whoever follows redirects.
///
/// Each exchange is answered from the store where the policy and HTTP allow it, revalidated where a
/// validator is stored, and passed on otherwise. A response is fresh as long as its own
/// `Cache-Control: max-age` or `Expires` says, nothing else counts. Only complete answers to `GET`
/// with status 200 are stored, never those marked `no-store` or `Vary: *`.
///
/// A response that may be stored carries a ``StoreTicket``: whoever has read its whole body and found
/// it good hands it over. Nothing is stored otherwise, so that a truncated or undecodable body never
/// becomes an entry.
public struct HTTPCache: Sendable {
    private let transport: any Transport
    private let store: any ResponseStore
    private let time: TimeSource

    /// A cache in front of `transport` that keeps its responses in `store`.
    public init(over transport: any Transport, store: any ResponseStore) {
        self.init(over: transport, store: store, time: .system)
    }

    package init(over transport: any Transport, store: any ResponseStore, time: TimeSource) {
        self.transport = transport
        self.store = store
        self.time = time
    }

    /// This cache as a transport for exchanges of one policy and one credential partition.
    ///
    /// - Parameter partition: whose responses are used; nil goes by each request's `Authorization`.
    public func transport(
        policy: CachePolicy = .standard, partition: String? = nil
    ) -> some Transport {
        View(cache: self, policy: policy, partition: partition)
    }

    private struct View: Transport {
        let cache: HTTPCache
        let policy: CachePolicy
        let partition: String?

        func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
            try await cache.exchange(request, policy, partition)
        }
    }

    private func exchange(
        _ request: HTTP.Request, _ policy: CachePolicy, _ partition: String?
    ) async throws(TransportError) -> HTTP.Response {
        guard request.method == .get, request.headers["Range"] == nil else {
            return try await transport.exchange(request)
        }
        let key = ResponseKey(request, partition: partition)
        var stored: StoredResponse?
        if policy.readsCache, let found = await store.response(for: key),
            found.head.isSelected(by: request)
        {
            if mayReuse(found.head, policy) {
                return response(to: request, from: found, source: .cache)
            }
            stored = found
        }
        if policy == .cacheOnly { throw .cacheMiss }
        return try await ask(request, policy, key, stored)
    }

    private func mayReuse(_ head: StoredResponse.Head, _ policy: CachePolicy) -> Bool {
        let isFresh = freshUntil(head).map { time.now < $0 } ?? false
        if policy == .revalidate, isFresh, CacheControl(head.httpHeaders).has("immutable") {
            return true
        }
        return policy.mayReuse(isFresh: isFresh)
    }

    private func ask(
        _ request: HTTP.Request, _ policy: CachePolicy, _ key: ResponseKey,
        _ stored: StoredResponse?
    ) async throws(TransportError) -> HTTP.Response {
        var asked = request
        let validators = stored.map { conditions(for: $0.head, unless: request) } ?? []
        for (name, value) in validators { asked.headers[name] = value }
        if policy == .reload, asked.headers["Cache-Control"] == nil {
            asked.headers["Cache-Control"] = "no-cache"  // RFC 9111, section 5.2.1.4
        }
        let sentAt = time.now
        var response = try await transport.exchange(asked)
        let receivedAt = time.now
        if response.status == 304, let stored, !validators.isEmpty {
            if isAboutAnother(response.headers, than: stored.head.httpHeaders) {
                return try await ask(request, policy, key, nil)
            }
            let head = stored.head.merged(
                with: response.headers, sentAt: sentAt, receivedAt: receivedAt)
            await store.update(head, for: key)
            let renewed = StoredResponse(head: head, body: stored.body)
            return self.response(to: request, from: renewed, source: .revalidated)
        }
        response.freshUntil = Freshness.freshUntil(
            headers: response.headers, sentAt: sentAt, receivedAt: receivedAt
        ).map { Date(timeIntervalSince1970: $0) }
        let head = StoredResponse.Head(
            status: response.status, headers: response.headers, request: request, sentAt: sentAt,
            receivedAt: receivedAt)
        if policy.writesCache, isStorable(response, to: request, head) {
            response.ticket = StoreTicket { [store] body in
                await store.store(head, body: body, for: key)
            }
        } else if policy.writesCache, response.status == 200 || response.status == 410 {
            await store.remove(key)  // the old answer is no longer the server's
        }
        return response
    }

    /// Conditional headers (RFC 9110, section 13.1), unless the caller has set some.
    private func conditions(
        for head: StoredResponse.Head, unless request: HTTP.Request
    ) -> [(String, String)] {
        let callers = [
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range",
        ]
        guard callers.allSatisfy({ request.headers[$0] == nil }) else { return [] }
        let headers = head.httpHeaders
        var result: [(String, String)] = []
        if let tag = validator("ETag", headers) { result.append(("If-None-Match", tag)) }
        if let date = validator("Last-Modified", headers) {
            result.append(("If-Modified-Since", date))
        }
        return result
    }

    /// A validator that can be sent back. One that no server would take, or that would make the
    /// request invalid, must not keep the picture from being asked for.
    private func validator(_ name: String, _ headers: HTTP.Headers) -> String? {
        guard let value = headers.values(for: name).first, !value.isEmpty,
            value.utf8.count <= 1024, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return value
    }

    /// Whether a 304 speaks of another version than the one that is stored (RFC 9111, section
    /// 4.3.4). Weak tags are compared as strong ones: a server may add the mark on its way.
    private func isAboutAnother(_ notModified: HTTP.Headers, than stored: HTTP.Headers) -> Bool {
        func opaque(_ headers: HTTP.Headers) -> Substring? {
            headers.values(for: "ETag").first.map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...] }
        }
        guard let new = opaque(notModified), let old = opaque(stored) else { return false }
        return new != old
    }

    private func isStorable(
        _ response: HTTP.Response, to request: HTTP.Request, _ head: StoredResponse.Head
    ) -> Bool {
        response.status == 200
            && !CacheControl(response.headers).has("no-store")
            && !CacheControl(request.headers).has("no-store")
            && !head.selectedBy.contains { $0.name == "*" }
    }

    private func freshUntil(_ head: StoredResponse.Head) -> Double? {
        Freshness.freshUntil(
            headers: head.httpHeaders, sentAt: head.sentAt, receivedAt: head.receivedAt)
    }

    private func response(
        to request: HTTP.Request, from stored: StoredResponse, source: HTTP.Response.Source
    ) -> HTTP.Response {
        var response = HTTP.Response(
            url: request.url, status: stored.head.status, headers: stored.head.httpHeaders,
            body: .bytes(stored.body), source: source)
        response.freshUntil = freshUntil(stored.head).map { Date(timeIntervalSince1970: $0) }
        return response
    }
}
