/// A name and a password for servers that ask for them (RFC 9110 §11).
///
/// It appears in no description: what is printed of it says neither.
public struct Credential: Sendable, Hashable {
    /// The ways in which it may be used.
    public enum Scheme: Sendable, Hashable, CaseIterable {
        /// Name and password as they are (RFC 7617); readable for whoever hears a plain connection.
        case basic
        /// A digest of them (RFC 7616), with MD5 or SHA-256.
        case digest
    }

    /// The user's name. It tells apart whose responses are whose.
    public var user: String
    /// The password.
    public var password: String
    /// The schemes that may be used; by default all. Where a server offers several, `Digest` goes first.
    public var schemes: Set<Scheme>
    /// Whether `Basic` is sent without being asked, which saves an exchange each time; false by
    /// default. It counts for credentials of an origin only.
    public var isSentUnasked: Bool

    /// A credential for all schemes, or for some.
    public init(
        user: String, password: String, schemes: Set<Scheme> = Set(Scheme.allCases),
        isSentUnasked: Bool = false
    ) {
        self.user = user
        self.password = password
        self.schemes = schemes
        self.isSentUnasked = isSentUnasked
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// That it is one, and no more.
    public var description: String { "a credential" }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
