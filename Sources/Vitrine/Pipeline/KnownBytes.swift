import FoundationEssentials
import VitrineBase
import VitrineStorage

/// Of which bytes the images of each source were made last, by their checksum; of the last 4096
/// sources.
///
/// The HTTP cache knows only of what it has stored; this sees, too, that a redirect leads elsewhere
/// now, or that a file has changed, and which of two loads of one source has the newer bytes,
/// whichever is decoded first.
final class KnownBytes: Sendable {
    /// What tells bytes from others of their source, and older ones from newer ones.
    struct Stamp: Sendable {
        let checksum: UInt64
        /// When they arrived from the server, or were read; nil if that is not known.
        let receivedAt: Double?
        /// The uptime at which the source itself was asked for them; nil if they were stored.
        let askedAt: UInt64?
    }

    /// How bytes stand to those that were known of their source.
    enum News: Sendable, Hashable {
        /// They are the same, or the first ones.
        case nothing
        /// They are others, and newer.
        case change
        /// They are others, and older.
        case outdated
    }

    private struct Source: Hashable, Sendable {
        let method: String
        let resource: Resource
        let headers: [String: String]
        let body: Data?
        let partition: String?

        init(_ identity: SourceIdentity) {
            method = identity.method
            resource = identity.resource
            headers = identity.headers
            body = identity.body
            partition = identity.partition
        }
    }

    private struct Known: Sendable {
        let checksum: UInt64
        let receivedAt: Double?
        let notedAt: UInt64

        func standing(of bytes: Stamp) -> News {
            if checksum == bytes.checksum { return .nothing }
            // Asked after these were known: newer whatever the clock says, which somebody may have set.
            if let asked = bytes.askedAt, asked > notedAt { return .change }
            guard let receivedAt, let other = bytes.receivedAt, other < receivedAt else {
                return .change
            }
            return .outdated
        }
    }

    private let entries = MemoryCache<Source, Known>(capacity: 4096, purgeTarget: 3072)

    /// Bytes have turned out to be a picture, at the uptime `now`; says how they stand to those that
    /// were known until then.
    func note(_ bytes: Stamp, of identity: SourceIdentity, at now: UInt64) -> News {
        let source = Source(identity)
        let known = entries.value(for: source)
        let news = known?.standing(of: bytes) ?? .nothing
        if news == .outdated { return news }
        var receivedAt = bytes.receivedAt
        if news == .nothing, let before = known?.receivedAt {
            receivedAt = max(before, receivedAt ?? before)
        }
        entries.insert(
            Known(checksum: bytes.checksum, receivedAt: receivedAt, notedAt: now), for: source,
            cost: 1)
        return news
    }

    /// Whether newer bytes of the source are known.
    func areOutdated(_ bytes: Stamp, of identity: SourceIdentity) -> Bool {
        entries.peek(Source(identity))?.standing(of: bytes) == .outdated
    }
}
