import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// Keeps an ``HTTPCache``'s responses in a `DiskStore`: the head as metadata beside the body.
///
/// The first variant has the response's key, the others that key and their own name after it. A head
/// of another version is a miss, and what is stored next takes its place.
struct DiskResponseStore: ResponseStore {
    let disk: DiskStore

    func response(
        for key: ResponseKey,
        choosing choice: @escaping @Sendable ([StoredResponse.Head]) -> Int?
    ) async -> StoredResponse? {
        // The last choice is the one of the entry that comes back.
        let chosen = Lock<StoredResponse.Head?>(nil)
        let entry = try? await disk.entry(of: Self.family(of: key)) { metadata in
            let heads = metadata.enumerated().compactMap { index, data in
                StoredResponse.Head(encoded: data).map { (index: index, head: $0) }
            }
            guard let place = choice(heads.map(\.head)), heads.indices.contains(place) else {
                return nil
            }
            chosen.withLock { $0 = heads[place].head }
            return heads[place].index
        }
        guard let entry, let head = chosen.withLock({ $0 }) else { return nil }
        return StoredResponse(head: head, body: entry.body)
    }

    func heads(for key: ResponseKey) async -> [StoredResponse.Head] {
        let metadata = (try? await disk.metadata(of: Self.family(of: key))) ?? []
        return metadata.compactMap { StoredResponse.Head(encoded: $0) }
    }

    func store(
        _ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey
    ) async {
        let name = Self.name(of: key, head.variant)
        // The spool's file lies in the store's own folder, so that taking it over is a rename.
        if let file = await body.relinquishFile() {
            try? await disk.insert(.file(path: file), metadata: head.encoded, for: name)
        } else if let bytes = try? await body.bytes() {
            try? await disk.insert(.bytes(bytes), metadata: head.encoded, for: name)
        }
    }

    func replace(
        _ old: StoredResponse.Head, with new: StoredResponse.Head, for key: ResponseKey
    ) async {
        let name = Self.name(of: key, old.variant)
        _ = try? await disk.replaceMetadata(old.encoded, with: new.encoded, for: name)
    }

    func remove(variant: String, for key: ResponseKey) async {
        _ = try? await disk.remove(Self.name(of: key, variant))
    }

    func removeAll(for url: URL) async {
        _ = try? await disk.remove(Self.family(of: url))
        _ = try? await disk.remove(Self.familyOfParts(of: url))
    }

    // MARK: Keys

    private static func name(of key: ResponseKey, _ variant: String) -> String {
        variant.isEmpty ? key.text : "\(key.text) ~\(variant)"
    }

    private static func family(of key: ResponseKey) -> KeyFamily {
        KeyFamily(key.text, andStartingWith: key.text + " ~")
    }

    /// All that is stored for a URL: every variant in every partition. No URL has a space.
    static func family(of url: URL) -> KeyFamily {
        let key = ResponseKey.shared(by: url).text
        return KeyFamily(key, andStartingWith: key + " ")
    }
}
