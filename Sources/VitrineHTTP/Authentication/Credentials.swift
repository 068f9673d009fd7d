public import FoundationEssentials

/// Credentials by the origins that may see them: scheme, host and port (RFC 9110 §4.3.1).
///
/// ```swift
/// var credentials = Credentials()
/// try credentials.set(Credential(user: "ann", password: password), forOriginOf: url)
/// ```
public struct Credentials: Sendable, Hashable {
    private var byOrigin: [Origin: Credential] = [:]

    /// None.
    public init() {}

    /// Whether there is none.
    public var isEmpty: Bool { byOrigin.isEmpty }

    /// Gives the origin of the URL a credential, or takes it away.
    ///
    /// - Throws: ``TransportError/invalidURL(_:)`` or ``TransportError/unsupportedScheme(_:)`` for a URL
    ///   that is not one of HTTP.
    public mutating func set(
        _ credential: Credential?, forOriginOf url: URL
    ) throws(TransportError) {
        byOrigin[try Origin(url)] = credential
    }

    /// The credential for the origin of the URL.
    public func credential(for url: URL) -> Credential? {
        guard !byOrigin.isEmpty, let origin = try? Origin(url) else { return nil }
        return byOrigin[origin]
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// How many there are.
    public var description: String {
        byOrigin.count == 1 ? "1 credential" : "\(byOrigin.count) credentials"
    }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
