import DeterminismSupport
import FoundationEssentials
import Testing
import VitrineStorage

@Suite struct DiskStoreEvictionTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock(now: 1_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func store(bound: Int) -> DiskStore {
        var configuration = DiskStore.Configuration(
            directory: folder.storePath, maximumBytes: bound)
        configuration.eviction = .never
        return DiskStore(configuration, time: clock.source)
    }

    private func put(
        _ key: String, _ size: Int, _ expiry: DiskStore.Expiry? = nil, in store: DiskStore
    ) async throws {
        try await store.insert(.bytes(bytes(size)), metadata: Data(), for: key, expires: expiry)
    }

    @Test(
        "C13: promise 14: a store that evicts nothing refuses what does not fit, with the numbers",
        arguments: [10_000, 100_000])
    func refuses(size: Int) async throws {
        // 192 bytes and twice the key count for each.
        let cost = size + 194
        let store = store(bound: 3 * cost + 100)
        for key in ["a", "b", "c"] { try await put(key, size, in: store) }
        for _ in 0..<2 {
            await #expect(
                throws: DiskStoreError.noRoom(bytes: cost, available: 100, limit: 3 * cost + 100)
            ) {
                try await put("d", size, in: store)
            }
        }
        let source = folder.path + "/source"
        try writeFile(bytes(size), source)
        await #expect(throws: DiskStoreError.self) {
            try await store.insert(.file(path: source), metadata: Data(), for: "d")
        }
        #expect(!FileManager.default.fileExists(atPath: source))
        await #expect(
            throws: DiskStoreError.noRoom(bytes: 200, available: 100, limit: 3 * cost + 100)
        ) {
            try await store.updateMetadata(bytes(200), for: "a")
        }
        await #expect(throws: DiskStoreError.tooLarge(bytes: 4 * cost, limit: 3 * cost + 100)) {
            try await put("a", 4 * cost - 194, in: store)
        }
        for key in ["a", "b", "c"] {
            #expect(try await store.entry(for: key)?.body == bytes(size))
        }
        #expect(
            folder.bodyFiles.count == (size > store.configuration.inlineLimit ? 3 : 0),
            "no file was left")
        #expect(try await store.updateMetadata(bytes(100), for: "a"))
        #expect(try await store.statistics().countedBytes == 3 * cost + 100)
    }

    @Test("C13: an entry may take the place of its older one", arguments: [10_000, 100_000])
    func replaces(size: Int) async throws {
        let store = store(bound: 2 * size + 1000)
        for key in ["a", "b"] { try await put(key, size, in: store) }
        try await put("a", size + 500, in: store)
        #expect(try await store.entry(for: "a")?.size == size + 500)
        await #expect(throws: DiskStoreError.self) { try await put("a", size + 5000, in: store) }
        #expect(
            try await store.entry(for: "a")?.size == size + 500, "what was refused changed nothing")
        #expect(try await store.remove("b"))
        try await put("a", size + 5000, in: store)
    }

    @Test("C13: what has expired, and nothing else, makes room", arguments: [10_000, 100_000])
    func expiredMakesRoom(size: Int) async throws {
        let store = store(bound: 3 * size + 1000)
        try await put("a", size, in: store)
        try await put("b", size, .after(.seconds(10)), in: store)
        try await put("c", size, .after(.seconds(20)), in: store)
        await #expect(throws: DiskStoreError.self) { try await put("d", size, in: store) }
        clock.setWallClock(1_000_015)
        try await put("d", size, in: store)
        #expect(try await store.records().map(\.key) == ["a", "c", "d"])
        await #expect(throws: DiskStoreError.self) { try await put("e", size, in: store) }
        #expect(try await store.prune(to: size + 500).removed == 2, "on request it does")
    }

    @Test("C13: promise 18: pages that fill badly are no way past the bound") func pages()
        async throws
    {
        let store = store(bound: 12_000_000)
        var stored = 0
        var refusal: DiskStoreError?
        while refusal == nil, stored < 6000 {
            do throws(DiskStoreError) {
                // One row of this size fills a little more than half of a page.
                try await store.insert(.bytes(bytes(2150)), metadata: Data(), for: "\(stored)")
                stored += 1
            } catch { refusal = error }
        }
        guard case .noRoom(_, _, 12_000_000) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        let statistics = try await store.statistics()
        #expect(statistics.entries == stored && stored > 3000)
        #expect(statistics.bytesOnDisk < 12_000_000 * 12 / 10 + 16_000_000)
        #expect(try await store.entry(for: "0") != nil)
    }

    @Test("C13: stores of both kinds on one folder each follow their own") func together()
        async throws
    {
        let keeping = store(bound: 45_000)
        let other = folder.store(bound: 45_000, time: clock.source)
        for index in 0..<4 { try await put("\(index)", 10_000, in: keeping) }
        await #expect(throws: DiskStoreError.self) { try await put("new", 10_000, in: keeping) }
        try await put("new", 10_000, in: other)
        #expect(try await keeping.records().map(\.key) == ["1", "2", "3", "new"])
    }
}
