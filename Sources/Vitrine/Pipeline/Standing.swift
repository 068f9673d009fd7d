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
    /// The user as whom the load's own URL is asked, if there is a credential.
    var user: String?
    /// Counts changes of the credentials: loads of before and after share no transfer, only caches.
    var revision = 0

    /// As everybody.
    static let nobody = Standing()

    /// Whose images are those of the load's own URL, where no partition is named: those of its secrets,
    /// and of its user. The name is one that no caller gives, and has no password: a new one keeps
    /// what is in memory.
    func partition(with secrets: String?) -> String? {
        guard let user else { return secrets }
        return "\u{1}\(user.utf8.count):\(user)\(secrets ?? "")"
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
        // Every look into memory comes by here.
        guard jar != nil || state.withLock({ $0.revision > 0 }), request.isOverHTTP else {
            return .nobody
        }
        let state = state.withLock { $0 }
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
        standing.user = standing.credentials.credential(for: request.url)?.user
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
