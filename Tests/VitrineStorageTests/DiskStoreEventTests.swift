import DeterminismSupport
import FoundationEssentials
import Glibc
import Testing
import VitrineBase

@testable import VitrineStorage

@Suite struct DiskStoreEventTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock(now: 1_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func put(_ key: String, _ size: Int = 10, in store: DiskStore) async throws {
        try await store.insert(.bytes(bytes(size)), metadata: Data([1]), for: key)
    }

    @Test("C8: what is stored, changed and removed is told, in its order and with its reason")
    func changes() async throws {
        let store = folder.store(bound: 260_000, time: clock.source)
        let log = EventLog(store)
        try await put("a", in: store)
        try await put("b", 100_000, in: store)
        try await store.insert(
            .bytes(bytes(3)), metadata: Data(), for: "a", expires: .after(.seconds(5)))
        try await store.updateMetadata(Data([2]), for: "b")
        try await store.setExpiry(.after(.seconds(5)), for: "b")
        clock.setWallClock(1_000_010)
        #expect(try await store.entry(for: "a") == nil)
        try await put("c", 100_000, in: store)
        try await put("d", 100_000, in: store)
        try await put("e", 100_000, in: store)
        #expect(try await store.remove("d"))
        #expect(try await store.remove("d") == false)
        let file = try #require(folder.bodyFiles.first)
        truncate(file, 5)
        #expect(try await store.entry(for: "e") == nil)
        try await put("f", in: store)
        #expect(try await store.remove(KeyFamily("f", andStartingWith: "f ")) == 1)
        try await store.removeAll()
        await store.flush()
        let later = Date(timeIntervalSince1970: 1_000_005)
        func inserted(_ key: String, _ size: Int, _ date: Date? = nil) -> DiskStore.Event {
            .inserted(key: key, size: size, expiresAt: date)
        }
        let expected: [DiskStore.Event] = [
            inserted("a", 10), inserted("b", 100_000), .removed(key: "a", reason: .replaced),
            inserted("a", 3, later), .updated(key: "b"), .updated(key: "b"),
            .removed(key: "a", reason: .expired), inserted("c", 100_000),
            .removed(key: "b", reason: .expired), inserted("d", 100_000),
            .removed(key: "c", reason: .evicted), inserted("e", 100_000),
            .removed(key: "d", reason: .asked), .removed(key: "e", reason: .broken),
            inserted("f", 10), .removed(key: "f", reason: .asked), .emptied,
        ]
        #expect(await log.first(expected.count) == expected)
        #expect(log.threadCount == 1)
    }

    @Test(
        "C8: an observer is called one event at a time, and never for what was before or after it")
    func observing() async throws {
        let store = folder.store()
        try await put("before", in: store)
        let (first, second) = (EventLog(store), Lock<[DiskStore.Event]>([]))
        let observation = store.observe { event in second.withLock { $0.append(event) } }
        try await put("a", in: store)
        #expect(await first.first(1).count == 1)
        // Both are told of one event before anybody is told of the next.
        try await put("b", in: store)
        #expect(await first.first(2).count == 2)
        observation.cancel()
        observation.cancel()
        try await put("c", in: store)
        #expect(await first.first(3).count == 3)
        #expect(second.withLock { $0.first } == .inserted(key: "a", size: 10, expiresAt: nil))
        #expect(second.withLock { $0.count } <= 2)
    }

    @Test("C8: an observer may use the store, and a slow one delays no call") func slow()
        async throws
    {
        let store = folder.store()
        let gate = Lock(true)
        let done = Lock(0)
        store.observe { event in
            while gate.withLock({ $0 }) { usleep(1000) }
            done.withLock { $0 += 1 }
        }
        for index in 0..<50 { try await put("\(index)", in: store) }
        #expect(try await store.statistics().entries == 50)
        #expect(done.withLock { $0 } == 0)
        gate.withLock { $0 = false }
        for _ in 0..<1000 where done.withLock({ $0 }) < 50 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(done.withLock { $0 } == 50)
    }

    @Test("C8: an observer goes with its store or its observation") func released() async throws {
        final class Witness: Sendable {}
        weak var kept: Witness?
        weak var cancelled: Witness?
        var store: DiskStore? = folder.store()
        do {
            let (one, two) = (Witness(), Witness())
            (kept, cancelled) = (one, two)
            _ = store?.observe { _ in withExtendedLifetime(one) {} }
            store?.observe { _ in withExtendedLifetime(two) {} }.cancel()
        }
        #expect(kept != nil && cancelled == nil)
        try await put("a", in: #require(store))
        store = nil
        for _ in 0..<1000 where kept != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(kept == nil)
    }

    @Test("C8, promise 17: a broken index is told with its reason and place") func replaced()
        async throws
    {
        mkdir(folder.storePath, 0o700)
        try writeFile(Data(repeating: 65, count: 5000), folder.indexPath)
        let store = folder.store()
        let log = EventLog(store)
        #expect(try await store.entry(for: "key") == nil)
        let broken = try #require(folder.brokenFiles.first)
        #expect(
            await log.first(1) == [
                .indexReplaced(
                    reason: "file is not a database", putAside: "\(folder.storePath)/\(broken)")
            ])
        try await put("a", in: store)
        #expect(await log.first(2).last == .inserted(key: "a", size: 10, expiresAt: nil))
    }

    @Test("C8, promise 17: a folder that vanishes is told once") func vanished() async throws {
        let store = folder.store()
        let log = EventLog(store)
        try await put("a", in: store)
        try FileManager.default.removeItem(atPath: folder.storePath)
        for _ in 0..<2 { #expect(try await store.entry(for: "a") == nil) }
        try await put("b", in: store)
        #expect(
            await log.first(3) == [
                .inserted(key: "a", size: 10, expiresAt: nil), .folderVanished,
                .inserted(key: "b", size: 10, expiresAt: nil),
            ])
    }

    @Test("C8, promise 17: a store that cannot be used says so once, and once that it can")
    func unavailable() async throws {
        try writeFile(Data(), folder.storePath)  // a file where the folder should be
        let store = folder.store()
        let log = EventLog(store)
        let reason = DiskStoreError.cannotOpen(path: folder.storePath, reason: "Not a directory")
        for _ in 0..<3 {
            await #expect(throws: reason) { try await store.entry(for: "a") }
            await #expect(throws: reason) { try await put("a", in: store) }
            await store.flush()
        }
        #expect(await log.first(1) == [.unavailable(reason)])
        unlink(folder.storePath)
        for _ in 0..<2 { #expect(try await store.entry(for: "a") == nil) }
        await #expect(throws: DiskStoreError.self) { try await put("a", 200_000_000, in: store) }
        #expect(await log.first(2) == [.unavailable(reason), .available])
    }

    @Test(
        "C8: reading from a full disk makes nothing available; writing does", .enabled(if: canMount)
    )
    func fullDisk() async throws {
        mkdir(folder.storePath, 0o700)
        try run(
            "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder.storePath])
        defer { umount2(folder.storePath, Int32(MNT_DETACH)) }
        let store = folder.store()
        try await put("a", in: store)
        let log = EventLog(store)
        for index in 0..<20 {
            _ = try? await put("\(index)", 100_000, in: store)
            #expect(try await store.entry(for: "a")?.size == 10)
        }
        try await store.removeAll()
        try await put("b", in: store)
        let all = await log.upTo(.inserted(key: "b", size: 10, expiresAt: nil))
        let events = all.filter {
            switch $0 {
            case .unavailable, .available, .indexReplaced, .folderVanished: true
            default: false
            }
        }
        #expect(all.contains(.emptied))
        #expect(events.first == .unavailable(.full(path: folder.storePath)))
        #expect(events.dropFirst() == [.available])
    }

    @Test("C8: which ends of calls change what is told of a store")
    func health() {
        let (full, gone) = (
            DiskStoreError.full(path: "/s"), DiskStoreError.cannotOpen(path: "/s", reason: "")
        )
        let steps: [(StoreHealth.Work, DiskStoreError?, DiskStore.Event?)] = [
            (.reading, nil, nil), (.writing, nil, nil),
            (.writing, .tooLarge(bytes: 2, limit: 1), nil),
            (.writing, .noRoom(bytes: 2, available: 1, limit: 3), nil),
            (.writing, .io(path: "/other", reason: ""), nil),
            (.writing, full, .unavailable(full)), (.writing, full, nil), (.reading, nil, nil),
            (.reading, gone, nil), (.writing, .tooLarge(bytes: 2, limit: 1), nil),
            (.writing, nil, .available), (.writing, nil, nil),
            (.reading, gone, .unavailable(gone)), (.writing, full, nil),
            (.reading, nil, .available), (.writing, full, .unavailable(full)),
            (.writing, nil, .available),
            (.writing, .io(path: "/s", reason: ""), .unavailable(.io(path: "/s", reason: ""))),
        ]
        var health = StoreHealth()
        for (number, (work, error, event)) in steps.enumerated() {
            #expect(health.after(work, error, in: "/s") == event, "step \(number)")
        }
    }
}
