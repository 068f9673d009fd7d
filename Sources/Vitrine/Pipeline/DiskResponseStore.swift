import FoundationEssentials
import VitrineHTTP
import VitrineStorage

/// Keeps an ``HTTPCache``'s responses in a `DiskStore`: the head as JSON beside the body.
struct DiskResponseStore: ResponseStore {
    let disk: DiskStore

    func response(for key: ResponseKey) async -> StoredResponse? {
        guard let entry = try? await disk.entry(for: key.text) else { return nil }
        guard
            let head = try? JSONDecoder().decode(StoredResponse.Head.self, from: entry.metadata)
        else {
            await remove(key)
            return nil
        }
        return StoredResponse(head: head, body: entry.body)
    }

    func store(_ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey) async {
        guard let metadata = try? JSONEncoder().encode(head) else { return }
        // The spool's file lies in the store's own folder, so that taking it over is a rename.
        if let file = await body.relinquishFile() {
            try? await disk.insert(.file(path: file), metadata: metadata, for: key.text)
        } else if let bytes = try? await body.bytes() {
            try? await disk.insert(.bytes(bytes), metadata: metadata, for: key.text)
        }
    }

    func update(_ head: StoredResponse.Head, for key: ResponseKey) async {
        guard let metadata = try? JSONEncoder().encode(head) else { return }
        _ = try? await disk.updateMetadata(metadata, for: key.text)
    }

    func remove(_ key: ResponseKey) async {
        _ = try? await disk.remove(key.text)
    }
}

/// The store of a loader that keeps nothing on disk.
struct EmptyResponseStore: ResponseStore {
    func response(for key: ResponseKey) async -> StoredResponse? { nil }
    func store(_ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey) async {}
    func update(_ head: StoredResponse.Head, for key: ResponseKey) async {}
    func remove(_ key: ResponseKey) async {}
}
