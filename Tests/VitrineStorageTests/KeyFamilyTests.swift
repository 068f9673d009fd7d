import FoundationEssentials
import Testing
import VitrineStorage

@Suite struct KeyFamilyTests {
    private let folder: TemporaryFolder
    private let store: DiskStore
    private let family = KeyFamily("a", andStartingWith: "a ~")

    init() async throws {
        folder = try TemporaryFolder()
        store = folder.store()
        for (index, key) in ["a", "a ~1", "a ~2", "a ", "a x", "ab", "a ~", "b", "A ~1", ""]
            .enumerated()
        {
            try await store.insert(
                .bytes(bytes(100_000 * (index % 2) + index)), metadata: Data(key.utf8), for: key)
        }
    }

    private func names(_ metadata: [Data]) -> Set<String> {
        Set(metadata.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test("C3: a family is its key and those that begin with its prefix") func members()
        async throws
    {
        #expect(try await names(store.metadata(of: family)) == ["a", "a ~", "a ~1", "a ~2"])
        #expect(
            try await names(store.metadata(of: KeyFamily("a", andStartingWith: "a ")))
                == ["a", "a ", "a x", "a ~", "a ~1", "a ~2"])
        #expect(try await store.metadata(of: KeyFamily("c", andStartingWith: "c ")).isEmpty)
    }

    @Test("C3: one of a family is chosen by its metadata, from index or file") func choice()
        async throws
    {
        for name in ["a", "a ~1", "a ~2"] {
            let entry = try await store.entry(of: family) { metadata in
                metadata.firstIndex(of: Data(name.utf8))
            }
            #expect(entry?.key == name)
            #expect(try await entry?.body == store.entry(for: name)?.body)
        }
        #expect(try await store.entry(of: family) { _ in nil } == nil)
        #expect(try await store.entry(of: family) { _ in 100 } == nil)
        #expect(try await store.entry(of: family) { _ in -1 } == nil)
    }

    @Test("C12: a flipped bit in the body of the one chosen is a miss, and the entry goes")
    func damage() async throws {
        let file = try #require(
            try await store.records().first { $0.key == "a ~1" }?.bodyPath)
        var body = try Data(contentsOf: URL(filePath: file))
        body[5] ^= 1
        try body.write(to: URL(filePath: file))
        let choose: @Sendable ([Data]) -> Int? = { $0.firstIndex(of: Data("a ~1".utf8)) }
        #expect(try await store.entry(of: family, choosing: choose) == nil)
        #expect(try await names(store.metadata(of: family)) == ["a", "a ~", "a ~2"])
    }

    @Test("C12: metadata are replaced only if they are still the ones that were read")
    func compareAndSet() async throws {
        let (old, new) = (Data("a ~1".utf8), Data("renewed".utf8))
        #expect(try await !store.replaceMetadata(new, with: old, for: "a ~1"))
        #expect(try await store.replaceMetadata(old, with: new, for: "a ~1"))
        #expect(try await !store.replaceMetadata(old, with: new, for: "a ~1"))
        #expect(try await !store.replaceMetadata(old, with: new, for: "nobody"))
        let entry = try #require(try await store.entry(for: "a ~1"))
        #expect(entry.metadata == new && entry.size == 100_001)
    }

    @Test("C15: a family is removed whole, with its files, and nothing else") func removal()
        async throws
    {
        let files = folder.bodyFiles.count
        #expect(try await store.remove(family) == 4)
        #expect(folder.bodyFiles.count == files - 1)
        #expect(try await store.remove(family) == 0)
        #expect(
            try await store.records().map(\.key).sorted() == ["", "A ~1", "a ", "a x", "ab", "b"])
        #expect(try await store.verify().removed.isEmpty)
    }
}
