import OriginSupport
import VitrineBase

@testable import VitrineHTTP

/// An endpoint that checks `Digest` as a server does, and counts what it saw.
final class DigestOrigin: Sendable {
    struct Seen: Sendable, Equatable {
        var challenges = 0
        var granted = 0
        var denied = 0
    }

    private struct State: Sendable {
        var seen = Seen()
        var nonce = 1
        var counts: Set<String> = []
    }

    private let state = Lock(State())
    private let algorithm: DigestAnswer.Algorithm
    private let user: String
    private let password: String

    init(_ algorithm: DigestAnswer.Algorithm, user: String, password: String) {
        self.algorithm = algorithm
        self.user = user
        self.password = password
    }

    var seen: Seen { state.withLock { $0.seen } }

    /// The nonces so far are no longer good.
    func renew() { state.withLock { $0.nonce += 1 } }

    var endpoint: Endpoint {
        .dynamic { [self] request in
            guard let header = request.header("Authorization") else { return challenge(false) }
            let isGood = check(header, request)
            return state.withLock { state in
                if isGood { state.seen.granted += 1 } else { state.seen.denied += 1 }
                return isGood
            } ? .bytes(Array("welcome".utf8)) : challenge(true)
        }
    }

    private func challenge(_ isRepeated: Bool) -> Endpoint {
        let nonce = state.withLock { state in
            if !isRepeated { state.seen.challenges += 1 }
            return state.nonce
        }
        let line = """
            Digest realm="here", qop="auth", algorithm=\(algorithm.rawValue), nonce="n\(nonce)"
            """
        return .status(
            401, headers: [OriginHeader("WWW-Authenticate", line)], body: Array("denied".utf8))
    }

    private func check(_ header: String, _ request: OriginRequest) -> Bool {
        guard let given = Challenge.all(in: [header]).first?.parameters,
            let nonce = given["nonce"], let count = given["nc"], let own = given["cnonce"]
        else { return false }
        let isNew = state.withLock { state in
            nonce == "n\(state.nonce)" && state.counts.insert("\(nonce) \(count)").inserted
        }
        var secret = algorithm.hash("\(user):here:\(password)")
        if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(own)") }
        let asked = algorithm.hash("\(request.method):\(request.target)")
        let expected = algorithm.hash("\(secret):\(nonce):\(count):\(own):auth:\(asked)")
        return isNew && given["username"] == user && given["uri"] == request.target
            && given["response"] == expected
    }
}
