import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

@Suite(.serialized) struct DiskStoreProcessTests {
    private func check(_ store: DiskStore, bound: Int) async throws {
        let statistics = try await store.statistics()
        #expect(statistics.countedBytes <= bound)
        #expect(statistics.bytesOnDisk < bound * 12 / 10 + 16_000_000)
        for record in try await store.records() {
            guard let entry = try await store.entry(for: record.key) else { continue }
            let byte = try #require(entry.metadata.first)
            #expect(entry.body.allSatisfy { $0 == byte }, "\(record.key)")
        }
    }

    @Test("C12: promise 17: writers killed in the midst of their work cost at most a miss")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let bound = 3_000_000
        let store = folder.store(bound: bound)
        for round in 0..<8 {
            let children = try (0..<2).map {
                try ChildProcess(crasherPath, [folder.storePath, "\(bound)", "\(round * 2 + $0)"])
            }
            for child in children { #expect(child.readSome().contains("at work")) }
            usleep(UInt32(3000 * round + 500))
            for child in children { child.kill() }
            try await check(store, bound: bound)
            try await store.insert(.bytes(bytes(9)), metadata: Data([1]), for: "mine")
            #expect(try await store.remove("mine"))
        }
        // Nothing was lost but what was being written.
        let verification = try await folder.store(bound: bound).verify()
        #expect(verification.removed == [])
        #expect(verification.checked > 5)
        #expect(folder.brokenFiles.isEmpty)
    }

    @Test("C12: promise 18: two processes write to one folder at once and stay within one bound")
    func together() async throws {
        let folder = try TemporaryFolder()
        let bound = 2_000_000
        let store = folder.store(bound: bound)
        let child = try ChildProcess(crasherPath, [folder.storePath, "\(bound)", "99"])
        #expect(child.readSome().contains("at work"))
        for index in 0..<60 {
            let size = index.isMultiple(of: 2) ? 150_000 : 1000
            try await store.insert(
                .bytes(Data(repeating: 5, count: size)), metadata: Data([5]), for: "mine")
            _ = try await store.entry(for: "mine")
            #expect(try await store.statistics().countedBytes <= bound)
        }
        try await check(store, bound: bound)
        child.kill()
        try await check(store, bound: bound)
    }

    @Test(
        "C12: promise 17: a full disk is an error, and the store works on", .enabled(if: canMount))
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        mkdir(folder.storePath, 0o700)
        try run(
            "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder.storePath])
        defer { umount2(folder.storePath, Int32(MNT_DETACH)) }
        let store = folder.store()
        var stored = 0
        var failures: Set<DiskStoreError> = []
        for index in 0..<200 {
            do {
                try await store.insert(
                    .bytes(bytes(index.isMultiple(of: 2) ? 70_000 : 20_000)), metadata: Data(),
                    for: "\(index)")
                stored += 1
            } catch { failures.insert(error) }
        }
        #expect(stored > 5)
        #expect(failures == [.full(path: folder.storePath)])
        #expect(try await store.verify().checked > 0)
        #expect(try await store.entry(for: "0")?.size == 70_000)
        for record in try await store.records() { _ = try? await store.remove(record.key) }
        try await store.removeAll()
        try await store.insert(.bytes(bytes(50_000)), metadata: Data(), for: "after")
        #expect(try await store.entry(for: "after")?.body == bytes(50_000))
        #expect(folder.brokenFiles.isEmpty)
    }

    @Test(
        "C12: promise 17: a folder that turns read-only is read, and written once it is writable again",
        .enabled(if: canMount))
    func readOnlyFolder() async throws {
        let (readOnly, remount): (UInt, UInt) = (1, 32)  // MS_RDONLY, MS_REMOUNT
        let folder = try TemporaryFolder()
        mkdir(folder.storePath, 0o700)
        try run(
            "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=8m", "none", folder.storePath])
        defer { umount2(folder.storePath, Int32(MNT_DETACH)) }
        var store = folder.store()
        try await store.insert(.bytes(bytes(5)), metadata: Data(), for: "key")
        try await store.insert(.bytes(bytes(100_000)), metadata: Data(), for: "large")
        try await store.insert(
            .bytes(bytes(5)), metadata: Data(), for: "expired", expires: .after(.milliseconds(1)))
        store = folder.store()
        // The first store's handles, open for writing, must be closed first.
        var tries = 0
        while mount("none", folder.storePath, "tmpfs", remount | readOnly, nil) != 0, tries < 500 {
            usleep(10_000)
            tries += 1
        }
        await #expect(throws: DiskStoreError.readOnly(path: folder.storePath)) {
            try await store.insert(.bytes(bytes(5)), metadata: Data(), for: "other")
        }
        let log = EventLog(store)
        for _ in 0..<2 {
            #expect(try await store.entry(for: "key")?.body == bytes(5))
            #expect(try await store.entry(for: "large")?.body == bytes(100_000))
            #expect(try await store.entry(for: "expired") == nil)
            #expect(try await store.records().count == 3)
            #expect(try await store.verify().removed.isEmpty)
            await store.flush()
            await #expect(throws: DiskStoreError.readOnly(path: folder.storePath)) {
                try await store.remove("key")
            }
        }
        await #expect(throws: DiskStoreError.readOnly(path: folder.storePath)) {
            try await store.open()
        }
        #expect(mount("none", folder.storePath, "tmpfs", remount, nil) == 0)
        #expect(try await store.entry(for: "key")?.size == 5)
        #expect(try await store.remove("key"))
        try await store.insert(.bytes(bytes(90_000)), metadata: Data(), for: "large")
        #expect(try await store.entry(for: "large")?.size == 90_000)
        let told = await log.first(6)
        #expect(told.first == .unavailable(.readOnly(path: folder.storePath)))
        #expect(
            Set(told.dropFirst()) == [
                .removed(key: "expired", reason: .expired), .removed(key: "key", reason: .asked),
                .available, .removed(key: "large", reason: .replaced),
                .inserted(key: "large", size: 90_000, expiresAt: nil),
            ])
        #expect(told.count == 6)
    }
}

/// Whether this process may mount file systems.
let canMount: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    guard mount("none", folder.path, "tmpfs", 0, "size=64k") == 0 else { return false }
    return umount2(folder.path, Int32(MNT_DETACH)) == 0
}()
