extension HTTPCache {
    /// On what terms exchanges use a cache: what they may take, whose it is, how it is known, and how
    /// long it counts.
    public struct Terms: Sendable, Hashable {
        /// What may be taken, and left.
        public var policy = CachePolicy.standard
        /// Whose responses are used; nil goes by the secrets of each request, see ``ResponseKey``.
        public var partition: String?
        /// A name that takes the place of the URL, such as that of a picture whose URLs are signed anew
        /// each time: then two URLs have one stored response, since the caller says that they are one.
        ///
        /// It names the whole journey: each redirect on the way has a place of its own under it.
        public var name: String?
        /// The exchange's own expiry. It counts for what is found as well as for what is stored: the
        /// one found is judged as if it had been stored with this.
        public var expiry: CacheExpiry?
        /// What is stored without an expiry of its own has this one, if any; and what is found without
        /// any is judged by it.
        public var defaultExpiry: CacheExpiry?
        /// Whether all that is good is stored, `no-store` and `Vary: *` notwithstanding, and redirects
        /// whatever they say.
        public var storesAlways = false

        /// The terms of an ordinary private cache.
        public init(policy: CachePolicy = .standard, partition: String? = nil) {
            self.policy = policy
            self.partition = partition
        }
    }
}

extension HTTPCache.Terms {
    /// When a stored response is stale by these terms: its own exchange's word first, then that with
    /// which it was stored, then the default; nil leaves it to HTTP. An error has its own time.
    func expiresAt(of head: StoredResponse.Head) -> Double? {
        guard head.status < 400 else { return nil }
        return expiry?.moment(receivedAt: head.receivedAt) ?? head.expiresAt
            ?? defaultExpiry?.moment(receivedAt: head.receivedAt)
    }

    /// The head as these terms judge it.
    func judged(_ head: StoredResponse.Head) -> StoredResponse.Head {
        var copy = head
        copy.expiresAt = expiresAt(of: head)
        return copy
    }

    /// With what a response that has just come is stored.
    func expiryOfNew(status: Int, receivedAt: Double) -> Double? {
        status < 400 ? (expiry ?? defaultExpiry)?.moment(receivedAt: receivedAt) : nil
    }

    /// With what a response that the server has confirmed is stored: anew where these terms say so;
    /// else what it had stays if it has not passed, and otherwise HTTP decides from now on.
    func expiryOfRenewed(_ old: StoredResponse.Head, receivedAt: Double) -> Double? {
        if let new = expiryOfNew(status: old.status, receivedAt: receivedAt) { return new }
        return old.expiresAt.flatMap { receivedAt < $0 ? $0 : nil }
    }
}

extension HTTPCache.Terms: CustomStringConvertible, CustomReflectable {
    /// The policy; partition and name, which may be secrets, are not in it.
    public var description: String { "\(policy)" }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
