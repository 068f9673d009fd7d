public import VitrineHTTP

extension ImageRequest {
    /// Where the bytes of a request's response are looked for and kept.
    ///
    /// Requests of different stores share nothing, neither a transfer nor an image in memory.
    public enum Store: Sendable {
        /// The loader's disk cache.
        case loader
        /// A group that was declared to the loader, by its name; see ``CacheGroup``.
        case group(String)
        /// A store of one's own.
        case custom(any ResponseStore)
        /// None: images are kept in memory only.
        case none

        /// The group's name, if it is one.
        public var group: String? {
            if case .group(let name) = self { return name }
            return nil
        }
    }
}

extension ImageRequest.Store: Hashable {
    /// Two stores of one's own are equal if they are the same object.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.loader, .loader), (.none, .none): true
        case (.group(let one), .group(let other)): one == other
        case (.custom(let one), .custom(let other)): one === other
        default: false
        }
    }

    /// A store of one's own by which object it is, a group by its name.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .loader: hasher.combine(0)
        case .group(let name): hasher.combine(name)
        case .custom(let store): hasher.combine(ObjectIdentifier(store))
        case .none: hasher.combine(1)
        }
    }
}
