import FoundationEssentials
import Glibc
import VitrineBase

/// What a store does, each call on the thread that it is called from; ``DiskStore`` brings it to
/// threads that may block.
final class StoreCore: Sendable {
    let directory: String
    let maximumBytes: Int
    let inlineLimit: Int
    let expiry: DiskStore.Expiry
    let eviction: DiskStore.Eviction
    let events = StoreEvents()
    let files: StoreFiles
    let time: TimeSource
    private let index: Lock<StoreIndex>

    /// Times of use are written with the next change, else after so many or so long.
    private static let touchLimit = 256
    private static let touchSeconds = 30.0

    /// How many seconds a file that no entry owns may still belong to a writer.
    static let orphanAge = 3600.0

    /// - Parameter outer: the library's own folders on the way to the store's.
    init(
        _ configuration: DiskStore.Configuration, time: TimeSource, outer: [String] = []
    ) {
        directory = configuration.directory
        maximumBytes = min(max(0, configuration.maximumBytes), Int.max / 4)
        inlineLimit = min(max(0, configuration.inlineLimit), 1_048_576)
        expiry = configuration.expiry
        eviction = configuration.eviction
        let files = StoreFiles(directory: directory, outer: outer)
        self.files = files
        self.time = time
        index = Lock(StoreIndex(files: files, time: time, events: events))
    }

    func open() throws {
        try withIndex(writing: true) { _, _ in }
    }

    /// The time in microseconds since 1970.
    var now: Int64 { microseconds(time.now) }

    // MARK: Reading

    func entry(for key: String) throws -> DiskStore.Entry? {
        try entry { try find(key).map { (key, $0) } }
    }

    /// The entry that `find` finds, whole; `find` is asked a second time if its body is gone.
    func entry(
        _ find: () throws -> (key: String, entry: StoredEntry)?
    ) throws -> DiskStore.Entry? {
        guard var (key, found) = try find() else { return nil }
        if hasExpired(found) { return nil }
        var body = try body(of: found)
        if body == nil, found.file != nil {
            // Evicted or replaced between the look into the index and the one into the file?
            guard let second = try find() else { return nil }
            (key, found) = second
            body = try self.body(of: found)
        }
        guard let body, found.isIntact(key: key, body: body) else {
            dismiss(found.row, .broken)
            return nil
        }
        let row = found.row
        index.withLock { $0.touch(row) }
        return DiskStore.Entry(record: record(key: key, of: found), body: body)
    }

    /// Whether the time of an entry that was found is over; it is removed then.
    func hasExpired(_ found: StoredEntry) -> Bool {
        guard found.expiresAt != nil, VitrineStorage.hasExpired(found.expiresAt, at: now) else {
            return false
        }
        dismiss(found.row, .expired)
        return true
    }

    /// Removes an entry that may not be returned. To whoever reads it is absent also where it cannot
    /// be removed, as on a read-only disk.
    private func dismiss(_ row: Int64, _ reason: DiskStore.RemovalReason) {
        _ = try? change { try $0.removeEntry(row, reason) }
    }

    private func record(key: String, of found: StoredEntry) -> DiskStore.Record {
        DiskStore.Record(
            key: key, metadata: found.metadata, size: found.size,
            storedAt: StoreCore.date(found.storedAt), lastUsed: StoreCore.date(found.lastUsed),
            expiresAt: found.expiresAt.map(StoreCore.date),
            row: found.row, file: found.file, bodies: files.bodies)
    }

    func record(for key: String) throws -> DiskStore.Record? {
        let found = try withIndex { database, _ in
            try database.first(
                "SELECT \(DiskStore.Record.columns) FROM entry e WHERE e.key = ?", .text(key),
                read: record)
        }
        return found?.isExpired(at: Date(timeIntervalSince1970: time.now)) == false ? found : nil
    }

    /// Pages go by row, not by key: a damaged key need not be where its bytes say, and a caller who
    /// goes on from it could go round for ever.
    func records(after row: Int64, limit: Int) throws -> [DiskStore.Record] {
        try withIndex { database, _ in
            try database.all(
                """
                SELECT \(DiskStore.Record.columns) FROM entry e
                WHERE e.id > ?1 ORDER BY e.id LIMIT ?2
                """, .integer(row), .integer(Int64(max(0, limit))), read: record)
        }
    }

    func record(_ row: Row) -> DiskStore.Record {
        DiskStore.Record(
            key: row.text(0), metadata: row.data(1), size: Int(row.integer(2)),
            storedAt: StoreCore.date(row.integer(3)), lastUsed: StoreCore.date(row.integer(4)),
            expiresAt: row.isNull(5) ? nil : StoreCore.date(row.integer(5)),
            row: row.integer(7), file: row.isNull(6) ? nil : row.text(6), bodies: files.bodies)
    }

    /// Whether an entry that was listed is whole; removes it if not, and says true if it is no longer
    /// there.
    func verify(_ record: DiskStore.Record) throws -> Bool {
        let found = try withIndex { database, _ in
            try database.first(
                """
                SELECT \(StoredEntry.columns) FROM \(StoredEntry.tables) WHERE e.id = ?
                """, .integer(record.row), read: { StoredEntry($0) })
        }
        guard let found else { return true }
        if let body = try body(of: found), found.isIntact(key: record.key, body: body) {
            return true
        }
        return try !change { try $0.removeEntry(found.row, .broken) }
    }

