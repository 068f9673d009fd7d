import FoundationEssentials

/// One write transaction on the index, the files that are to go once it is committed, and what
/// observers are to be told then.
struct IndexChange {
    let database: Database
    let maximumBytes: Int
    let eviction: DiskStore.Eviction
    /// Microseconds since 1970, later than any use noted before.
    let now: Int64
    /// What the clock says, which may have been set back: expiry goes by it.
    let clock: Int64
    let isObserved: Bool
    /// Whether there is hardly any room for the journal.
    let isSparing: Bool
    var victims: [String] = []
    /// Whether pages may have become free.
    var freedPages = false
    private(set) var events: [DiskStore.Event] = []

    init(
        database: Database, maximumBytes: Int, eviction: DiskStore.Eviction, now: Int64,
        clock: Int64, isObserved: Bool, isSparing: Bool
    ) {
        self.database = database
        self.maximumBytes = maximumBytes
        self.eviction = eviction
        self.now = now
        self.clock = clock
        self.isObserved = isObserved
        self.isSparing = isSparing
    }

    /// How many entries to remove in one transaction, so that others need not wait long.
    var batch: Int { isSparing ? 4 : 256 }

    mutating func note(_ event: @autoclosure () -> DiskStore.Event) {
        if isObserved { events.append(event()) }
    }

    // MARK: Entries

    /// Stores an entry in place of an older one of its key; its body lies in the index or in a file
    /// that is there already.
    mutating func insert(_ new: NewEntry, body: Data? = nil, file: String? = nil) throws {
        let (sum, old, row) = try standing(of: new.key)
        var counted = sum
        if counted > Int64(maximumBytes) { counted = try repairIfImplausible() }
        if let old, try removeEntry(old, .replaced) { counted = try countedBytes() }
        if counted + Int64(new.cost) > Int64(maximumBytes) { try makeRoom(for: new.cost) }
        try database.run(
            """
            INSERT INTO entry
                (id, key, size, cost, file, metadata_sum, body_sum, stored_at, last_used, expires_at,
                metadata)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)
            """,
            .integer(row), .text(new.key), .integer(Int64(new.size)), .integer(Int64(new.cost)),
            file.map { .text($0) } ?? .null,
            .integer(new.metadataSum), .integer(Int64(bitPattern: new.checksum)), .integer(now),
            new.expiresAt.map { .integer($0) } ?? .null, .blob(new.metadata))
        // No trigger: for its sake SQLite would keep a copy of each page that the insertion changes.
        try database.run(
            """
            UPDATE total SET entries = entries + 1, cost = cost + ?1, size = size + ?2,
                file_size = file_size + ?3, last_row = ?4
            """, .integer(Int64(new.cost)), .integer(Int64(new.size)),
            .integer(file == nil ? 0 : Int64(new.size)), .integer(row))
        if let body {
            try database.run(
                "INSERT OR REPLACE INTO content VALUES (?, ?)", .integer(row), .blob(body))
        }
        // What made room has only lessened the sum.
        try limitFolder(for: new.cost, counted: counted + Int64(new.cost), sparing: row)
        note(
            .inserted(
                key: new.key, size: new.size, expiresAt: new.expiresAt.map(StoreCore.date)))
    }

    /// What is to be known before an entry is stored: ``countedBytes()``, the row that the key has now,
    /// and a row number that no entry has had, so that nobody who still means an older one means this one.
    private func standing(of key: String) throws -> (counted: Int64, old: Int64?, row: Int64) {
        try database.first(
            """
            SELECT cost + (SELECT coalesce(sum(cost), 0) FROM pending),
                (SELECT id FROM entry WHERE key = ?),
                max(last_row, (SELECT coalesce(max(id), 0) FROM entry)) + 1
            FROM total
            """, .text(key)
        ) {
            (
                IndexChange.plausible($0.integer(0)), $0.isNull(1) ? nil : $0.integer(1),
                $0.integer(2)
            )
        } ?? (0, nil, 1)
    }

