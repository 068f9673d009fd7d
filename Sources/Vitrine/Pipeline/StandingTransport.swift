import FoundationEssentials
import VitrineBase
import VitrineHTTP

/// Asks for each hop of a load as whoever the load is there: with the cookies of the hop's own URL, as
/// the user whose credential its origin has, and over TLS with the loader's certificate.
///
/// It stands between `RedirectFollower` and the cache, so that the cache sees what is sent.
struct StandingTransport: Transport {
    let standing: Standing
    /// By what the certificate is known that servers are shown; see ``SourceFetcher/shownCertificate()``.
    let certificate: String?
    let request: ImageRequest
    /// Set when a hop belongs to somebody whom the load's own URL does not name: then what comes of it
    /// must not be found under that URL by others.
    let belongsToAnother: Lock<Bool>
    /// The way through the cache.
    let cached: any Transport

    func exchange(_ hop: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        var hop = hop
        if let jar = standing.jar {
            let cookie = hop.url == request.url ? standing.cookie : jar.cookies(for: hop.url)
            hop.headers["Cookie"] = cookie
            if cookie != nil, cookie != standing.cookie { belongsToAnother.withLock { $0 = true } }
        }
        hop.user = standing.credentials.credential(for: hop.url)?.user
        if hop.url.scheme?.lowercased() == "https" { hop.certificate = certificate }
        if hop.user != nil, !isAtHome(hop.url) { belongsToAnother.withLock { $0 = true } }
        return try await cached.exchange(hop)
    }

    /// Equal names at two origins need not be of one person.
    private func isAtHome(_ url: URL) -> Bool {
        guard let own = try? Origin(request.url), let other = try? Origin(url) else { return false }
        return own == other
    }
}

extension Standing {
    /// The way to the servers, on which challenges are answered and cookies received.
    func network(over base: any Transport, _ challenges: ChallengeMemory) -> any Transport {
        let heard: any Transport = jar.map { $0.listening(to: base) } ?? base
        guard !credentials.isEmpty else { return heard }
        return Authenticator(over: heard, credentials: credentials, memory: challenges)
    }
}
