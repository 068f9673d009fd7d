import FoundationEssentials

extension IndexChange {
    /// Removes entries, least recently used first, until `bytes` more stay within the bound.
    ///
    /// An older entry of the key `replacing` goes before all others, the row `sparing` never.
    mutating func makeRoom(
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
        if excess > 0, let key, try removeEntry(of: key, .replaced) {
            excess = try countedBytes() + Int64(bytes) - Int64(maximumBytes)
        }
        while excess > 0 {
            guard try evict(atMost: 64, freeing: excess, sparing: spared) else {
                // The rest is taken by files under way, or by what may not be evicted.
                throw noRoom(for: bytes, available: Int64(bytes) - excess)
            }
            excess = try countedBytes() + Int64(bytes) - Int64(maximumBytes)
        }
    }

    private func noRoom(for bytes: Int, available: Int64) -> DiskStoreError {
        .noRoom(bytes: bytes, available: Int(max(0, available)), limit: maximumBytes)
    }

    func countedBytes() throws -> Int64 {
        IndexChange.plausible(
            try database.integer(
                "SELECT cost + (SELECT coalesce(sum(cost), 0) FROM pending) FROM total"))
    }

    /// No number in the file, however wrong, may overflow what is reckoned with it.
    static func plausible(_ sum: Int64) -> Int64 { min(max(sum, 0), .max / 4) }

    /// Keeps the folder's size within reach of the bound even where entries fill pages badly. Looks only
    /// once some pages have been written: what they take more is within reach, too.
    ///
    /// - Parameter counted: no less than ``countedBytes()``, which is no less than all body files; far
    ///   from the bound that spares a closer look.
    mutating func limitFolder(for cost: Int, counted: Int64, sparing row: Int64) throws {
        guard database.isDue(.folder) else { return }
        let limit = Int64(maximumBytes) + Int64(maximumBytes / 10) + 4_194_304
        let pageSize = try database.pageSize()
        if try database.integer("PRAGMA page_count") * pageSize &+ counted <= limit { return }
        while true {
            let pages =
                try database.integer("PRAGMA page_count")
                - database.integer("PRAGMA freelist_count")
            let bytes =
                try pages * pageSize &+ database.integer("SELECT file_size FROM total")
            guard bytes > limit else { return }
            guard try evict(atMost: 16, freeing: bytes &- limit, sparing: row) else {
                if eviction == .never { throw noRoom(for: cost, available: 0) }
                return
            }
        }
    }

    /// Removes some entries that may go; false if there are none.
    private mutating func evict(
        atMost count: Int, freeing bytes: Int64, sparing spared: Int64
    ) throws -> Bool {
        let expired = try removeExpired(atMost: count, freeing: bytes, sparing: spared)
        if !expired.isEmpty { return true }
        guard eviction == .leastRecentlyUsed else { return false }
        return try !removeLeastRecentlyUsed(atMost: count, freeing: bytes, sparing: spared).isEmpty
    }

    /// Gives pages that are no longer used back to the file system, once they are worth the work.
    func returnFreePages() throws {
        guard freedPages, try database.integer("PRAGMA freelist_count") > 256 else { return }
        _ = try database.all("PRAGMA incremental_vacuum") { _ in }
    }

    /// A sum beyond the bound was never written by this code, unless the bound was larger then.
    ///
    /// - Returns: ``countedBytes()``.
    @discardableResult
    mutating func repairIfImplausible() throws -> Int64 {
        let counted = try countedBytes()
        guard counted > Int64(maximumBytes) else { return counted }
        try repair()
        return try countedBytes()
    }

    /// Removes entries with numbers that cannot be, and counts again what `total` says, lest a
    /// flipped bit in it undo the bound.
    mutating func repair() throws {
        let impossible = """
            FROM entry WHERE (typeof(size) <> 'integer' OR typeof(cost) <> 'integer'
                OR size NOT BETWEEN 0 AND ?1 OR cost NOT BETWEEN 0 AND ?1)
            """
        let found = try database.all(
            "SELECT \(Victim.columns) \(impossible)", .integer(.max / 8),
            read: { Victim($0, withKey: isObserved) })
        try remove(found, .broken)
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
