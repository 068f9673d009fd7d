/// How a transport makes its connections over TLS: whom it trusts, and what it shows of itself.
public struct TransportSecurity: Sendable, Hashable {
    /// A version of TLS.
    public enum Version: Sendable, Hashable, CaseIterable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// What a client shows to servers that ask who it is. One certificate is shown to every server
    /// that asks; where that should differ, use several transports, and caches of their own.
    public struct ClientCertificate: Sendable, Hashable {
        /// A PEM file with the certificate, and those between it and its authority.
        public var file: String
        /// A PEM file with the private key; nil if it is in ``file``.
        public var keyFile: String?
        /// The password of an encrypted key.
        public var password: String?

        /// A certificate and its key.
        public init(file: String, keyFile: String? = nil, password: String? = nil) {
            self.file = file
            self.keyFile = keyFile
            self.password = password
        }
    }

    /// A PEM file of the authorities to trust instead of the system's.
    public var authorityFile: String?
    /// A folder of the authorities to trust instead of the system's, prepared by `openssl rehash`.
    /// With ``authorityFile``, both are trusted.
    public var authorityFolder: String?
    /// What servers see who ask for a certificate; nil shows none.
    public var clientCertificate: ClientCertificate?
    /// The lowest version that is spoken.
    public var lowestVersion: Version

    /// The system's authorities, no certificate, TLS 1.2; or some of it changed.
    public init(
        authorityFile: String? = nil, authorityFolder: String? = nil,
        clientCertificate: ClientCertificate? = nil, lowestVersion: Version = .tls12
    ) {
        self.authorityFile = authorityFile
        self.authorityFolder = authorityFolder
        self.clientCertificate = clientCertificate
        self.lowestVersion = lowestVersion
    }
}

extension TransportSecurity.ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// The file's path.
    public var description: String { file }

    /// The paths, and not the password.
    public var customMirror: Mirror {
        Mirror(self, children: ["file": file, "keyFile": keyFile as Any])
    }
}
