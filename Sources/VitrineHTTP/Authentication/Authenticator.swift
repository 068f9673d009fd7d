import FoundationEssentials
import VitrineBase

/// Answers the challenges of servers with credentials, over any transport.
///
/// A credential is shown to its own origin only. After a 401 the request is sent once more with the
/// answer to the server's challenge, `Digest` before `Basic`; a second 401 is the response. What a
/// server has challenged with `Digest` is remembered, so that later requests need one exchange. A
/// request that has an `Authorization` of its own, or a user in its URL, is sent as it is.
///
/// It belongs below a cache and below ``RedirectFollower``, which asks for each redirect anew.
public struct Authenticator: Transport {
    private let base: any Transport
    private let credentials: Credentials
    private let memory: ChallengeMemory
    private let makeClientNonce: @Sendable () -> String

    /// Answers with these credentials what servers behind `base` ask.
    public init(over base: any Transport, credentials: Credentials) {
        self.init(over: base, credentials: credentials, memory: ChallengeMemory())
    }

    package init(
        over base: any Transport, credentials: Credentials, memory: ChallengeMemory,
        makeClientNonce: @escaping @Sendable () -> String = Self.randomNonce
    ) {
        self.base = base
        self.credentials = credentials
        self.memory = memory
        self.makeClientNonce = makeClientNonce
    }

    package static let randomNonce: @Sendable () -> String = {
        String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
            + String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
    }

    /// One exchange, or two where the server asks who is there.
    public func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        guard let credential = credentials.credential(for: request.url),
            !request.headers.contains("Authorization"), request.url.user() == nil
        else { return try await base.exchange(request) }
        let origin = try Origin(request.url)
        let request = Self.withoutDotSegments(request)

        var first = request
        let remembered = memory.take(for: origin, credential)
        if let (challenge, count) = remembered {
            first.headers["Authorization"] = answer(challenge, count, credential, request)
        } else if credential.isSentUnasked, let basic = Self.basic(credential) {
            first.headers["Authorization"] = basic
        }
        let response = try await base.exchange(first)
        guard response.status == 401 else { return response }
        if let remembered { memory.forget(remembered.challenge, of: origin, credential) }

        let challenges = Challenge.all(in: response.headers.values(for: "WWW-Authenticate"))
        var second = request
        var answered: DigestAnswer?
        if credential.schemes.contains(.digest),
            let challenge = challenges.lazy.compactMap({ DigestAnswer($0) }).first
        {
            let count = memory.keep(challenge, for: origin, credential)
            second.headers["Authorization"] = answer(challenge, count, credential, request)
            answered = challenge
        } else if challenges.contains(where: { $0.scheme == "basic" }),
            credential.schemes.contains(.basic), let basic = Self.basic(credential),
            first.headers["Authorization"] != basic
        {
            second.headers["Authorization"] = basic
        } else {
            return response
        }
        if let left = request.timeouts.total, let spent = response.timings.firstByte {
            second.timeouts.total = max(.zero, left - spent)
        }
        try await response.drain()
        let last = try await base.exchange(second)
        if last.status == 401, let answered { memory.forget(answered, of: origin, credential) }
        return last
    }

    private func answer(
        _ challenge: DigestAnswer, _ count: UInt32, _ credential: Credential,
        _ request: HTTP.Request
    ) -> String {
        challenge.header(
            credential, method: request.method.rawValue, target: Self.target(of: request.url),
            count: count, clientNonce: makeClientNonce())
    }

    /// Nil where the name has a colon, which `Basic` cannot say, or either has control characters
    /// (RFC 7617 §2).
    static func basic(_ credential: Credential) -> String? {
        let text = "\(credential.user):\(credential.password)"
        guard credential.schemes.contains(.basic),
            !credential.user.utf8.contains(UInt8(ascii: ":")),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    /// The path and the query as they are sent.
    static func target(of url: URL) -> String {
        let text = url.absoluteString.prefix { $0 != "#" }
        guard let authority = text.firstRange(of: "://") else { return "/" }
        let rest = text[authority.upperBound...].drop { $0 != "/" && $0 != "?" }
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// A transport would take `/../` out of the path, and the digest would be that of another target.
    private static func withoutDotSegments(_ request: HTTP.Request) -> HTTP.Request {
        let path = target(of: request.url).prefix { $0 != "?" }
        guard path.contains("/."), request.url.scheme != nil else { return request }
        var request = request
        request.url = request.url.standardized
        return request
    }
}

/// The `Digest` challenges that servers have made, so that a later request can answer at once.
package final class ChallengeMemory: Sendable {
    private struct Key: Hashable {
        let origin: Origin
        let credential: Credential
    }

    private struct Remembered {
        let challenge: DigestAnswer
        var count: UInt32
    }

    private static let limit = 256
    private let known = Lock<[Key: Remembered]>([:])

    package init() {}

    /// The challenge, and the number of the request that answers it.
    func take(
        for origin: Origin, _ credential: Credential
    ) -> (challenge: DigestAnswer, count: UInt32)? {
        known.withLock { known in
            let key = Key(origin: origin, credential: credential)
            guard var found = known[key], found.count < .max else { return nil }
            found.count += 1
            known[key] = found
            return (found.challenge, found.count)
        }
    }

    /// Remembers a challenge that is to be answered; the number of the request that does so, since
    /// others may have been given the same nonce at the same time.
    func keep(
        _ challenge: DigestAnswer, for origin: Origin, _ credential: Credential
    ) -> UInt32 {
        known.withLock { known in
            let key = Key(origin: origin, credential: credential)
            if var found = known[key], found.challenge.nonce == challenge.nonce,
                found.count < .max
            {
                found.count += 1
                known[key] = found
                return found.count
            }
            // Whoever has so many origins can ask them twice.
            if known.count >= Self.limit { known = [:] }
            known[key] = Remembered(challenge: challenge, count: 1)
            return 1
        }
    }

    /// Forgets the challenge, if it is still the last one.
    func forget(_ challenge: DigestAnswer, of origin: Origin, _ credential: Credential) {
        known.withLock { known in
            let key = Key(origin: origin, credential: credential)
            if known[key]?.challenge.nonce == challenge.nonce { known[key] = nil }
        }
    }
}
