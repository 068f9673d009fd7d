import FoundationEssentials
import VitrineBase
import VitrineStorage

/// Of which bytes the images of each source were made last, by their checksum; of the last 4096
/// sources.
///
/// The HTTP cache knows only of what it has stored; this sees, too, that a redirect leads elsewhere
/// now, or that a file has changed.
final class KnownBytes: Sendable {
    private struct Source: Hashable, Sendable {
        let method: String
        let resource: Resource
        let headers: [String: String]
        let body: Data?
        let partition: String?
    }

    private let checksums = MemoryCache<Source, UInt64>(capacity: 4096, purgeTarget: 3072)

    /// Whether they were others until now.
    func note(_ checksum: UInt64, of identity: SourceIdentity) -> Bool {
        let source = Source(
            method: identity.method, resource: identity.resource, headers: identity.headers,
            body: identity.body, partition: identity.partition)
        guard let known = checksums.value(for: source) else {
            checksums.insert(checksum, for: source, cost: 1)
            return false
        }
        guard known != checksum else { return false }
        checksums.insert(checksum, for: source, cost: 1)
        return true
    }
}
