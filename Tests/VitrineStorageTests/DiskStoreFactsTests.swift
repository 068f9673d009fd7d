import DeterminismSupport
import FoundationEssentials
import Testing
import VitrineStorage

@Suite struct DiskStoreFactsTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock(now: 1_000_000)

    init() throws { folder = try TemporaryFolder() }

    @Test("C10: a listing goes on after an entry that has gone, with those stored since")
    func listingAfterTheLast() async throws {
        let store = folder.store()
        try await store.insert(.bytes(bytes(10)), metadata: Data(), for: "a")
        let last = try #require(try await store.records().last)
        try await store.remove("a")
        try await store.insert(.bytes(bytes(10)), metadata: Data(), for: "b")
        #expect(try await store.records(after: last).map(\.key) == ["b"])
    }

    @Test(
        "C10: an entry tells its place, size, metadata, age, use and expiry",
        arguments: [10, 100_000])
    func facts(size: Int) async throws {
        let store = folder.store(time: clock.source)
        try await store.insert(
            .bytes(bytes(size)), metadata: Data([4]), for: "key", expires: .after(.seconds(90)))
        clock.setWallClock(1_000_060)
        let record = try #require(try await store.record(for: "key"))
        #expect(record.key == "key" && record.metadata == Data([4]) && record.size == size)
        #expect(abs(record.storedAt.timeIntervalSince1970 - 1_000_000) < 0.001)
        let age = record.age(at: Date(timeIntervalSince1970: 1_000_060))
        #expect(age > .seconds(59.999) && age <= .seconds(60))
        #expect(record.expiresAt == Date(timeIntervalSince1970: 1_000_090))
        #expect(!record.isExpired(at: Date(timeIntervalSince1970: 1_000_089)))
        #expect(record.isExpired(at: Date(timeIntervalSince1970: 1_000_090)))
        if let path = record.bodyPath {
            #expect(try readFile(path) == bytes(size) && size > 65_536)
        } else {
            #expect(size <= 65_536)
        }
        #expect(record == (try await store.records().first))
        let entry = try #require(try await store.entry(for: "key"))
        #expect(entry.record == record && entry.bodyPath == record.bodyPath)
        #expect(entry.lastUsed == record.lastUsed)
        #expect(try await store.record(for: "other") == nil)
    }

    @Test("C10: facts are read without the body, and are no use of the entry") func withoutBody()
        async throws
    {
        let store = folder.store(time: clock.source)
        try await store.insert(.bytes(bytes(100_000)), metadata: Data(), for: "key")
        try FileManager.default.removeItem(atPath: folder.bodyFiles[0])
        clock.setWallClock(1_000_060)
        for _ in 0..<2 {
            let record = try #require(try await store.record(for: "key"))
            #expect(record.size == 100_000)
            await store.flush()
            #expect(abs(record.lastUsed.timeIntervalSince1970 - 1_000_000) < 0.001)
        }
        #expect(try await store.entry(for: "key") == nil)
    }

    @Test(
        "C10: an age is never negative, and no moment traps",
        arguments: [.nan, .infinity, -.infinity, 1e300, -1e300, 0] as [Double])
    func oddMoments(moment: Double) async throws {
        let store = folder.store(time: clock.source)
        try await store.insert(.bytes(bytes(5)), metadata: Data(), for: "key")
        let record = try #require(try await store.record(for: "key"))
        let date = Date(timeIntervalSince1970: moment)
        #expect((record.age(at: date) > .zero) == (moment > 1_000_000))
        #expect(!record.isExpired(at: date))
    }
}
