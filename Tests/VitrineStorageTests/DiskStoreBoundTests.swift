import DeterminismSupport
import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

@Suite struct DiskStoreBoundTests {
    @Test("C3: promise 18: the least recently used go first, and uses in memory count")
    func leastRecentlyUsedGoes() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store(bound: 55_000)
        for index in 0..<5 {
            try await store.insert(.bytes(bytes(10_000)), metadata: Data(), for: "\(index)")
        }
        _ = try await store.entry(for: "0")
        try await store.insert(.bytes(bytes(20_000)), metadata: Data(), for: "new")
        let keys = Set(try await store.records().map(\.key))
        #expect(keys == ["0", "3", "4", "new"])
    }

    @Test("C3: promise 18: the bound holds at every step, for bodies, metadata and files alike")
    func boundHolds() async throws {
        let folder = try TemporaryFolder()
        let bound = 1_000_000
        let store = folder.store(bound: bound)
        var random = SeededRandom(seed: 7)
        for step in 0..<300 {
            let size = Int.random(in: 0...150_000, using: &random)
            let metadata = bytes(Int.random(in: 0...3000, using: &random))
            let key = "\(Int.random(in: 0..<60, using: &random))"
            try await store.insert(.bytes(bytes(size)), metadata: metadata, for: key)
            if step.isMultiple(of: 5) {
                try await store.updateMetadata(bytes(20_000), for: key)
            }
            let statistics = try await store.statistics()
            #expect(statistics.countedBytes <= bound)
            let records = try await store.records()
            #expect(statistics.entries == records.count)
            #expect(records.reduce(0) { $0 + $1.size } == statistics.bodyBytes)
            #expect(statistics.bytesOnDisk < bound * 12 / 10 + 16_000_000)
            #expect(Set(folder.bodyFiles) == Set(records.compactMap(\.bodyPath)))
        }
        #expect(try await store.verify().removed == [])
    }

    @Test("C3: promise 18: entries that fill pages badly do not outgrow the folder")
    func poorlyFilledPages() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store(bound: 12_000_000)
        // One row of this size fills a little more than half of a page.
        for index in 0..<6000 {
            try await store.insert(.bytes(bytes(2150)), metadata: Data(), for: "\(index)")
        }
        let statistics = try await store.statistics()
        #expect(statistics.bytesOnDisk < 12_000_000 * 12 / 10 + 16_000_000)
        #expect(statistics.entries > 3000)
        #expect(try await store.entry(for: "5999") != nil)
    }

    @Test("C3: promise 18: space that small entries leave is given back")
    func shrinks() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store(bound: 10_000_000)
        for index in 0..<150 {
            try await store.insert(.bytes(bytes(60_000)), metadata: Data(), for: "\(index)")
        }
        let before = try await store.statistics().bytesOnDisk
        try await store.insert(.bytes(bytes(9_000_000)), metadata: Data(), for: "large")
        await store.flush()
        let after = try await store.statistics()
        #expect(after.countedBytes <= 10_000_000)
        #expect(after.bytesOnDisk < 10_000_000 * 12 / 10 + 16_000_000)
        #expect(before > 9_000_000)
    }

    @Test("C3: an entry larger than the whole bound is refused, and the older one stays")
    func tooLarge() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store(bound: 100_000)
        try await store.insert(.bytes(bytes(10)), metadata: Data(), for: "key")
        await #expect(throws: DiskStoreError.tooLarge(bytes: 100_198, limit: 100_000)) {
            try await store.insert(.bytes(bytes(100_000)), metadata: Data(), for: "key")
        }
        await #expect(throws: DiskStoreError.self) {
            try await store.updateMetadata(bytes(100_000), for: "key")
        }
        let source = folder.path + "/source"
        try writeFile(bytes(200_000), source)
        await #expect(throws: DiskStoreError.self) {
            try await store.insert(.file(path: source), metadata: Data(), for: "key")
        }
        #expect(!FileManager.default.fileExists(atPath: source))
        #expect(try await store.entry(for: "key")?.size == 10)
    }

    @Test("C3: every bound makes a store", arguments: [Int.min, -1, 0, Int.max])
    func bounds(bound: Int) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store(bound: bound, inlineLimit: bound)
        if bound == .max {
            try await store.insert(.bytes(bytes(2_000_000)), metadata: Data(), for: "key")
            #expect(try await store.entry(for: "key")?.size == 2_000_000)
        } else {
            await #expect(throws: DiskStoreError.self) {
                try await store.insert(.bytes(Data()), metadata: Data(), for: "key")
            }
            #expect(try await store.entry(for: "key") == nil)
        }
    }

    @Test("C12: promise 18: two stores on one folder share one bound")
    func sharedBound() async throws {
        let folder = try TemporaryFolder()
        let stores = [folder.store(bound: 600_000), folder.store(bound: 600_000)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for index in 0..<60 {
                        try await store.insert(
                            .bytes(bytes(index.isMultiple(of: 3) ? 90_000 : 20_000)),
                            metadata: Data(), for: "\(number)-\(index)")
                        #expect(try await store.statistics().countedBytes <= 600_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        let first = try await stores[0].records()
        #expect(first == (try await stores[1].records()))
        for record in first {
            #expect(try await stores[1].entry(for: record.key)?.size == record.size)
        }
        #expect(Set(folder.bodyFiles) == Set(first.compactMap(\.bodyPath)))
    }

    @Test("C12: orphans are swept when a store is opened, files in the making are not")
    func sweep() async throws {
        let folder = try TemporaryFolder()
        var store: DiskStore? = folder.store()
        try await store?.insert(.bytes(bytes(100_000)), metadata: Data(), for: "key")
        store = nil
        let kept = try #require(folder.bodyFiles.first)
        let old = folder.storePath + "/bodies/" + String(repeating: "a", count: 32)
        let fresh = folder.storePath + "/bodies/" + String(repeating: "b", count: 32)
        let foreign = folder.storePath + "/bodies/notes.txt"
        let oldSpool = folder.storePath + "/tmp/old"
        let freshSpool = folder.storePath + "/tmp/fresh"
        for path in [old, fresh, foreign, oldSpool, freshSpool] { try writeFile(bytes(5), path) }
        var times = [timespec(), timespec()]
        times[0].tv_sec = time(nil) - 7200
        times[1].tv_sec = time(nil) - 7200
        for path in [kept, old, foreign, oldSpool] { utimensat(AT_FDCWD, path, times, 0) }
        let next = folder.store()
        try await next.open()
        var waited = 0
        while FileManager.default.fileExists(atPath: oldSpool), waited < 500 {
            usleep(10_000)
            waited += 1
        }
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        #expect(!exists(old))
        #expect(!exists(oldSpool))
        #expect(exists(kept))
        #expect(exists(fresh))
        #expect(exists(freshSpool))
        #expect(exists(foreign))
        #expect(try await next.entry(for: "key")?.size == 100_000)
    }

    @Test("C3: after a clock was set back, entries from the future do not stay for ever")
    func clockSetBack() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock(now: 2_000_000_000)
        try await folder.store(bound: 25_000, time: clock.source)
            .insert(.bytes(bytes(10_000)), metadata: Data(), for: "future")
        clock.setWallClock(1_000_000_000)
        let store = folder.store(bound: 25_000, time: clock.source)
        for index in 0..<2 {
            clock.setWallClock(1_000_000_010 + Double(index))
            try await store.insert(.bytes(bytes(10_000)), metadata: Data(), for: "\(index)")
        }
        #expect(Set(try await store.records().map(\.key)) == ["0", "1"])
    }

    @Test(
        "C3: a clock with no sense does no harm",
        arguments: [
            Double.nan, .infinity, -.infinity, -1e300, 1e300,
        ])
    func wildClock(now: Double) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store(bound: 30_000, time: ManualClock(now: now).source)
        for index in 0..<5 {
            try await store.insert(.bytes(bytes(10_000)), metadata: Data(), for: "\(index)")
        }
        #expect(try await store.records().map(\.key) == ["3", "4"])
        #expect(try await store.entry(for: "4")?.size == 10_000)
    }
}
