import FoundationEssentials
import VitrineStorage

@main
struct UseStorage {
    static func main() async throws {
        let memory = MemoryCache<String, Int>(capacity: 10, purgeTarget: 5)
        print(memory.insert(1, for: "one", cost: 3), memory.value(for: "one") ?? 0)

        let folder = FileManager.default.temporaryDirectory.appending(path: "outside-store")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = DiskStore(DiskStore.Configuration(directory: folder.path))
        try await store.insert(.bytes(Data([1, 2, 3])), metadata: Data(), for: "a")
        print("UseStorage:", try await store.entry(for: "a")?.size ?? 0)
        let observation = store.observe { event in
            if case .removed(let key, .asked) = event { print("removed", key) }
        }
        try await store.setExpiry(.after(.seconds(60)), for: "a")
        if let record = try await store.record(for: "a") {
            print(record.age(), record.isExpired(), record.expiresAt != nil)
        }
        try await store.remove("a")
        observation.cancel()
        do {
            try await store.insert(
                .bytes(Data(count: 200_000_000)), metadata: Data(), for: "too large")
        } catch {
            if case .tooLarge(_, let limit) = error { print(limit) }
        }
    }
}