    func statistics() throws -> DiskStore.Statistics {
        let (entries, cost, size) = try withIndex { database, _ in
            try database.first(
                """
                SELECT entries, cost + (SELECT coalesce(sum(cost), 0) FROM pending), size FROM total
                """
            ) { (Int($0.integer(0)), Int($0.integer(1)), Int($0.integer(2))) } ?? (0, 0, 0)
        }
        return DiskStore.Statistics(
            entries: entries, bodyBytes: size, countedBytes: cost,
            bytesOnDisk: files.bytesOnDisk(), maximumBytes: maximumBytes, directory: directory)
    }

    private func find(_ key: String) throws -> StoredEntry? {
        try withIndex { database, _ in
            try database.first(StoredEntry.byKey, .text(key), read: { StoredEntry($0) })
        }
    }

    private func body(of found: StoredEntry) throws -> Data? {
        guard let file = found.file else { return found.inlineBody }
        return try files.read(file, size: found.size)
    }

    // MARK: Housekeeping

    /// What is to be done now and then after a call, once its caller has the answer.
    func tidy() {
        if takeSweep() { sweep() }
        if touchesAreDue { flush() }
        index.withLock { $0.checkpointIfLong() }
    }

    private var touchesAreDue: Bool {
        index.withLock { index in
            guard let first = index.firstTouch else { return false }
            let waited = abs(time.now - first)
            return index.touches.count >= StoreCore.touchLimit || waited >= StoreCore.touchSeconds
        }
    }

    /// Whether the index could be opened.
    var isOpen: Bool { index.withLock { $0.isOpen } }

    /// True once after the index was opened.
    private func takeSweep() -> Bool {
        index.withLock { index in
            defer { index.needsSweep = false }
            return index.needsSweep
        }
    }

    /// Writes the times of use. They are only hints, so a failure loses them silently.
    func flush() {
        guard index.withLock({ !$0.touches.isEmpty && $0.isCurrent }) else { return }
        do {
            try change { _ in }
        } catch {
            index.withLock { $0.clearTouches() }
        }
    }

    /// Removes what no entry owns and nobody writes any more, and corrects the sums.
    private func sweep() {
        let (isNew, isCurrent) = index.withLock { index in
            defer { index.wasReplaced = false }
            return (index.wasReplaced, index.isCurrent)
        }
        guard isCurrent else { return }
        let known = try? change { change in
            try change.repair()
            return try change.fileNames()
        }
        guard let known else { return }
        // The bodies of an index that was replaced belong to nobody, and would take the place of
        // new ones on disk; a minute is for those that another process puts there right now.
        let age = isNew ? 60 : StoreCore.orphanAge
        files.sweep(keeping: known, writtenBefore: time.now - age)
        // A few in each transaction, so that others need not wait long.
        while let expired = try? change({ try $0.removeExpired(atMost: 256) }), !expired.isEmpty {}
        events.deliver()
    }

    func close() {
        flush()
        index.withLock { $0.forget() }
        files.close()
    }

    // MARK: The index

    func withIndex<Result>(
        writing: Bool = false, _ body: (Database, StoreIndex) throws -> Result
    ) throws -> Result {
        try index.withLock { index in try index.run(writing: writing) { try body($0, index) } }
    }

    func discardIndex() throws {
        try index.withLock { try $0.discard() }
        events.note(.emptied)
    }

    /// Changes the index so that something goes, where the disk is full, too: then with the room that
    /// is kept for this, and with as few pages as possible.
    ///
    /// - Parameter body: removes no more at once than ``IndexChange/batch``, and may be called again.
    @discardableResult
    func removing<Result>(_ body: (inout IndexChange) throws -> Result) throws -> Result {
        do {
            return try change(body)
        } catch let error as SQLiteError where error.kind == .full {
            files.spendReserve()
            compact()
            defer {
                compact()
                files.keepReserve()
            }
            return try change(sparingly: true, body)
        }
    }

    /// Brings the journal's pages to their place and leaves its room to others.
    func compact() {
        _ = try? withIndex { database, _ in
            try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        }
    }

    /// Changes the index in one transaction and then removes the files of the entries that went.
    ///
    /// - Parameter sparingly: leaves out what can be done another time, and removes the files first: they
    ///   make room for the transaction, and an entry without its file is as good as removed.
    @discardableResult
    func change<Result>(
        sparingly: Bool = false, _ body: (inout IndexChange) throws -> Result
    ) throws -> Result {
        let isObserved = events.areObserved
        let (result, victims) = try withIndex(writing: true) { database, index in
            index.limitJournal(database)
            let outcome = try database.transaction {
                if !sparingly { try index.writeTouches(database) }
                var change = IndexChange(
                    database: database, maximumBytes: maximumBytes, eviction: eviction,
                    now: index.stamp(), clock: now, isObserved: isObserved, isSparing: sparingly)
                let result = try body(&change)
                if sparingly {
                    files.remove(change.victims)
                } else {
                    try change.returnFreePages()
                }
                return (result, change.victims, change.events)
            }
            index.clearTouches()
            if isObserved { events.note(outcome.2) }
            return (outcome.0, outcome.1)
        }
        files.remove(victims)
        return result
    }

    static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1e6)
    }
}
