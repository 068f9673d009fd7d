import FoundationEssentials
import VitrineHTTP
import VitrineStorage

/// What has arrived of responses that were cut off: entries of their own, so that they are checked,
/// counted against the store's bound and evicted like all others.
///
/// Their keys are `PART`, the response's key, a mark with its variant, and where the part begins.
extension DiskResponseStore {
    func parts(for key: ResponseKey) async -> [StoredResponse.Head] {
        let family = KeyFamily(key.ofParts.text + " +", andStartingWith: key.ofParts.text + " +")
        let metadata = (try? await disk.metadata(of: family)) ?? []
        return metadata.compactMap { StoredResponse.Head(encoded: $0) }
    }

    func part(_ head: StoredResponse.Head, for key: ResponseKey) async -> Data? {
        let entry = try? await disk.entry(for: Self.name(of: key, partNamed: head.partName))
        guard let entry, entry.metadata == head.encoded else { return nil }
        return entry.body
    }

    func storePart(
        _ head: StoredResponse.Head, _ bytes: Data, for key: ResponseKey
    ) async -> Bool {
        let name = Self.name(of: key, partNamed: head.partName)
        let metadata = head.encoded
        let all = KeyFamily(Self.parts, andStartingWith: Self.parts)
        do {
            let items = try await disk.records(of: all).map { part in
                PartBound.Item(
                    owner: Self.owner(of: part.key), bytes: part.size,
                    receivedAt: StoredResponse.Head(encoded: part.metadata)?.receivedAt ?? 0)
            }
            let new = PartBound.Item(
                owner: Self.owner(of: name), bytes: bytes.count,
                receivedAt: head.receivedAt)
            guard
                let surplus = PartBound.surplus(
                    of: items, for: new, bound: disk.configuration.maximumBytes)
            else { return false }
            for owner in surplus { try await disk.remove(Self.family(ofOwner: owner)) }
            try await disk.insert(.bytes(bytes), metadata: metadata, for: name)
            return true
        } catch {
            return false
        }
    }

    func removeParts(variant: String, for key: ResponseKey) async {
        let owner = Self.owner(of: Self.name(of: key, partNamed: variant + " 0"))
        _ = try? await disk.remove(Self.family(ofOwner: owner))
    }

    // MARK: Keys

    private static func name(of key: ResponseKey, partNamed name: String) -> String {
        "\(key.ofParts.text) +\(name)"
    }

    /// What the keys of one response's parts have in common.
    private static func owner(of name: String) -> String {
        String(name[..<(name.lastIndex(of: " ") ?? name.endIndex)])
    }

    private static func family(ofOwner owner: String) -> KeyFamily {
        KeyFamily(owner, andStartingWith: owner + " ")
    }

    /// With what the keys of parts begin.
    static let parts = "PART "

    static let namedParts = KeyFamily(
        parts + ResponseKey.prefixOfNamed, andStartingWith: parts + ResponseKey.prefixOfNamed)

    /// The parts of all that begins at the URL, in every partition.
    static func familyOfParts(of url: URL) -> KeyFamily {
        let key = ResponseKey.shared(by: url).ofParts.text
        return KeyFamily(key, andStartingWith: key + " ")
    }
}
