import DeterminismSupport
import FoundationEssentials
import Testing
import VitrineStorage

@Suite struct DiskStoreExpiryTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock(now: 1_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func store(
        expiry: DiskStore.Expiry = .never, bound: Int = 150_000_000
    ) -> DiskStore {
        var configuration = DiskStore.Configuration(
            directory: folder.storePath, maximumBytes: bound)
        configuration.expiry = expiry
        return DiskStore(configuration, time: clock.source)
    }

    private func put(
        _ key: String, _ expiry: DiskStore.Expiry? = nil, size: Int = 10, in store: DiskStore
    ) async throws {
        try await store.insert(
            .bytes(bytes(size)), metadata: Data([7]), for: key, expires: expiry)
    }

    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    @Test(
        "C5: an entry is there until its time, and not from then on",
        arguments: [
            .after(.seconds(60)), .at(Date(timeIntervalSince1970: 1_000_060)),
        ] as [DiskStore.Expiry], [10, 100_000])
    func expires(expiry: DiskStore.Expiry, size: Int) async throws {
        let store = store()
        try await put("key", expiry, size: size, in: store)
        try await put("other", size: size, in: store)
        clock.setWallClock(1_000_059.9)
        let entry = try #require(try await store.entry(for: "key"))
        #expect(entry.body == bytes(size))
        #expect(entry.expiresAt == date(1_000_060))
        #expect(!entry.record.isExpired(at: date(1_000_059.9)))
        clock.setWallClock(1_000_060)
        #expect(try await store.record(for: "key") == nil)
        #expect(try await store.records().count == 2, "listed until it is removed")
        #expect(try await store.entry(for: "key") == nil)
        #expect(try await store.records().map(\.key) == ["other"])
        #expect(folder.bodyFiles.count == (size > 65_536 ? 1 : 0))
        #expect(try await store.entry(for: "other")?.expiresAt == nil)
    }

    @Test("C5: a store's own expiry is for what says nothing else") func ofStore() async throws {
        let store = store(expiry: .after(.seconds(60)))
        try await put("own", .after(.seconds(600)), in: store)
        try await put("never", .never, in: store)
        try await put("default", in: store)
        #expect(
            try await store.records().map { $0.expiresAt?.timeIntervalSince1970 }
                == [1_000_600, nil, 1_000_060])
        clock.setWallClock(1_000_100)
        #expect(try await store.entry(for: "default") == nil)
        #expect(try await store.entry(for: "own") != nil)
        #expect(try await self.store(expiry: .after(.zero)).entry(for: "never") != nil)
    }

    @Test("C5: what has expired makes room before what was used longest ago")
    func expiredGoesFirst() async throws {
        let store = store(bound: 55_000)
        for index in 0..<5 {
            try await put(
                "\(index)", index == 3 ? .after(.seconds(1)) : nil, size: 10_000, in: store)
        }
        clock.setWallClock(1_000_002)
        try await put("new", size: 10_000, in: store)
        #expect(try await store.records().map(\.key) == ["0", "1", "2", "4", "new"])
        try await put("newer", size: 10_000, in: store)
        #expect(try await store.records().map(\.key) == ["1", "2", "4", "new", "newer"])
    }

    @Test("C5: what has expired is removed when a store is opened") func sweep() async throws {
        var first: DiskStore? = store()
        for index in 0..<600 {
            try await first?.insert(
                .bytes(bytes(5)), metadata: Data(), for: "\(index)",
                expires: index == 300 ? .never : .after(.seconds(1)))
        }
        first = nil
        clock.setWallClock(1_000_010)
        let second = store()
        try await second.open()
        var waited = 0
        while try await second.statistics().entries > 1, waited < 1000 {
            try await Task.sleep(for: .milliseconds(10))
            waited += 1
        }
        #expect(try await second.records().map(\.key) == ["300"])
    }

    @Test("C5: what has expired already is not stored, and takes away what was there")
    func alreadyExpired() async throws {
        let store = store(bound: 25_000)
        try await put("a", size: 10_000, in: store)
        try await put("b", size: 10_000, in: store)
        for size in [10_000, 24_000] {
            try await put("c", .after(.seconds(-1)), size: size, in: store)
        }
        #expect(try await store.records().map(\.key) == ["a", "b"], "nothing made room for it")
        let source = folder.path + "/source"
        try writeFile(bytes(10_000), source)
        try await store.insert(
            .file(path: source), metadata: Data(), for: "a", expires: .at(date(999_999)))
        #expect(!FileManager.default.fileExists(atPath: source))
        #expect(try await store.records().map(\.key) == ["b"])
    }

    @Test("C5: expiry changes without the body, and with the metadata", arguments: [10, 100_000])
    func changes(size: Int) async throws {
        let store = store()
        try await put("key", .after(.seconds(60)), size: size, in: store)
        let used = try await store.record(for: "key")?.lastUsed
        clock.setWallClock(1_000_030)
        #expect(try await store.setExpiry(.after(.seconds(60)), for: "key"))
        #expect(try await store.record(for: "key")?.expiresAt == date(1_000_090))
        #expect(try await store.record(for: "key")?.lastUsed == used)
        #expect(try await store.updateMetadata(Data([8]), for: "key"))
        #expect(try await store.record(for: "key")?.expiresAt == date(1_000_090), "kept")
        #expect(try await store.updateMetadata(Data([9]), for: "key", expires: .never))
        clock.setWallClock(1_001_000)
        let entry = try #require(try await store.entry(for: "key"))
        #expect(entry.body == bytes(size) && entry.metadata == Data([9]))
        #expect(entry.expiresAt == nil)
        #expect(try await store.setExpiry(.at(date(1_001_000)), for: "key"))
        #expect(try await store.setExpiry(.never, for: "key") == false, "it does not come back")
        #expect(try await store.updateMetadata(Data(), for: "key", expires: .never) == false)
        #expect(try await store.entry(for: "key") == nil)
        #expect(try await store.setExpiry(.never, for: "key") == false)
    }

    @Test("C5: of a family, what has expired is not there to be chosen") func family() async throws
    {
        let store = store()
        for (index, key) in ["k", "k ~1", "k ~2"].enumerated() {
            try await store.insert(
                .bytes(bytes(index)), metadata: Data([UInt8(index)]), for: key,
                expires: index == 1 ? .after(.seconds(1)) : nil)
        }
        let family = KeyFamily("k", andStartingWith: "k ~")
        #expect(try await store.metadata(of: family).count == 3)
        clock.setWallClock(1_000_001)
        #expect(try await store.metadata(of: family) == [Data([0]), Data([2])])
        let entry = try await store.entry(of: family) { metadata in
            #expect(metadata == [Data([0]), Data([2])])
            return 1
        }
        #expect(entry?.key == "k ~2")
        #expect(try await store.records().map(\.key) == ["k", "k ~2"])
        #expect(
            try await store.replaceMetadata(
                Data([2]), with: Data([3]), expiry: .after(.seconds(5)), for: "k ~2"))
        #expect(try await store.record(for: "k ~2")?.expiresAt == date(1_000_006))
    }

    private static let odd: [(DiskStore.Expiry, Bool)] = [
        (.at(Date(timeIntervalSince1970: .nan)), false),
        (.at(Date(timeIntervalSince1970: -.infinity)), false),
        (.at(Date(timeIntervalSince1970: -1e300)), false), (.at(.distantPast), false),
        (.at(Date(timeIntervalSince1970: .infinity)), true),
        (.at(Date(timeIntervalSince1970: 1e300)), true), (.at(.distantFuture), true),
        (.after(.zero), false), (.after(.seconds(Int64.min)), false),
        (.after(.seconds(Int64.max)), true), (.after(.nanoseconds(1)), false),
    ]

    @Test("C5: odd times are early or late, and never trap", arguments: odd.indices)
    func oddTimes(number: Int) async throws {
        // By number, since Foundation traps where it prints a date that is none.
        let (expiry, isThere) = Self.odd[number]
        let store = store()
        try await put("key", expiry, in: store)
        #expect(try await (store.entry(for: "key") != nil) == isThere)
        try await put("key", in: store)
        #expect(try await store.setExpiry(expiry, for: "key"))
        #expect(try await (store.entry(for: "key") != nil) == isThere)
        #expect(try await self.store(expiry: expiry).entry(for: "none") == nil)
        try await put("key", in: self.store(expiry: expiry))
        #expect(try await (store.record(for: "key") != nil) == isThere)
    }

    @Test(
        "C5: an odd clock never traps",
        arguments: [Double.nan, .infinity, -.infinity, -1e300, 1e300])
    func oddClock(now: Double) async throws {
        clock.setWallClock(now)
        let store = store()
        for expiry in Self.odd.map(\.0) + [.after(.seconds(60)), .after(.seconds(-60))] {
            try await put("key", expiry, in: store)
            _ = try await store.entry(for: "key")
            _ = try await store.setExpiry(expiry, for: "key")
            _ = try await store.records().map { $0.age(at: Date(timeIntervalSince1970: now)) }
        }
        for age in [Duration.seconds(Int64.min), .zero, .seconds(Int64.max)] {
            _ = try await store.prune(unusedFor: age, to: .min)
        }
    }

    @Test("C12, C5: an expiry that was changed by accident is a broken entry") func flipped()
        async throws
    {
        var first: DiskStore? = store()
        for (index, expiry) in [DiskStore.Expiry.after(.seconds(5)), .never].enumerated() {
            try await first?.insert(
                .bytes(bytes(5)), metadata: Data([1]), for: "\(index)", expires: expiry)
        }
        first = nil
        #expect(folder.waitUntilClosed())
        try execute(
            "UPDATE entry SET expires_at = iif(expires_at IS NULL, 2e15, NULL)",
            on: folder.indexPath)
        let second = store()
        #expect(try await second.entry(for: "0") == nil)
        #expect(try await second.setExpiry(.never, for: "1") == false)
        #expect(try await second.statistics().entries == 0)
    }

    @Test("P4: pruning removes what has expired, what was long not used, and what is too much")
    func prune() async throws {
        let store = store()
        for index in 0..<600 {
            clock.setWallClock(1_000_000 + Double(index))
            try await put(
                "\(index)", index.isMultiple(of: 2) ? .after(.seconds(5)) : nil, size: 1000,
                in: store)
        }
        let before = try await store.statistics().countedBytes
        clock.setWallClock(1_001_000)
        let expired = try await store.prune()
        #expect(expired.removed == 300)
        let after = try await store.statistics()
        #expect(after.entries == 300 && before - after.countedBytes == expired.bytes)
        // Used at 1,000,001, 003, …; now it is 1,001,000.
        #expect(try await store.prune(unusedFor: .seconds(700)).removed == 150)
        #expect(try await store.records().first?.key == "301")
        #expect(try await store.prune(to: after.countedBytes).removed == 0)
        let half = try await store.statistics().countedBytes / 2
        #expect(try await store.prune(to: half).removed == 75)
        #expect(try await store.statistics().countedBytes <= half)
        #expect(try await store.prune(to: -1).removed == 75)
        #expect(try await store.prune(unusedFor: .seconds(Int64.max)).removed == 0)
    }
}
