public import FoundationEssentials
package import VitrineBase

/// A private cache (RFC 9111) between a transport and whoever follows redirects, so that each hop is
/// cached by itself.
///
/// Each exchange is answered from the store where the policy and HTTP allow it, revalidated where a
/// validator is stored, and passed on otherwise. Equal revalidations are made once at a time. Ranges
/// are taken from what is stored, whole or in part. What is past its time may answer while it is
/// brought up to date (`stale-while-revalidate`), after an error (`stale-if-error`), and where the
/// server cannot be reached, unless it says `must-revalidate` or `no-cache`; then the answer is a 504
/// whose ``HTTP/Response/cause`` says why. An unsafe request that succeeds makes outdated what is
/// stored for its URL.
///
/// A response that may be stored carries a ``StoreTicket``: whoever has read its whole body and found
/// it good hands it over. Nothing is stored otherwise, so that a truncated or undecodable body never
/// becomes an entry.
///
/// Copies of a value share their state.
public struct HTTPCache: Sendable {
    /// What can be set about a cache.
    public struct Configuration: Sendable {
        /// Called after a response was stored in place of one of other bytes, on no thread in
        /// particular; quick. The URL is the one that was asked.
        public var onChange: (@Sendable (URL) -> Void)?

        /// A configuration in which nobody is told of changes.
        public init() {}
    }

    let transport: any Transport
    let store: any ResponseStore
    let configuration: Configuration
    let time: TimeSource
    let revalidations = Revalidations()
    let turns = KeyTurns()
    private let offline = Lock(false)

    /// A cache in front of `transport` that keeps its responses in `store`.
    public init(
        over transport: any Transport, store: any ResponseStore,
        configuration: Configuration = Configuration()
    ) {
        self.init(over: transport, store: store, configuration: configuration, time: .system)
    }

    package init(
        over transport: any Transport, store: any ResponseStore,
        configuration: Configuration = Configuration(), time: TimeSource
    ) {
        self.transport = transport
        self.store = store
        self.configuration = configuration
        self.time = time
    }

    /// While it is true, no request is sent. What is stored answers as if the server could not be
    /// reached, and ``TransportError/cacheMiss`` is thrown where nothing may.
    public var isOffline: Bool {
        get { offline.withLock { $0 } }
        nonmutating set { offline.withLock { $0 = newValue } }
    }

    /// This cache as a transport for exchanges of one policy and one credential partition.
    ///
    /// - Parameter partition: whose responses are used; nil goes by each request's secrets.
    public func transport(
        policy: CachePolicy = .standard, partition: String? = nil
    ) -> some Transport {
        view(Terms(policy: policy, partition: partition), over: transport, refresh: nil)
    }

    /// This cache as a transport for the exchanges of one journey, on these terms.
    public func transport(on terms: Terms) -> some Transport {
        view(terms, over: transport, refresh: nil)
    }

    /// The same over another way to the servers.
    ///
    /// - Parameter refresh: brings a response that has answered stale up to date, in place of the
    ///   cache itself, which stores any complete body.
    package func transport(
        on terms: Terms, over transport: any Transport, refresh: (@Sendable () -> Void)?
    ) -> some Transport {
        view(terms, over: transport, refresh: refresh)
    }

    private func view(
        _ terms: Terms, over transport: any Transport, refresh: (@Sendable () -> Void)?
    ) -> View {
        View(
            cache: self, terms: terms, journey: Journey(terms), transport: transport,
            refresh: refresh)
    }

    private struct View: Transport {
        let cache: HTTPCache
        let terms: Terms
        let journey: Journey
        let transport: any Transport
        let refresh: (@Sendable () -> Void)?

        func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
            try await CachedExchange(
                cache: cache, request: request, terms: terms, key: journey.key(of: request),
                transport: transport, refresh: refresh
            ).run()
        }
    }

    /// Forgets a response that turned out to be damaged, if it is still what is stored.
    func remove(_ head: StoredResponse.Head, for key: ResponseKey) async {
        await turns.withTurn(for: key) {
            guard await store.heads(for: key).contains(head) else { return }
            await store.remove(variant: head.variant, for: key)
        }
    }

    /// Forgets all that is stored for the URL: every variant, in every partition.
    public func removeAll(for url: URL) async { await store.removeAll(for: url) }

    /// Forgets all that is stored under the name, see ``Terms/name``.
    public func removeAll(named name: String) async { await store.removeAll(named: name) }
}
