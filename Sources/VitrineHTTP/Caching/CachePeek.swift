package import FoundationEssentials
import VitrineBase

/// Looks at what a cache has for a journey, hop by hop, without reading a body, asking a server or
/// counting as a use.
///
/// As a transport below a ``RedirectFollower`` it goes where stored redirects lead;
/// ``TransportError/cacheMiss`` where nothing is stored.
package final class CachePeek: Transport {
    /// What is known of a stored response.
    package struct Finding: Sendable {
        /// The URL that was asked for it.
        package let url: URL
        package let record: StoredRecord
        /// Until when it answers unasked by these terms; nil if it was stale on arrival.
        package let freshUntil: Date?
        /// How old it is, in seconds.
        package let age: Double
    }

    private let cache: HTTPCache
    private let terms: HTTPCache.Terms
    private let journey: Journey
    private let found = Lock<Finding?>(nil)

    package init(_ cache: HTTPCache, on terms: HTTPCache.Terms) {
        var terms = terms
        terms.policy = .cacheOnly
        self.cache = cache
        self.terms = terms
        journey = Journey(terms)
    }

    /// The stored response at the end of the journey, as far as it has come.
    package var finding: Finding? { found.withLock { $0 } }

    package func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        let records = await cache.store.records(for: journey.key(of: request))
        let now = cache.time.now
        let selection = Selection(request, terms: terms, now: now)
        guard let index = selection.choose(records.map(\.head)) else { throw .cacheMiss }
        let record = records[index]
        let freshness = terms.judged(record.head).freshness
        let finding = Finding(
            url: request.url, record: record,
            freshUntil: freshness.freshUntil.map { Date(expiring: $0) },
            age: freshness.age.at(now))
        found.withLock { $0 = finding }
        return HTTP.Response(
            url: request.url, status: record.head.status, headers: record.head.headers,
            source: .cache)
    }
}