    /// - Parameter expiry: the new one, as far as it is to change.
    mutating func updateMetadata(
        _ metadata: Data, expiry: DiskStore.Expiry?, for key: String
    ) throws -> Bool {
        try repairIfImplausible()
        let old = try database.first(
            "SELECT id, size, cost, expires_at FROM entry WHERE key = ?", .text(key)
        ) {
            (
                row: $0.integer(0), size: Int($0.integer(1)), cost: Int($0.integer(2)),
                expiresAt: $0.isNull(3) ? nil : $0.integer(3)
            )
        }
        guard let old, !hasExpired(old.expiresAt, at: clock) else { return false }
        let expiresAt = expiry.map { $0.moment(storedAt: clock) } ?? old.expiresAt
        let cost = NewEntry.cost(key: key, metadata: metadata, size: old.size)
        guard cost <= maximumBytes else {
            throw DiskStoreError.tooLarge(bytes: cost, limit: maximumBytes)
        }
        try makeRoom(for: min(max(cost &- old.cost, 0), .max / 4), sparing: old.row)
        try database.run(
            """
            UPDATE entry SET cost = ?2, metadata_sum = ?3, last_used = ?4, expires_at = ?5,
                metadata = ?6
            WHERE id = ?1
            """,
            .integer(old.row), .integer(Int64(cost)),
            .integer(
                StoredEntry.metadataSum(key: key, metadata: metadata, expiresAt: expiresAt)),
            .integer(now), expiresAt.map { .integer($0) } ?? .null, .blob(metadata))
        freedPages = true
        try limitFolder(
            for: max(cost &- old.cost, 0), counted: countedBytes(), sparing: old.row)
        note(.updated(key: key))
        return true
    }

    mutating func setExpiry(_ expiry: DiskStore.Expiry, for key: String) throws -> Bool {
        let found = try database.first(
            "SELECT id, metadata_sum, metadata, expires_at FROM entry WHERE key = ?", .text(key)
        ) {
            (
                row: $0.integer(0), sum: $0.integer(1), metadata: $0.data(2),
                expiresAt: $0.isNull(3) ? nil : $0.integer(3)
            )
        }
        guard let found, !hasExpired(found.expiresAt, at: clock) else { return false }
        func sum(_ expiresAt: Int64?) -> Int64 {
            StoredEntry.metadataSum(key: key, metadata: found.metadata, expiresAt: expiresAt)
        }
        // A new sum over what is broken would make it right.
        guard found.sum == sum(found.expiresAt) else {
            try removeEntry(found.row, .broken)
            return false
        }
        let expiresAt = expiry.moment(storedAt: clock)
        try database.run(
            "UPDATE entry SET metadata_sum = ?2, expires_at = ?3 WHERE id = ?1",
            .integer(found.row), .integer(sum(expiresAt)),
            expiresAt.map { .integer($0) } ?? .null)
        note(.updated(key: key))
        return true
    }

    @discardableResult
    mutating func removeEntry(
        of key: String, _ reason: DiskStore.RemovalReason
    ) throws -> Bool {
        let row = try database.first("SELECT id FROM entry WHERE key = ?", .text(key)) {
            $0.integer(0)
        }
        guard let row else { return false }
        return try removeEntry(row, reason)
    }

    @discardableResult
    mutating func removeEntry(_ row: Int64, _ reason: DiskStore.RemovalReason) throws -> Bool {
        let found = try database.first(
            "SELECT \(Victim.columns) FROM entry WHERE id = ?", .integer(row),
            read: { Victim($0, withKey: isObserved) })
        guard let found else { return false }
        try remove(found, reason)
        return true
    }

    mutating func removeAll() throws {
        victims += try database.all("SELECT file FROM entry WHERE file IS NOT NULL") { $0.text(0) }
        try database.run("DELETE FROM entry")
        freedPages = true
        note(.emptied)
    }

    // MARK: Files under way

    /// Makes room for a body file before it is written and counts it from now on.
    mutating func announce(_ file: String, for new: NewEntry) throws {
        try repairIfImplausible()
        try makeRoom(for: new.cost, replacing: new.key)
        try database.run(
            "INSERT INTO pending VALUES (?, ?, ?)", .text(file), .integer(Int64(new.cost)),
            .integer(now))
    }

    func withdraw(_ file: String) throws {
        try database.run("DELETE FROM pending WHERE file = ?", .text(file))
    }

    /// The names of all body files that belong to an entry or will.
    func fileNames() throws -> Set<String> {
        Set(
            try database.all(
                "SELECT file FROM entry WHERE file IS NOT NULL UNION ALL SELECT file FROM pending"
            ) { $0.text(0) })
    }
}
