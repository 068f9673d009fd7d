import FoundationEssentials
import Testing
import VitrineStorage

/// An index that was just made.
@Suite struct DiskStoreNewIndexTests {
    /// What a loss of power leaves of the file's first page, which nobody waits for.
    enum FirstPage: CaseIterable { case none, zeros }

    @Test(
        "C12: promise 17: a new index whose first page was lost with the power is a miss",
        arguments: FirstPage.allCases, [true, false])
    func lost(_ page: FirstPage, keepsJournal: Bool) async throws {
        let whole = try TemporaryFolder()
        let store = whole.store()
        try await store.insert(.bytes(bytes(3000)), metadata: bytes(100), for: "small")
        try await store.insert(.bytes(bytes(100_000)), metadata: bytes(100), for: "large")
        // All that was stored is in the journal still. Another process finds the folder after the start.
        let after = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: whole.storePath, toPath: after.storePath)
        try writeFile(page == .none ? Data() : Data(count: 4096), after.indexPath)
        if !keepsJournal { try FileManager.default.removeItem(atPath: after.indexPath + "-wal") }
        let found = after.store()
        let entry = try await found.entry(for: "small")
        #expect(entry == nil || entry?.body == bytes(3000))
        try await found.insert(.bytes(bytes(90_000)), metadata: Data([2]), for: "probe")
        #expect(try await after.store().entry(for: "probe")?.body == bytes(90_000))
        _ = try await store.statistics()
    }

    @Test("C12: its pages can be given back, and it has a journal that many may read")
    func settings() async throws {
        let folder = try TemporaryFolder()
        try await folder.store().insert(.bytes(bytes(10)), metadata: Data(), for: "a")
        #expect(folder.waitUntilClosed())
        // The header (SQLite's file format, section 1.3): the mode of the journal twice, then whether pages
        // are given back, and how.
        try execute("PRAGMA wal_checkpoint(TRUNCATE)", on: folder.indexPath)
        let header = [UInt8](try readFile(folder.indexPath).prefix(100))
        #expect(header[18...19] == [2, 2])
        #expect(header[52..<56].contains { $0 != 0 } && header[64..<68] == [0, 0, 0, 1])
    }
}
