import DeterminismSupport
import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

@Suite struct DiskStoreDamageTests {
    /// Stores some entries, lets the store go and brings all of the index into its main file.
    private func filled(_ folder: TemporaryFolder) async throws {
        try await fill(folder.store())
        #expect(folder.waitUntilClosed())
        try execute("PRAGMA wal_checkpoint(TRUNCATE)", on: folder.indexPath)
    }

    private func fill(_ store: DiskStore) async throws {
        for index in 0..<40 {
            try await store.insert(
                .bytes(bytes(3000, seed: UInt8(index))), metadata: bytes(100), for: "small-\(index)"
            )
        }
        try await store.insert(.bytes(bytes(100_000)), metadata: bytes(100), for: "large")
    }

    /// The store works: it keeps what it is given, also for the next one.
    private func works(_ folder: TemporaryFolder, _ store: DiskStore) async throws {
        try await store.insert(.bytes(bytes(10)), metadata: Data([1]), for: "probe")
        try await store.insert(.bytes(bytes(90_000)), metadata: Data([2]), for: "large probe")
        #expect(try await store.entry(for: "probe")?.body == bytes(10))
        #expect(try await folder.store().entry(for: "large probe")?.body == bytes(90_000))
    }

    @Test("C12: promise 16: a flipped bit in a body in the index is a miss, once")
    func flippedInlineBit() async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        var index = try readFile(folder.indexPath)
        let place = try #require(index.firstRange(of: bytes(3000, seed: 7).prefix(200)))
        index[place.lowerBound + 50] ^= 0x10
        try writeFile(index, folder.indexPath)
        let store = folder.store()
        #expect(try await store.entry(for: "small-7") == nil)
        #expect(try await store.statistics().entries == 40)
        #expect(try await store.entry(for: "small-8")?.body == bytes(3000, seed: 8))
        #expect(folder.brokenFiles.isEmpty)
        try await works(folder, store)
    }

    @Test("C12: promise 16: a flipped bit in a body's file is a miss, and the file goes")
    func flippedFileBit() async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        let file = try #require(folder.bodyFiles.first)
        var body = try readFile(file)
        body[99_999] ^= 1
        try writeFile(body, file)
        let store = folder.store()
        #expect(try await store.entry(for: "large") == nil)
        #expect(folder.bodyFiles.isEmpty)
        #expect(try await store.statistics().entries == 40)
    }

    @Test("C12: promise 16: flipped metadata is a miss")
    func flippedMetadata() async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        try execute(
            "UPDATE entry SET metadata = zeroblob(100) WHERE id = 3", on: folder.indexPath)
        let store = folder.store()
        let verification = try await store.verify()
        #expect(verification.checked == 41)
        #expect(verification.removed == ["small-2"])
        #expect(try await store.verify().removed == [])
    }

    @Test("C12: a body's file that is cut, missing, a folder or a pipe is a miss", arguments: 0..<4)
    func unfitFile(kind: Int) async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        let file = try #require(folder.bodyFiles.first)
        switch kind {
        case 0: truncate(file, 50_000)
        case 1: unlink(file)
        case 2:
            unlink(file)
            mkdir(file, 0o700)
        default:
            unlink(file)
            mkfifo(file, 0o600)
        }
        let store = folder.store()
        #expect(try await store.entry(for: "large") == nil)
        #expect(try await store.records().allSatisfy { $0.key != "large" })
    }

    @Test("C12: promise 17: a text file in the index's place is put aside, whole")
    func textFile() async throws {
        let folder = try TemporaryFolder()
        mkdir(folder.storePath, 0o700)
        let text = Data(String(repeating: "These are no pages of a database.\n", count: 500).utf8)
        try writeFile(text, folder.indexPath)
        let store = folder.store()
        #expect(try await store.entry(for: "key") == nil)
        let broken = try #require(folder.brokenFiles.first)
        #expect(try readFile("\(folder.storePath)/\(broken)") == text)
        try await works(folder, store)
        #expect(folder.brokenFiles.count == 1)
    }

    @Test("C12: promise 17: another program's database is put aside, whole")
    func foreignDatabase() async throws {
        let folder = try TemporaryFolder()
        mkdir(folder.storePath, 0o700)
        try execute("CREATE TABLE entry (key); INSERT INTO entry VALUES (42)", on: folder.indexPath)
        let before = try readFile(folder.indexPath)
        try await works(folder, folder.store())
        let broken = try #require(folder.brokenFiles.first)
        #expect(try readFile("\(folder.storePath)/\(broken)") == before)
    }

    @Test(
        "C12: promise 17: an index of no known version, or without its tables, is put aside",
        arguments: [
            "PRAGMA user_version = 0", "PRAGMA user_version = -1", "PRAGMA user_version = 1",
            "PRAGMA user_version = 2",
            "DROP TABLE total", "DROP TABLE content", "DROP INDEX entry_by_expiry",
            "DELETE FROM total",
            "PRAGMA application_id = 77", "DROP TRIGGER entry_removed",
            "DROP TABLE pending; CREATE TABLE pending (other)",
            "ALTER TABLE content DROP COLUMN body",
            "ALTER TABLE entry DROP COLUMN metadata",
            "DROP INDEX entry_by_expiry; ALTER TABLE entry DROP COLUMN expires_at",
        ])
    func otherVersion(change: String) async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        try execute(change, on: folder.indexPath)
        let store = folder.store()
        _ = try await store.entry(for: "small-1")
        try await works(folder, store)
        #expect(folder.brokenFiles.count == 1)
        #expect(try await store.entry(for: "small-1") == nil)
    }

    @Test("C12: promise 17: a folder in the index's place is put aside")
    func folderAsIndex() async throws {
        let folder = try TemporaryFolder()
        mkdir(folder.storePath, 0o700)
        mkdir(folder.indexPath, 0o700)
        try await works(folder, folder.store())
        #expect(folder.brokenFiles.count == 1)
    }

    @Test("C12: promise 17: damaged pages never trap, and the store works on", arguments: 1...25)
    func damagedPages(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        var random = SeededRandom(seed: seed)
        var index = try readFile(folder.indexPath)
        for _ in 0..<Int.random(in: 1...400, using: &random) {
            let place = Int.random(in: 0..<index.count, using: &random)
            index[place] = UInt8.random(in: 0...255, using: &random)
        }
        if seed.isMultiple(of: 5) { index = index.prefix(index.count / 2) }
        try writeFile(Data(index), folder.indexPath)
        let store = folder.store(bound: 2_000_000)
        for key in (0..<40).map({ "small-\($0)" }) + ["large"] {
            guard let entry = try await store.entry(for: key) else { continue }
            #expect(
                entry.body
                    == (key == "large"
                        ? bytes(100_000) : bytes(3000, seed: UInt8(key.dropFirst(6)) ?? 0)))
        }
        _ = try await store.verify()
        _ = try await store.statistics()
        try await works(folder, store)
        try await store.removeAll()
        try await works(folder, store)
    }

    @Test(
        "C12: promise 17: wild numbers in the index never trap",
        arguments: [
            "UPDATE total SET cost = 9223372036854775807",
            "UPDATE total SET cost = -9223372036854775807",
            "UPDATE entry SET cost = 9223372036854775807", "UPDATE entry SET size = -5",
            "UPDATE entry SET last_used = 9223372036854775807, stored_at = -9223372036854775807",
            "UPDATE entry SET file = '../../../etc/passwd'",
            "UPDATE entry SET id = id + 9223372036854770000",
            "UPDATE entry SET key = x'ff00fe'  WHERE id = 1", "DELETE FROM content",
            "INSERT INTO content VALUES (42, 'y')",
            "INSERT INTO pending VALUES ('f', 9223372036854775807, 0)",
            "UPDATE total SET last_row = 9223372036854775806",
        ])
    func wildNumbers(change: String) async throws {
        let folder = try TemporaryFolder()
        try await filled(folder)
        try execute(change, on: folder.indexPath)
        let store = folder.store(bound: 300_000)
        for key in (0..<40).map({ "small-\($0)" }) + ["large"] {
            _ = try await store.entry(for: key)
            _ = try await store.updateMetadata(bytes(50), for: key)
        }
        _ = try await store.statistics()
        _ = try await store.verify()
        try await works(folder, store)
        try await works(folder, folder.store(bound: 300_000))
        #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
    }

    @Test("C12: promise 17: garbage written over an index in use is noticed and replaced, once")
    func damagedWhileOpen() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await fill(store)
        let other = folder.store()
        #expect(try await other.entry(for: "small-1") != nil)
        for suffix in ["", "-wal", "-shm"] {
            // In place: the handles stay, what they lead to changes. Not with open(2) and close(2)
            // of this process, which would drop SQLite's locks.
            let length = try readLength(folder.indexPath + suffix)
            try overwrite(folder.indexPath + suffix, length)
        }
        _ = try? await store.entry(for: "small-2")
        _ = try? await other.entry(for: "small-2")
        try await works(folder, store)
        try await works(folder, other)
        #expect(folder.brokenFiles.count <= 1)
    }

    private func readLength(_ path: String) throws -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private func overwrite(_ path: String, _ length: Int) throws {
        try run(
            "/usr/bin/env",
            [
                "dd", "if=/dev/urandom", "of=\(path)", "bs=\(max(1, length))", "count=1",
                "conv=notrunc", "status=none",
            ])
    }

    @Test("C12: promise 17: the folder vanishes while a store is in use")
    func folderVanishes() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await fill(store)
        try FileManager.default.removeItem(atPath: folder.storePath)
        #expect(try await store.entry(for: "small-1") == nil)
        try await works(folder, store)
        try FileManager.default.removeItem(atPath: folder.storePath + "/bodies")
        try FileManager.default.removeItem(atPath: folder.storePath + "/tmp")
        #expect(try await store.entry(for: "large probe") == nil)
        try await works(folder, store)
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(folder.storePath)/\(name)")
        }
        try await works(folder, store)
        rename(folder.storePath, folder.path + "/moved")
        #expect(try await store.entry(for: "probe") == nil)
        try await works(folder, store)
    }

    @Test("C12: a path that cannot be made is an error with its reason, each time anew")
    func impossiblePath() async throws {
        let folder = try TemporaryFolder()
        try writeFile(Data(), folder.storePath)  // a file where the folder should be
        let store = folder.store()
        let expected = DiskStoreError.cannotOpen(path: folder.storePath, reason: "Not a directory")
        for _ in 0..<2 {
            await #expect(throws: expected) { try await store.entry(for: "key") }
            await #expect(throws: expected) {
                try await store.insert(.bytes(bytes(100_000)), metadata: Data(), for: "key")
            }
        }
        unlink(folder.storePath)
        try await works(folder, store)
        for path in ["", "/proc/none/such", "/dev/null/x"] {
            let lost = DiskStore(DiskStore.Configuration(directory: path))
            await #expect(throws: DiskStoreError.self) { try await lost.entry(for: "key") }
        }
    }
}
