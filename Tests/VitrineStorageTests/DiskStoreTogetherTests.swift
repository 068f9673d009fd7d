import FoundationEssentials
import Testing
import VitrineStorage

/// Stores that wait at the same time share a transaction.
@Suite struct DiskStoreTogetherTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func synchronous(bound: Int, _ eviction: DiskStore.Eviction = .leastRecentlyUsed)
        -> SynchronousStore
    {
        var configuration = DiskStore.Configuration(
            directory: folder.storePath, maximumBytes: bound)
        configuration.eviction = eviction
        return SynchronousStore(configuration)
    }

    @Test("C12: promise 17: many stores at a time are all there afterwards, for others too")
    func many() async throws {
        let store = folder.store(inlineLimit: 8192)
        let other = folder.store(inlineLimit: 8192)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let body = bytes(number.isMultiple(of: 2) ? 3000 : 20_000, seed: UInt8(number))
                    try await store.insert(.bytes(body), metadata: bytes(9), for: "\(number)")
                    // Committed, since it has returned.
                    #expect(try await other.entry(for: "\(number)")?.body == body)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.statistics().entries == 200)
        #expect(try await store.verify().removed == [])
        #expect(folder.bodyFiles.count == 100)
    }

    @Test("C12: what befalls one of those that share a transaction is nothing to the others")
    func oneFails() async throws {
        let store = synchronous(bound: 100_000, .never)
        try store.insert(.bytes(bytes(10)), metadata: Data(), for: "there")
        let errors = store.insert([
            (bytes(20_000), bytes(5), "a"), (bytes(200_000), bytes(5), "too large"),
            (bytes(70_000), bytes(5), "b"), (bytes(30_000), bytes(5), "there"),
            (bytes(5000), bytes(5), "c"),
        ])
        #expect(errors[0] == nil && errors[2] == nil && errors[4] == nil)
        if case .tooLarge? = errors[1] {} else { Issue.record("\(String(describing: errors[1]))") }
        if case .noRoom? = errors[3] {} else { Issue.record("\(String(describing: errors[3]))") }
        #expect(try store.entry(for: "a")?.body == bytes(20_000))
        #expect(try store.entry(for: "b")?.body == bytes(70_000))
        #expect(try store.entry(for: "c")?.body == bytes(5000))
        #expect(try store.entry(for: "there")?.body == bytes(10), "what a key had stays")
        #expect(folder.bodyFiles.count == 2, "no file of what was refused")
        #expect(store.insert([]).isEmpty)
    }

    @Test("C12: promise 18: the bound holds for each that shares a transaction") func bound()
        async throws
    {
        let store = synchronous(bound: 100_000)
        let all = (0..<30).map { (body: bytes(9000), metadata: bytes(5), key: "\($0)") }
        #expect(store.insert(all) == [DiskStoreError?](repeating: nil, count: 30))
        let statistics = try await folder.store().statistics()
        #expect((9...11).contains(statistics.entries) && statistics.countedBytes <= 100_000)
        #expect(folder.bodyFiles.count == statistics.entries)
        #expect(try store.entry(for: "29")?.body == bytes(9000))
        #expect(try store.entry(for: "0") == nil)
    }

    @Test("C12: of one key in one transaction the last is kept, and the other's file goes")
    func sameKey() throws {
        let store = synchronous(bound: 1_000_000)
        #expect(
            store.insert([
                (bytes(20_000, seed: 2), bytes(5), "k"), (bytes(30_000, seed: 3), bytes(6), "k"),
            ]) == [nil, nil])
        #expect(try store.entry(for: "k")?.body == bytes(30_000, seed: 3))
        #expect(folder.bodyFiles.count == 1)
    }

    @Test("C12: of one key that many store at a time one entry is left, and one file")
    func sameKeyAtOnce() async throws {
        let store = folder.store(inlineLimit: 8192)
        for round in 0..<50 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try? await store.insert(
                            .bytes(bytes(9000 + number)), metadata: Data(), for: "k\(round)")
                    }
                }
            }
            let size = try #require(try await store.record(for: "k\(round)")?.size)
            #expect((9000..<9008).contains(size))
        }
        #expect(try await store.statistics().entries == 50)
        #expect(folder.bodyFiles.count == 50)
    }
}
