import FoundationEssentials

extension IndexChange {
    /// Removes up to `count` entries whose time is over, and no more than free `bytes`; returns what
    /// they cost.
    mutating func removeExpired(
        atMost count: Int, freeing bytes: Int64 = .max, sparing spared: Int64 = 0
    ) throws -> [Int64] {
        let found = try database.all(
            """
            SELECT \(Victim.columns) FROM entry WHERE expires_at <= ? AND id <> ?
            ORDER BY expires_at LIMIT ?
            """, .integer(clock), .integer(spared), .integer(Int64(count)),
            read: { Victim($0, withKey: isObserved) })
        return try remove(found, .expired, freeing: bytes)
    }

    /// Removes up to `count` of the least recently used entries, those last used before `moment`, and
    /// no more than free `bytes`; returns what they cost.
    mutating func removeLeastRecentlyUsed(
        atMost count: Int, before moment: Int64 = .max, freeing bytes: Int64 = .max,
        sparing spared: Int64 = 0
    ) throws -> [Int64] {
        let found = try database.all(
            """
            SELECT \(Victim.columns) FROM entry WHERE last_used <= ? AND id <> ?
            ORDER BY last_used, id LIMIT ?
            """, .integer(moment), .integer(spared), .integer(Int64(count)),
            read: { Victim($0, withKey: isObserved) })
        return try remove(found, .evicted, freeing: bytes)
    }

    /// Removes the first of `victims` that free `bytes` together; returns what they cost.
    @discardableResult
    mutating func remove(
        _ victims: [Victim], _ reason: DiskStore.RemovalReason, freeing bytes: Int64 = .max
    ) throws -> [Int64] {
        var freed: Int64 = 0
        var costs: [Int64] = []
        for victim in victims where freed < bytes {
            try remove(victim, reason)
            costs.append(victim.cost)
            freed = min(freed + victim.cost, .max / 2)
        }
        return costs
    }

    mutating func remove(_ victim: Victim, _ reason: DiskStore.RemovalReason) throws {
        try database.run("DELETE FROM entry WHERE id = ?", .integer(victim.row))
        freedPages = true
        if let file = victim.file { victims.append(file) }
        note(.removed(key: victim.key, reason: reason))
    }
}

/// An entry that is about to go.
struct Victim {
    static let columns = "id, cost, file, key"

    let row: Int64
    /// Not negative, and small enough that some hundred of them can be added.
    let cost: Int64
    let file: String?
    /// Empty where nobody asks for it.
    let key: String

    init(_ row: Row, withKey: Bool) {
        self.row = row.integer(0)
        cost = min(max(row.integer(1), 0), .max / 1024)
        file = row.isNull(2) ? nil : row.text(2)
        key = withKey ? row.text(3) : ""
    }
}
