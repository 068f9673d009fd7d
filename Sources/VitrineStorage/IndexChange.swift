import FoundationEssentials

/// One write transaction on the index, and the files that are to go once it is committed.
struct IndexChange {
    let database: Database
    let maximumBytes: Int
    /// Microseconds since 1970, later than any use noted before.
    let now: Int64
    private(set) var victims: [String] = []

    init(database: Database, maximumBytes: Int, now: Int64) {
        self.database = database
        self.maximumBytes = maximumBytes
        self.now = now
    }

    // MARK: Entries

    /// Stores an entry in place of an older one of its key; its body lies in the index or in a file
    /// that was announced.
    mutating func insert(_ new: NewEntry, body: Data? = nil, file: String? = nil) throws {
        if let file { try withdraw(file) }
        try repairIfImplausible()
        try removeEntry(of: new.key)
        try makeRoom(for: new.cost)
        try database.run(
            """
            INSERT INTO entry (key, size, cost, file, metadata_sum, body_sum, stored_at, last_used)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
            """,
            .text(new.key), .integer(Int64(new.size)), .integer(Int64(new.cost)),
            file.map { .text($0) } ?? .null,
            .integer(StoredEntry.metadataSum(key: new.key, metadata: new.metadata)),
            .integer(Int64(bitPattern: new.checksum)), .integer(now))
        let row = try database.integer("SELECT last_insert_rowid()")
        try database.run(
            "INSERT OR REPLACE INTO content VALUES (?, ?, ?)", .integer(row), .blob(new.metadata),
            body.map { .blob($0) } ?? .null)
        try limitFolder(sparing: row)
    }

    mutating func updateMetadata(_ metadata: Data, for key: String) throws -> Bool {
        try repairIfImplausible()
        let old = try database.first("SELECT id, size, cost FROM entry WHERE key = ?", .text(key)) {
            (row: $0.integer(0), size: Int($0.integer(1)), cost: Int($0.integer(2)))
        }
        guard let old else { return false }
        let cost = NewEntry.cost(key: key, metadata: metadata, size: old.size)
        guard cost <= maximumBytes else {
            throw DiskStoreError.tooLarge(bytes: cost, limit: maximumBytes)
        }
        try makeRoom(for: min(max(cost &- old.cost, 0), .max / 4), sparing: old.row)
        try database.run(
            "UPDATE entry SET cost = ?2, metadata_sum = ?3, last_used = ?4 WHERE id = ?1",
            .integer(old.row), .integer(Int64(cost)),
            .integer(StoredEntry.metadataSum(key: key, metadata: metadata)), .integer(now))
        try database.run(
            "UPDATE content SET metadata = ?2 WHERE id = ?1", .integer(old.row), .blob(metadata))
        try limitFolder(sparing: old.row)
        return true
    }

    @discardableResult
    mutating func removeEntry(of key: String) throws -> Bool {
        let row = try database.first("SELECT id FROM entry WHERE key = ?", .text(key)) {
            $0.integer(0)
        }
        guard let row else { return false }
        return try removeEntry(row)
    }

    @discardableResult
    mutating func removeEntry(_ row: Int64) throws -> Bool {
        victims += try database.all(
            "SELECT file FROM entry WHERE id = ? AND file IS NOT NULL", .integer(row)
        ) { $0.text(0) }
        return try database.run("DELETE FROM entry WHERE id = ?", .integer(row)) > 0
    }

