import CSQLite
import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

@Suite struct DiskStoreVersionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fill() async throws {
        let store = folder.store()
        try await store.insert(.bytes(bytes(3000)), metadata: bytes(100), for: "small")
        try await store.insert(.bytes(bytes(100_000)), metadata: bytes(100), for: "large")
    }

    /// Fills a store, lets it go and changes its index.
    private func filled(_ change: String) async throws {
        try await fill()
        #expect(folder.waitUntilClosed())
        try execute("\(change); PRAGMA wal_checkpoint(TRUNCATE)", on: folder.indexPath)
    }

    private func version() throws -> Int {
        // In the header's bytes 60…63.
        try readFile(folder.indexPath)[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }

    private var newer: DiskStoreError {
        .newerFormat(path: folder.storePath, found: 4, supported: 3)
    }

    /// As version 2 made it.
    private static let version2 = """
        CREATE TABLE kept (id INTEGER PRIMARY KEY, metadata BLOB NOT NULL, body BLOB);
        INSERT INTO kept SELECT id, metadata, body FROM entry LEFT JOIN content USING (id);
        DROP TRIGGER entry_removed; DROP TABLE content; ALTER TABLE kept RENAME TO content;
        ALTER TABLE entry DROP COLUMN metadata;
        CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
            UPDATE total SET entries = entries - 1, cost = cost - old.cost, size = size - old.size,
                file_size = file_size - iif(old.file IS NULL, 0, old.size);
            DELETE FROM content WHERE id = old.id;
        END;
        CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
            UPDATE total SET entries = entries + 1, cost = cost + new.cost, size = size + new.size,
                file_size = file_size + iif(new.file IS NULL, 0, new.size), last_row = new.id;
        END;
        PRAGMA user_version = 2
        """

    /// As version 1 made it.
    private static let version1 = """
        \(version2); DROP INDEX entry_by_expiry; DROP TRIGGER entry_added;
        ALTER TABLE entry DROP COLUMN expires_at; ALTER TABLE total DROP COLUMN last_row;
        CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY', 'PRIMARY KEY AUTOINCREMENT')
            WHERE name = 'entry';
        PRAGMA writable_schema = RESET;
        DROP TABLE counted;
        CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
            UPDATE total SET entries = entries + 1, cost = cost + new.cost, size = size + new.size,
                file_size = file_size + iif(new.file IS NULL, 0, new.size);
        END;
        PRAGMA user_version = 1
        """

    @Test(
        "C12: promise 17: an index of a version before is taken over with its entries",
        arguments: [version1, version2])
    func upgrade(older: String) async throws {
        try await filled(older)
        let stores = [folder.store(), folder.store()]
        for store in stores {
            let small = try await store.entry(for: "small")
            #expect(small?.body == bytes(3000) && small?.metadata == bytes(100))
            #expect(try await store.entry(for: "large")?.body == bytes(100_000))
        }
        #expect(try await stores[0].setExpiry(.after(.seconds(-1)), for: "small"))
        #expect(try await stores[1].entry(for: "small") == nil)
        try await stores[0].insert(.bytes(bytes(10)), metadata: bytes(20), for: "new")
        let left = try await stores[1].statistics()
        #expect(left.entries == 2 && left.bodyBytes == 100_010)
        #expect(folder.brokenFiles.isEmpty)
        try execute("PRAGMA wal_checkpoint(TRUNCATE)", on: folder.indexPath)
        #expect(try version() == 3)
    }

    @Test("C12: an entry of an older version without its content is a miss")
    func upgradeOfBroken() async throws {
        try await filled("\(Self.version2); DELETE FROM content WHERE id = 1")
        let store = folder.store()
        #expect(try await store.entry(for: "small") == nil)
        #expect(try await store.entry(for: "large")?.body == bytes(100_000))
        #expect(folder.brokenFiles.isEmpty)
    }

    @Test("C12: promise 17: an index of a newer version is left alone, whatever is asked")
    func newerVersion() async throws {
        try await filled("ALTER TABLE entry RENAME COLUMN key TO name; PRAGMA user_version = 4")
        let old = folder.storePath + "/bodies/" + String(repeating: "a", count: 32)
        try writeFile(bytes(5), old)
        var times = [timespec(), timespec()]
        times[1].tv_sec = time(nil) - 7200
        utimensat(AT_FDCWD, old, times, 0)
        let before = try readFile(folder.indexPath)
        let bodies = folder.bodyFiles
        var store: DiskStore? = folder.store()
        let log = EventLog(try #require(store))
        for _ in 0..<2 {
            await #expect(throws: newer) { try await store?.entry(for: "small") }
            await #expect(throws: newer) {
                try await store?.insert(.bytes(bytes(5)), metadata: Data(), for: "small")
            }
            await #expect(throws: newer) {
                try await store?.insert(.bytes(bytes(100_000)), metadata: Data(), for: "new")
            }
            await #expect(throws: newer) { try await store?.removeAll() }
            await #expect(throws: newer) { try await store?.statistics() }
            await #expect(throws: newer) { try await store?.prune(to: 0) }
        }
        #expect(await log.first(1) == [.unavailable(newer)], "told once")
        store = nil
        #expect(folder.waitUntilClosed())
        #expect(try readFile(folder.indexPath) == before)
        #expect(folder.bodyFiles == bodies, "its bodies are not ours to sweep")
        #expect(folder.brokenFiles.isEmpty)
    }

    @Test("C12: a newer version's journal is not written into its index either") func journal()
        async throws
    {
        try await filled("SELECT 1")
        var handle: OpaquePointer?
        #expect(sqlite3_open(folder.indexPath, &handle) == SQLITE_OK)
        #expect(
            sqlite3_exec(
                handle, "PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 4", nil, nil, nil)
                == SQLITE_OK)
        // A copy of what a killed process leaves: the version stands in the journal alone.
        let copy = try TemporaryFolder()
        mkdir(copy.storePath, 0o700)
        for suffix in ["", "-wal"] {
            try run("/bin/cp", [folder.indexPath + suffix, copy.indexPath + suffix])
        }
        sqlite3_close_v2(handle)
        let before = try [copy.indexPath, copy.indexPath + "-wal"].map(readFile)
        var store: DiskStore? = copy.store()
        let found = DiskStoreError.newerFormat(path: copy.storePath, found: 4, supported: 3)
        await #expect(throws: found) { try await store?.entry(for: "small") }
        await #expect(throws: found) { try await store?.removeAll() }
        store = nil
        #expect(copy.waitUntilClosed())
        #expect(try [copy.indexPath, copy.indexPath + "-wal"].map(readFile) == before)
    }

    @Test("C12: an index that a newer version takes over in use is no broken one") func takenOver()
        async throws
    {
        try await fill()
        let store = folder.store()
        #expect(try await store.entry(for: "small") != nil)
        try execute(
            "ALTER TABLE entry RENAME COLUMN key TO name; PRAGMA user_version = 4",
            on: folder.indexPath)
        await #expect(throws: newer) { try await store.entry(for: "small") }
        #expect(folder.brokenFiles.isEmpty)
        try execute(
            "ALTER TABLE entry RENAME COLUMN name TO key; PRAGMA user_version = 3",
            on: folder.indexPath)
        #expect(try await store.entry(for: "small")?.body == bytes(3000), "and it goes on after it")
    }
}
