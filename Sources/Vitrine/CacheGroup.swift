public import VitrineHTTP

/// A named part of a loader's disk cache, with a bound and an expiry of its own, that can be removed as
/// one.
///
/// ```swift
/// configuration.groups = [
///     CacheGroup("avatars", maximumBytes: 20_000_000, expiry: .after(.seconds(86_400))),
///     CacheGroup("trip to Rome", isOffline: true),
/// ]
/// request.store = .group("avatars")
/// ```
///
/// Its pictures lie in a store below the loader's folder; the same URL in two groups is two entries, on
/// disk and in memory.
public struct CacheGroup: Sendable, Hashable {
    /// What requests call it; any text of up to 4,096 bytes of UTF-8. It stands in no path. Requests of a
    /// group with a longer name fail with ``ImageError/Reason/groupNameTooLong(bytes:limit:)``.
    public var name: String
    /// Most bytes of the group, bodies and metadata together; 150 MB by default.
    public var maximumBytes: Int
    /// How long its pictures are fresh where a request does not say; nil takes what the loader's
    /// configuration says, in an offline group ``CacheExpiry/never``.
    public var expiry: CacheExpiry?
    /// Whether it is for use without a network: it stores what is good whatever the header fields say,
    /// answers at any age until the expiry, and evicts nothing. What finds no room is not kept, and
    /// ``ImageResponse/keeping`` tells.
    public var isOffline: Bool

    /// A group with these bounds.
    public init(
        _ name: String, maximumBytes: Int = 150_000_000, expiry: CacheExpiry? = nil,
        isOffline: Bool = false
    ) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.expiry = expiry
        self.isOffline = isOffline
    }
}