    mutating func removeAll() throws {
        victims += try database.all("SELECT file FROM entry WHERE file IS NOT NULL") { $0.text(0) }
        try database.run("DELETE FROM entry")
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

    // MARK: Room

    /// Removes entries, least recently used first, until `bytes` more stay within the bound.
    ///
    /// An older entry of the key `replacing` goes before all others, the row `sparing` never.
    private mutating func makeRoom(
        for bytes: Int, replacing key: String? = nil, sparing spared: Int64 = 0
    ) throws {
        var excess = try countedBytes() + Int64(bytes) - Int64(maximumBytes)
        if excess > 0 {
            // Files whose writers have died, or whose clock was another.
            let changed = try database.run(
                "DELETE FROM pending WHERE since < ?1 - ?2 OR since > ?1 + ?2",
                .integer(now), .integer(IndexSchema.pendingAge))
            if changed > 0 { excess = try countedBytes() + Int64(bytes) - Int64(maximumBytes) }
        }
        if excess > 0, let key, try removeEntry(of: key) {
            excess = try countedBytes() + Int64(bytes) - Int64(maximumBytes)
        }
        while excess > 0 {
            guard try evict(atMost: 64, freeing: excess, sparing: spared) else {
                // Nothing left to remove: the rest of the bound is taken by files under way.
                throw DiskStoreError.full(path: "")
            }
            excess = try countedBytes() + Int64(bytes) - Int64(maximumBytes)
        }
    }

    private func countedBytes() throws -> Int64 {
        // No number in the file, however wrong, may overflow what is reckoned with it.
        let sum = try database.integer(
            "SELECT cost + (SELECT coalesce(sum(cost), 0) FROM pending) FROM total")
        return min(max(sum, 0), .max / 4)
    }

    /// Keeps the folder's size within reach of the bound even where entries fill pages badly.
    private mutating func limitFolder(sparing row: Int64) throws {
        let limit = Int64(maximumBytes) + Int64(maximumBytes / 10) + 4_194_304
        while true {
            let pages =
                try database.integer("PRAGMA page_count")
                - database.integer("PRAGMA freelist_count")
            let bytes =
                try pages * database.integer("PRAGMA page_size")
                &+ database.integer("SELECT file_size FROM total")
            guard bytes > limit else { return }
            guard try evict(atMost: 16, freeing: bytes &- limit, sparing: row) else { return }
        }
    }

    /// Removes some of the least recently used entries; false if there are none.
    private mutating func evict(
        atMost count: Int, freeing bytes: Int64, sparing spared: Int64
    ) throws -> Bool {
        let oldest = try database.all(
            """
            SELECT id, cost, file FROM entry WHERE id <> ? ORDER BY last_used, id LIMIT ?
            """, .integer(spared), .integer(Int64(count))
        ) { ($0.integer(0), $0.integer(1), $0.isNull(2) ? nil : $0.text(2)) }
        var freed: Int64 = 0
        for (row, cost, file) in oldest where freed < bytes {
            try database.run("DELETE FROM entry WHERE id = ?", .integer(row))
            if let file { victims.append(file) }
            freed += min(max(cost, 0), .max / 256)
        }
        return !oldest.isEmpty
    }

    /// Gives pages that are no longer used back to the file system, once they are worth the work.
    func returnFreePages() throws {
        guard try database.integer("PRAGMA freelist_count") > 256 else { return }
        _ = try database.all("PRAGMA incremental_vacuum") { _ in }
    }

    /// A sum beyond the bound was never written by this code, unless the bound was larger then.
    private mutating func repairIfImplausible() throws {
        guard try countedBytes() > Int64(maximumBytes) else { return }
        try repair()
    }

    /// Removes entries with numbers that cannot be, and counts again what `total` says, lest a
    /// flipped bit in it undo the bound.
    mutating func repair() throws {
        let impossible = """
            FROM entry WHERE (typeof(size) <> 'integer' OR typeof(cost) <> 'integer'
                OR size NOT BETWEEN 0 AND ?1 OR cost NOT BETWEEN 0 AND ?1)
            """
        victims += try database.all(
            "SELECT file \(impossible) AND file IS NOT NULL", .integer(.max / 8)
        ) { $0.text(0) }
        try database.run("DELETE \(impossible)", .integer(.max / 8))
        try database.run(
            "DELETE FROM pending WHERE typeof(cost) <> 'integer' OR cost < 0 OR cost > ?1",
            .integer(.max / 8))
        try database.run(
            """
            UPDATE total SET (entries, cost, size, file_size) = (
                SELECT count(*), coalesce(sum(cost), 0), coalesce(sum(size), 0),
                    coalesce(sum(iif(file IS NULL, 0, size)), 0)
                FROM entry)
            """)
    }
}
