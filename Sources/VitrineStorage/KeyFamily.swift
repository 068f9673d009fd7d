package import FoundationEssentials

/// Keys that belong together: one, and all that begin with a prefix.
package struct KeyFamily: Sendable, Hashable {
    package let key: String
    /// A text of its own, not a beginning of `key`.
    package let prefix: String

    package init(_ key: String, andStartingWith prefix: String) {
        self.key = key
        self.prefix = prefix
    }

    /// Whether a row is of a family, by the index over the keys; bound to key, prefix and end.
    static let condition = "(e.key = ?1 OR (e.key >= ?2 AND e.key < ?3))"

    /// Finds a family's entries, each with its key as the last column. Every hit of the HTTP cache
    /// asks it, so its text is put together once.
    static let entries = """
        SELECT \(StoredEntry.columns), e.key
        FROM \(StoredEntry.tables) WHERE \(condition)
        """

    /// Where the keys with the prefix end: none goes on with the last character that there is.
    var end: String { prefix + "\u{10FFFF}" }
}

extension DiskStore {
    /// Of a family, the entry whose metadata `choice` picks; nil if there is none.
    ///
    /// As ``entry(for:)`` otherwise, and as quick where the family is one entry. The choice is made
    /// on the store's thread, maybe twice.
    package func entry(
        of family: KeyFamily, choosing choice: @escaping @Sendable ([Data]) -> Int?
    ) async throws(DiskStoreError) -> Entry? {
        try await perform(.reading) { try $0.entry(of: family, choosing: choice) }
    }

    /// The metadata of all entries of a family, unchecked, but for those that have expired.
    package func metadata(of family: KeyFamily) async throws(DiskStoreError) -> [Data] {
        try await perform(.reading) { try $0.metadata(of: family) }
    }

    /// Replaces the metadata of `key` if they are `old`; false if they are not.
    ///
    /// - Parameter expiry: until when the entry may be read from now on; nil leaves that as it is.
    @discardableResult
    package func replaceMetadata(
        _ old: Data, with new: Data, expiry: Expiry? = nil, for key: String
    ) async throws(DiskStoreError) -> Bool {
        try await perform(.writing) {
            try $0.replaceMetadata(old, with: new, expiry: expiry, for: key)
        }
    }

    /// Removes all entries of a family; says how many there were.
    @discardableResult
    package func remove(_ family: KeyFamily) async throws(DiskStoreError) -> Int {
        try await perform(.writing) { try $0.remove(family) }
    }
}

extension StoreCore {
    func entry(
        of family: KeyFamily, choosing choice: ([Data]) -> Int?
    ) throws -> DiskStore.Entry? {
        try entry {
            let found = try withIndex { database, _ in
                try database.all(
                    KeyFamily.entries, .text(family.key), .text(family.prefix), .text(family.end)
                ) { (key: $0.text(10), entry: StoredEntry($0)) }
            }.filter { !hasExpired($0.entry) }
            guard let index = choice(found.map(\.entry.metadata)), found.indices.contains(index)
            else { return nil }
            return found[index]
        }
    }

    func metadata(of family: KeyFamily) throws -> [Data] {
        try withIndex { database, _ in
            try database.all(
                """
                SELECT e.metadata FROM entry e
                WHERE \(KeyFamily.condition) AND (e.expires_at IS NULL OR e.expires_at > ?4)
                """, .text(family.key), .text(family.prefix), .text(family.end), .integer(now)
            ) { $0.data(0) }
        }
    }

    func replaceMetadata(
        _ old: Data, with new: Data, expiry: DiskStore.Expiry?, for key: String
    ) throws -> Bool {
        try change { change in
            let current = try change.database.first(
                "SELECT metadata FROM entry WHERE key = ?", .text(key)
            ) { $0.data(0) }
            return try current == old && change.updateMetadata(new, expiry: expiry, for: key)
        }
    }

    func remove(_ family: KeyFamily) throws -> Int {
        // What is there now, so that who goes on storing does not keep this going.
        let rows = try withIndex { database, _ in
            try database.all(
                "SELECT e.id FROM entry e WHERE \(KeyFamily.condition)", .text(family.key),
                .text(family.prefix), .text(family.end)
            ) { $0.integer(0) }
        }
        return try remove(rows)
    }

    /// Removes rows as far as they are there, a batch in each transaction; says how many were.
    func remove(_ rows: [Int64]) throws -> Int {
        var removed = 0
        var rest = rows[...]
        while !rest.isEmpty {
            let (gone, done) = try removing { change in
                let batch = rest.prefix(change.batch)
                var gone = 0
                for row in batch where try change.removeEntry(row, .asked) { gone += 1 }
                return (gone, batch.count)
            }
            removed += gone
            rest = rest.dropFirst(done)
        }
        return removed
    }
}
