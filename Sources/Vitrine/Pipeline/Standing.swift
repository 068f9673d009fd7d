import FoundationEssentials
import VitrineBase
import VitrineHTTP

/// As whom a load asks: the credentials and the cookies that it has, as they were when it began, since
/// what a caller changes later counts for later loads.
struct Standing: Sendable {
    /// By origin; that of the whole loader under the origin of the load's own URL.
    var credentials = Credentials()
    /// Where redirects get their cookies.
    var jar: CookieJar?
    /// The `Cookie` header for the load's own URL, if it has none of its own.
    var cookie: String?
    /// Whose responses those of the load's own URL are; nil for everybody's.
    var owner: String?
    /// Counts changes of the credentials: loads of before and after share no transfer, only caches.
    var revision = 0

    /// As everybody.
    static let nobody = Standing()

    /// As whom a redirect, or the load's own URL, is asked. A name that no caller can give, and no
    /// password: a new one keeps the cache.
    static func owner(_ credential: Credential?, cookie: String?) -> String? {
        guard credential != nil || cookie != nil else { return nil }
        let user = credential.map { "\u{1}user \($0.user)" } ?? ""
        return user + (cookie.map { "\u{1}cookie \($0)" } ?? "")
    }
}

/// The credentials of a loader, which may change while it runs, and its cookies.
final class Credentialing: Sendable {
    private struct State {
        var credentials = Credentials()
        var forChallenges: Credential?
        var revision = 0
    }

    let challenges = ChallengeMemory()
    private let state = Lock(State())
    private let jar: CookieJar?

    init(jar: CookieJar?) { self.jar = jar }

    /// As whom the request asks, if it begins now.
    func standing(for request: ImageRequest) -> Standing {
        let state = state.withLock { $0 }
        guard state.revision > 0 || jar != nil, request.isOverHTTP else { return .nobody }
        var standing = Standing(revision: state.revision)
        if !request.hasHeader("Authorization"), request.url.user() == nil {
            standing.credentials = state.credentials
            if state.credentials.credential(for: request.url) == nil,
                var credential = state.forChallenges
            {
                credential.isSentUnasked = false
                // What is not HTTP after all is told by the transport.
                try? standing.credentials.set(credential, forOriginOf: request.url)
            }
        }
        if !request.hasHeader("Cookie"), let jar {
            standing.jar = jar
            standing.cookie = jar.cookies(for: request.url)
        }
        standing.owner = Standing.owner(
            standing.credentials.credential(for: request.url), cookie: standing.cookie)
        return standing
    }

    func setForChallenges(_ credential: Credential?) {
        state.withLock { state in
            state.forChallenges = credential
            state.revision &+= 1
        }
    }

    func set(_ credential: Credential?, forOriginOf url: URL) throws(TransportError) {
        var failure: TransportError?
        state.withLock { state in
            do throws(TransportError) {
                try state.credentials.set(credential, forOriginOf: url)
                state.revision &+= 1
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func removeAll() {
        state.withLock { state in
            state.credentials = Credentials()
            state.forChallenges = nil
            state.revision &+= 1
        }
    }
}

extension ImageRequest {
    fileprivate func hasHeader(_ name: String) -> Bool {
        headers.keys.contains { $0.lowercased() == name.lowercased() }
    }

    fileprivate var isOverHTTP: Bool {
        let scheme = url.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }
}
