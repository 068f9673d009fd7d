import DeterminismSupport
import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

@Suite struct DiskStoreTests {
    @Test(
        "C3: what is stored comes back, small in the index and large in a file",
        arguments: [
            0, 1, 65_536, 65_537, 1_000_000,
        ])
    func roundTrip(size: Int) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let body = bytes(size)
        try await store.insert(.bytes(body), metadata: Data("meta".utf8), for: "key")
        let entry = try #require(try await store.entry(for: "key"))
        #expect(entry.key == "key")
        #expect(entry.body == body)
        #expect(entry.metadata == Data("meta".utf8))
        #expect(entry.size == size)
        #expect(abs(entry.storedAt.timeIntervalSinceNow) < 60)
        #expect(folder.bodyFiles.count == (size > 65_536 ? 1 : 0))
        #expect(try await folder.store().entry(for: "key")?.body == body)
    }

    @Test("C3: making a store touches no disk")
    func lazy() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        #expect(folder.names("") == [])
        #expect(try await store.entry(for: "key") == nil)
        #expect(folder.names("").contains("index.sqlite"))
    }

    @Test("C3: folder and files are readable by their owner alone")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(.bytes(bytes(100_000)), metadata: Data(), for: "large")
        let source = folder.path + "/source"
        try writeFile(bytes(100_000), source)
        chmod(source, 0o644)
        try await store.insert(.file(path: source), metadata: Data(), for: "adopted")
        func mode(_ path: String) -> UInt32 {
            var status = stat()
            return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        for name in ["", "/bodies", "/tmp"] { #expect(mode(folder.storePath + name) == 0o700) }
        #expect(folder.bodyFiles.count == 2)
        for file in folder.bodyFiles { #expect(mode(file) == 0o600) }
        for name in [
            "index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.lock",
            "index.reserve",
        ] {
            #expect(mode("\(folder.storePath)/\(name)") == 0o600)
        }
        #expect(
            Set(folder.names("")) == [
                "bodies", "index.lock", "index.reserve", "index.sqlite", "index.sqlite-shm",
                "index.sqlite-wal", "tmp",
            ])
    }

    @Test("C3: storing again replaces, and the old file goes")
    func replaces() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(.bytes(bytes(100_000)), metadata: Data([1]), for: "key")
        try await store.insert(.bytes(bytes(200_000, seed: 2)), metadata: Data([2]), for: "key")
        #expect(folder.bodyFiles.count == 1)
        #expect(try await store.entry(for: "key")?.body == bytes(200_000, seed: 2))
        try await store.insert(.bytes(bytes(3)), metadata: Data([3]), for: "key")
        #expect(folder.bodyFiles.isEmpty)
        #expect(try await store.entry(for: "key")?.metadata == Data([3]))
        let statistics = try await store.statistics()
        #expect(statistics.entries == 1)
        #expect(statistics.bodyBytes == 3)
    }

    @Test("C3: a file is adopted and gone afterwards", arguments: [10, 100_000])
    func adoption(size: Int) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.open()
        let source = store.temporaryDirectory + "/spool"
        try writeFile(bytes(size), source)
        try await store.insert(.file(path: source), metadata: Data(), for: "key")
        #expect(!FileManager.default.fileExists(atPath: source))
        #expect(try await store.entry(for: "key")?.body == bytes(size))
    }

    @Test("C3: a file on another file system is copied", .enabled(if: otherFileSystem != nil))
    func adoptionAcrossFileSystems() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let source = try #require(otherFileSystem) + "/vitrine-test-\(getpid())"
        try writeFile(bytes(300_000), source)
        try await store.insert(.file(path: source), metadata: Data(), for: "key")
        #expect(!FileManager.default.fileExists(atPath: source))
        #expect(try await store.entry(for: "key")?.body == bytes(300_000))
        #expect(folder.names("tmp") == [])
    }

    @Test("C3: a file that is missing or no file throws and changes nothing")
    func unfitSources() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(.bytes(bytes(5)), metadata: Data(), for: "key")
        let missing = folder.path + "/missing"
        await #expect(throws: DiskStoreError.io(path: missing, reason: "No such file or directory"))
        {
            try await store.insert(.file(path: missing), metadata: Data(), for: "key")
        }
        await #expect(throws: DiskStoreError.self) {
            try await store.insert(.file(path: folder.path), metadata: Data(), for: "key")
        }
        #expect(FileManager.default.fileExists(atPath: folder.path))
        #expect(try await store.entry(for: "key")?.body == bytes(5))
    }

    @Test("C3: metadata changes without the body", arguments: [10, 100_000])
    func metadata(size: Int) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(.bytes(bytes(size)), metadata: Data([1]), for: "key")
        #expect(try await store.updateMetadata(Data([2, 3]), for: "key"))
        let entry = try await store.entry(for: "key")
        #expect(entry?.metadata == Data([2, 3]))
        #expect(entry?.body == bytes(size))
        #expect(try await store.updateMetadata(Data(), for: "other") == false)
    }

    @Test("C3: removal tells whether there was anything")
    func removal() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        for index in 0..<20 {
            try await store.insert(.bytes(bytes(index * 10_000)), metadata: Data(), for: "\(index)")
        }
        #expect(try await store.remove("19"))
        #expect(try await store.remove("19") == false)
        #expect(try await store.entry(for: "19") == nil)
        try await store.removeAll()
        let statistics = try await store.statistics()
        #expect(statistics.entries == 0)
        #expect(statistics.bodyBytes == 0)
        #expect(statistics.countedBytes == 0)
        #expect(statistics.bytesOnDisk < 1_500_000)
        #expect(folder.bodyFiles.isEmpty)
    }

    @Test(
        "C3: keys are compared byte by byte, whatever is in them",
        arguments: [
            "", "a\0b", "Ünïcode ✓", "' OR 1=1 --", String(repeating: "k", count: 100_000),
        ])
    func keys(key: String) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(.bytes(bytes(3)), metadata: Data(), for: key)
        try await store.insert(.bytes(bytes(4)), metadata: Data(), for: "a")
        #expect(try await store.entry(for: key)?.size == 3)
        #expect(try await store.records().contains { $0.key == key })
        #expect(try await store.remove(key))
        #expect(try await store.entry(for: "a")?.size == 4)
    }

    @Test("C3: records come in pages, in the order of storing")
    func records() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        for index in 0..<25 {
            try await store.insert(
                .bytes(bytes(index == 7 ? 100_000 : index)), metadata: Data([UInt8(index)]),
                for: "key-\(index + 10)")
        }
        var keys: [String] = []
        var last: DiskStore.Record?
        while true {
            let page = try await store.records(after: last, limit: 10)
            if page.isEmpty { break }
            #expect(page.count <= 10)
            keys += page.map(\.key)
            last = page.last
        }
        #expect(keys == (10..<35).map { "key-\($0)" })
        let large = try #require(try await store.records().first { $0.size == 100_000 })
        #expect(large.bodyPath == folder.bodyFiles.first)
        #expect(large.metadata == Data([7]))
        #expect(try await store.records(limit: -1).isEmpty)
    }

    @Test("C3: file names say nothing about what is stored")
    func fileNames() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(
            .bytes(bytes(100_000)), metadata: Data(), for: "https://example.org/?token=secret")
        let name = try #require(folder.names("bodies").first)
        #expect(name.utf8.count == 32)
        #expect(name.allSatisfy { "0123456789abcdef".contains($0) })
        let all = ["", "bodies", "tmp"].flatMap { folder.names($0) }
        #expect(all.allSatisfy { !$0.contains("example") && !$0.contains("secret") })
    }

    @Test("C3: times of use are written by a flush, at release, and by the next change")
    func timesOfUse() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock(now: 1_000_000)
        var store: DiskStore? = folder.store(time: clock.source)
        let reader = folder.store(time: clock.source)
        func lastUsed() async throws -> Double? {
            try await reader.records().first { $0.key == "key" }?.lastUsed.timeIntervalSince1970
        }
        try await store?.insert(.bytes(bytes(3)), metadata: Data(), for: "key")
        // What the store tidies up after it was opened is a change, which would write times too.
        try await Task.sleep(for: .milliseconds(300))
        clock.setWallClock(1_000_010)
        #expect(try await store?.entry(for: "key") != nil)
        #expect(try await lastUsed().map { Int($0) } == 1_000_000, "a read does not write")
        await store?.flush()
        #expect(try await lastUsed().map { Int($0) } == 1_000_010)
        clock.setWallClock(1_000_020)
        _ = try await store?.entry(for: "key")
        try await store?.insert(.bytes(bytes(3)), metadata: Data(), for: "other")
        #expect(try await lastUsed().map { Int($0) } == 1_000_020)
        clock.setWallClock(1_000_030)
        _ = try await store?.entry(for: "key")
        store = nil
        var waited = 0
        while try await lastUsed().map({ Int($0) }) != 1_000_030, waited < 500 {
            usleep(10_000)
            waited += 1
        }
        #expect(try await lastUsed().map { Int($0) } == 1_000_030)
    }

    @Test("C3: promise 11: no handle is inherited by a child process")
    func handles() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.insert(.bytes(bytes(10)), metadata: Data(), for: "key")
        var checked = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let file = Int32(name) else { continue }
            let target =
                try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(file)")
            guard let target, target.hasPrefix(folder.path) else { continue }
            checked += 1
            #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
        }
        #expect(checked >= 2)
    }

    @Test(
        "R6: errors say the facts",
        arguments: [
            (
                DiskStoreError.cannotOpen(path: "/x", reason: "Not a directory"),
                "The disk store at /x cannot be opened: Not a directory."
            ),
            (.full(path: "/x"), "There is no space left for the disk store at /x."),
            (.readOnly(path: "/x"), "The disk store at /x cannot be written to: it is read-only."),
            (
                .tooLarge(bytes: 1_234_567, limit: 1000),
                "An entry of 1,234,567 bytes is larger than the disk store's bound of 1,000 bytes."
            ),
            (
                .newerFormat(path: "/x", found: 7, supported: 2),
                "The disk store at /x has format 7, which a newer version has made; this one knows "
                    + "formats up to 2."
            ),
            (
                .noRoom(bytes: 10_194, available: 100, limit: 1_000_000),
                "An entry needs 10,194 bytes, and of the disk store's 1,000,000 bytes only 100 are "
                    + "free."
            ),
            (.busy(path: "/x"), "The disk store at /x is locked by another process."),
            (
                .io(path: "/x/y", reason: "Input/output error"),
                "Reading or writing /x/y for the disk store failed: Input/output error."
            ),
        ])
    func errorTexts(error: DiskStoreError, text: String) {
        #expect("\(error)" == text)
        #expect(error.errorDescription == text)
    }
}

/// A folder that is on another file system than `/tmp`.
let otherFileSystem: String? = {
    var here = stat()
    var there = stat()
    guard stat("/tmp", &here) == 0, stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev,
        access("/dev/shm", W_OK) == 0
    else { return nil }
    return "/dev/shm"
}()
