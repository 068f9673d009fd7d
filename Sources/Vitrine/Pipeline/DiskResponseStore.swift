import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineStorage

/// Keeps an ``HTTPCache``'s responses in a `DiskStore`: the head as metadata beside the body.
///
/// The first variant has the response's key, the others that key and their own name after it. A head
/// of another version is a miss, and what is stored next takes its place.
final class DiskResponseStore: ResponseStore {
    let disk: DiskStore

    /// Whether what has expired is gone, rather than stale.
    private let dropsExpired: Bool

    init(_ disk: DiskStore, dropsExpired: Bool = false) {
        self.disk = disk
        self.dropsExpired = dropsExpired
    }

    private func expiry(of head: StoredResponse.Head) -> DiskStore.Expiry? {
        guard dropsExpired else { return nil }
        return head.expiresAt.map { .at(Date(timeIntervalSince1970: $0)) } ?? .never
    }

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
    ) async -> Bool {
        do {
            // The spool's file lies in the store's own folder, so that taking it over is a rename.
            let content: DiskStore.Body =
                if let file = await body.relinquishFile() { .file(path: file) } else {
                    .bytes(try await body.bytes())
                }
            try await disk.insert(
                content, metadata: head.encoded, for: Self.name(of: key, head.variant),
                expires: expiry(of: head))
        } catch {
            return false
        }
        await removeProcessed(variant: head.variant, for: key)
        return true
    }

    func replace(
        _ old: StoredResponse.Head, with new: StoredResponse.Head, for key: ResponseKey
    ) async {
        let name = Self.name(of: key, old.variant)
        _ = try? await disk.replaceMetadata(
            old.encoded, with: new.encoded, expiry: expiry(of: new), for: name)
    }

    func remove(variant: String, for key: ResponseKey) async {
        _ = try? await disk.remove(Self.name(of: key, variant))
        await removeProcessed(variant: variant, for: key)
    }

    func removeAll(for url: URL) async { _ = try? await remove(url) }

    func removeAll(named name: String) async { try? await remove(named: name) }

    func removeAll() async { try? await disk.removeAll() }

    func records(for key: ResponseKey) async -> [StoredRecord] {
        let records = (try? await disk.records(of: Self.family(of: key))) ?? []
        return records.compactMap { record in
            StoredResponse.Head(encoded: record.metadata).map {
                StoredRecord(head: $0, size: record.size, path: record.bodyPath)
            }
        }
    }

    // MARK: Removal that says whether it was possible

    /// All that came from the URL: under its own keys, and under names, parts included. Says how much
    /// that was.
    @discardableResult
    func remove(_ url: URL) async throws(DiskStoreError) -> Int {
        var count = try await disk.remove(Self.family(of: url))
        count += try await disk.remove(Self.familyOfParts(of: url))
        let resource = ResponseKey.resource(of: url)
        for family in [Self.named, Self.namedParts] {
            count += try await disk.remove(family) { metadata in
                StoredResponse.Head(encoded: metadata)?.url == resource
                    || ProcessedImages.url(in: metadata) == resource
            }
        }
        return count
    }

    /// All that is stored under a name.
    func remove(named name: String) async throws(DiskStoreError) {
        let prefix = ResponseKey.prefix(named: name)
        for prefix in [prefix, Self.parts + prefix] {
            try await disk.remove(KeyFamily(prefix, andStartingWith: prefix))
        }
    }

    /// What was made of a response goes with it.
    private func removeProcessed(variant: String, for key: ResponseKey) async {
        let prefix = ProcessedImages.prefix(of: HTTP.Response.Place(key: key, variant: variant))
        let family = KeyFamily(prefix, andStartingWith: prefix)
        // To look writes nothing, and nearly always there is nothing.
        guard let found = try? await disk.records(of: family), !found.isEmpty else { return }
        _ = try? await disk.remove(family)
    }

    // MARK: Keys

    private static func name(of key: ResponseKey, _ variant: String) -> String {
        variant.isEmpty ? key.text : "\(key.text) ~\(variant)"
    }

    private static func family(of key: ResponseKey) -> KeyFamily {
        KeyFamily(key.text, andStartingWith: key.text + " ~")
    }

    private static let named = KeyFamily(
        ResponseKey.prefixOfNamed, andStartingWith: ResponseKey.prefixOfNamed)

    /// All that is stored for a URL: every variant in every partition. No URL has a space.
    private static func family(of url: URL) -> KeyFamily {
        let key = ResponseKey.shared(by: url).text
        return KeyFamily(key, andStartingWith: key + " ")
    }
}

/// The store of a loader that keeps nothing on disk.
final class EmptyResponseStore: ResponseStore {
    func response(
        for key: ResponseKey,
        choosing choice: @escaping @Sendable ([StoredResponse.Head]) -> Int?
    ) async -> StoredResponse? { nil }
    func heads(for key: ResponseKey) async -> [StoredResponse.Head] { [] }
    func store(
        _ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey
    ) async -> Bool { false }
    func replace(
        _ old: StoredResponse.Head, with new: StoredResponse.Head, for key: ResponseKey
    ) async {}
    func remove(variant: String, for key: ResponseKey) async {}
    func removeAll(for url: URL) async {}
    func removeAll(named name: String) async {}
    func removeAll() async {}
}
