package import FoundationEssentials

extension DiskStore {
    /// The entries of a family without their bodies, unchecked, but for those that have expired.
    package func records(of family: KeyFamily) async throws(DiskStoreError) -> [Record] {
        try await perform(.reading) { try $0.records(of: family) }
    }

    /// Removes the entries of a family whose metadata `isMeant` accepts; says how many there were.
    ///
    /// Reads the metadata of the whole family, a page at a time, so that others get their turn.
    @discardableResult
    package func remove(
        _ family: KeyFamily, where isMeant: @escaping @Sendable (Data) -> Bool
    ) async throws(DiskStoreError) -> Int {
        var removed = 0
        var last = Int64.min
        while true {
            let row = last
            let page = try await perform(.writing) {
                try $0.remove(family, after: row, limit: 1000, where: isMeant)
            }
            removed += page.removed
            guard let end = page.last else { return removed }
            last = end
        }
    }
}

extension StoreCore {
    func records(of family: KeyFamily) throws -> [DiskStore.Record] {
        try withIndex { database, _ in
            try database.all(
                """
                SELECT \(DiskStore.Record.columns) FROM entry e WHERE \(KeyFamily.condition)
                    AND (e.expires_at IS NULL OR e.expires_at > ?4)
                """, .text(family.key), .text(family.prefix), .text(family.end), .integer(now),
                read: record)
        }
    }

    /// One page of a family by row: what was removed of it, and its last row; nil if it was empty.
    fileprivate func remove(
        _ family: KeyFamily, after row: Int64, limit: Int, where isMeant: (Data) -> Bool
    ) throws -> (removed: Int, last: Int64?) {
        let page = try withIndex { database, _ in
            try database.all(
                """
                SELECT e.id, e.metadata FROM entry e
                WHERE \(KeyFamily.condition) AND e.id > ?4 ORDER BY e.id LIMIT ?5
                """, .text(family.key), .text(family.prefix), .text(family.end), .integer(row),
                .integer(Int64(limit))
            ) { (row: $0.integer(0), metadata: $0.data(1)) }
        }
        return (try remove(page.filter { isMeant($0.metadata) }.map(\.row)), page.last?.row)
    }
}
