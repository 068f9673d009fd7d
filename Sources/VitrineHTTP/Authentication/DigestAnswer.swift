import VitrineBase

/// The answer to a `Digest` challenge (RFC 7616).
struct DigestAnswer: Sendable {
    /// A digest's function.
    enum Algorithm: String, Sendable, CaseIterable {
        case md5 = "MD5"
        case md5Session = "MD5-sess"
        case sha256 = "SHA-256"
        case sha256Session = "SHA-256-sess"

        /// The one of that name in any letter case; MD5 where there is no name.
        init?(name: String?) {
            guard let name else {
                self = .md5
                return
            }
            let found = Self.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
            guard let found else { return nil }
            self = found
        }

        var isSession: Bool { self == .md5Session || self == .sha256Session }

        func hash(_ text: String) -> String {
            switch self {
            case .md5, .md5Session: MD5.hex(text.utf8)
            case .sha256, .sha256Session: SHA256.hex(text.utf8)
            }
        }
    }

    let algorithm: Algorithm
    /// The name of the algorithm as the server wrote it.
    let algorithmName: String?
    let realm: String
    let nonce: String
    let opaque: String?
    /// Whether the request is counted (`qop=auth`), as all servers since 1999 have it.
    let isCounted: Bool
    let hashesUser: Bool
    let isUTF8: Bool

    /// Nil for a challenge that cannot be answered: another algorithm, the digest of a body
    /// (`auth-int`) alone, or no nonce.
    init?(_ challenge: Challenge) {
        guard challenge.scheme == "digest", let nonce = challenge.parameters["nonce"],
            let algorithm = Algorithm(name: challenge.parameters["algorithm"])
        else { return nil }
        if let protection = challenge.parameters["qop"] {
            let members = protection.split(separator: ",").map {
                $0.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard members.contains("auth") else { return nil }
            isCounted = true
        } else {
            isCounted = false
        }
        self.algorithm = algorithm
        algorithmName = challenge.parameters["algorithm"]
        self.nonce = nonce
        realm = challenge.parameters["realm"] ?? ""
        opaque = challenge.parameters["opaque"]
        hashesUser = challenge.parameters["userhash"]?.lowercased() == "true"
        isUTF8 = challenge.parameters["charset"]?.lowercased() == "utf-8"
    }

    /// The value of the `Authorization` header.
    ///
    /// - Parameters:
    ///   - target: what is sent as the target of the request.
    ///   - count: how many requests have been sent with this nonce, this one included.
    ///   - clientNonce: hexadecimal digits that nobody can foresee.
    func header(
        _ credential: Credential, method: String, target: String, count: UInt32,
        clientNonce: String
    ) -> String {
        var secret = algorithm.hash("\(credential.user):\(realm):\(credential.password)")
        if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
        let request = algorithm.hash("\(method):\(target)")
        let digits = String(count, radix: 16)
        let number = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let middle = isCounted ? "\(nonce):\(number):\(clientNonce):auth" : nonce
        let response = algorithm.hash("\(secret):\(middle):\(request)")

        var parts = [userPart(credential.user), "realm=\(quoted(realm))", "uri=\(quoted(target))"]
        if let algorithmName { parts.append("algorithm=\(algorithmName)") }
        parts.append("nonce=\(quoted(nonce))")
        if isCounted { parts += ["nc=\(number)", "cnonce=\"\(clientNonce)\"", "qop=auth"] }
        if algorithm.isSession, !isCounted { parts.append("cnonce=\"\(clientNonce)\"") }
        parts.append("response=\"\(response)\"")
        if let opaque { parts.append("opaque=\(quoted(opaque))") }
        if hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func userPart(_ user: String) -> String {
        if hashesUser { return "username=\"\(algorithm.hash("\(user):\(realm)"))\"" }
        guard isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "username=\(quoted(user))"
        }
        let escaped = user.utf8.map { byte -> String in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
        return "username*=UTF-8''\(escaped.joined())"
    }

    private func quoted(_ text: String) -> String {
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"\(String(escaped))\""
    }
}
