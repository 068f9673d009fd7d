import FoundationEssentials
import Glibc

/// The tables of the index, and how a file that holds them is told from any other.
///
/// `entry` holds all of an entry but its body, which lies in a file or in `content`: a body in a file
/// costs one table and two indices. `total` has the sums of all rows, so that they are known without
/// reading those, and the last row number that was given, since none is given twice. (SQLite's own way to
/// do that writes a page more.) ``IndexChange/insert(_:body:file:)`` adds to it and triggers do the rest.
/// `pending` holds what large body files under way will cost, so that several writers together stay
/// within the bound.
enum IndexSchema {
    /// "Vitr", in the header's bytes 68…71.
    static let applicationID: Int32 = 0x5669_7472
    static let version: Int32 = 3

    /// How many microseconds a body file may be under way.
    static let pendingAge: Int64 = 3_600_000_000

    /// What an entry costs beside its body, metadata and twice its key (table and unique index).
    static let rowCost = 192

    private static let entryTables = """
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            size INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            file TEXT,
            metadata_sum INTEGER NOT NULL,
            body_sum INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            last_used INTEGER NOT NULL,
            expires_at INTEGER,
            metadata BLOB NOT NULL
        );
        CREATE INDEX entry_by_use ON entry (last_used);
        CREATE INDEX entry_by_expiry ON entry (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            body BLOB NOT NULL
        );
        """

    private static let columnsOfVersion1 =
        "id, key, size, cost, file, metadata_sum, body_sum, stored_at, last_used"

    private static let otherTables = """
        CREATE TABLE pending (
            file TEXT PRIMARY KEY,
            cost INTEGER NOT NULL,
            since INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE total (
            entries INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            size INTEGER NOT NULL,
            file_size INTEGER NOT NULL,
            last_row INTEGER NOT NULL
        );
        INSERT INTO total VALUES (0, 0, 0, 0, 0);
        """

    private static let triggers = """
        CREATE TRIGGER entry_changed AFTER UPDATE OF cost ON entry BEGIN
            UPDATE total SET cost = cost - old.cost + new.cost;
        END;
        CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
            UPDATE total SET entries = entries - 1, cost = cost - old.cost, size = size - old.size,
                file_size = file_size - iif(old.file IS NULL, 0, old.size);
            DELETE FROM content WHERE id = old.id;
        END;
        """

    /// Makes the tables in an empty file, or checks that they are there, and brings them from an
    /// older version to this one.
    ///
    /// - Throws: an error of kind `corrupt` for a file that is something else, and
    ///   ``DiskStoreError/newerFormat(path:found:supported:)``; neither file has been changed.
    static func prepare(_ database: Database, now: Int64, in directory: String) throws {
        try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        let isEmpty =
            try database.integer("PRAGMA application_id") == 0
            && database.integer("SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty {
            // A file that holds nothing need not be waited for: the journal's first writing into it, which
            // is waited for, takes all of it along.
            try database.execute("PRAGMA synchronous = OFF; PRAGMA auto_vacuum = INCREMENTAL")
        } else {
            try refuseNewer(database, in: directory)
            try upgrade(database)
            try check(database)
        }
        _ = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        try database.execute(
            """
            PRAGMA journal_size_limit = 4194304;
            PRAGMA wal_autocheckpoint = 900;
            PRAGMA temp_store = MEMORY
            """)
        if isEmpty {
            try database.transaction {
                try database.execute(entryTables)
                try database.execute(otherTables)
                try database.execute(triggers)
                try database.execute(
                    "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            }
        } else {
            // A clock that was set back would otherwise leave entries that look used for ever.
            let day: Int64 = 86_400_000_000
            let ahead = try database.first(
                "SELECT 1 FROM entry WHERE last_used > ?", .integer(now + day), read: { _ in true })
            if ahead != nil {
                try database.run(
                    "UPDATE entry SET last_used = ?1 WHERE last_used > ?2",
                    .integer(now), .integer(now + day))
            }
        }
        try database.execute("PRAGMA synchronous = NORMAL")
    }

    /// Looks at an index that cannot be written to, which therefore must be of this version.
    static func prepareForReading(_ database: Database, in directory: String) throws {
        try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        try refuseNewer(database, in: directory)
        if try isOurs(database), isOlder(try version(of: database)) {
            throw SQLiteError(kind: .readOnly, reason: "an index of an older version")
        }
        try check(database)
    }

    private static func isOurs(_ database: Database) throws -> Bool {
        try database.integer("PRAGMA application_id") == Int64(applicationID)
    }

    private static func version(of database: Database) throws -> Int64 {
        try database.integer("PRAGMA user_version")
    }

    /// - Throws: ``DiskStoreError/newerFormat(path:found:supported:)``, whose file is another's to
    ///   change.
    static func refuseNewer(_ database: Database, in directory: String) throws {
        let found = try version(of: database)
        guard try isOurs(database), found > Int64(version) else { return }
        throw DiskStoreError.newerFormat(
            path: directory, found: Int(found), supported: Int(version))
    }

    private static func isOlder(_ found: Int64) -> Bool { (1..<Int64(version)).contains(found) }

    /// Brings an older index to this version, whole or not at all. Version 1 knew no expiry and no last
    /// row number, and let SQLite count rows in a table of its own; until version 2 the metadata lay in
    /// `content`.
    private static func upgrade(_ database: Database) throws {
        let found = try version(of: database)
        guard try isOurs(database), isOlder(found) else { return }
        try database.transaction {
            try database.execute(
                """
                DROP TRIGGER IF EXISTS entry_added; DROP TRIGGER IF EXISTS entry_changed;
                DROP TRIGGER IF EXISTS entry_removed; DROP INDEX IF EXISTS entry_by_use;
                DROP INDEX IF EXISTS entry_by_expiry;
                ALTER TABLE entry RENAME TO old_entry; ALTER TABLE content RENAME TO old_content
                """)
            try database.execute(entryTables)
            let expiry = found == 1 ? "NULL" : "expires_at"
            // What the new tables refuse was broken; its file is swept.
            try database.execute(
                """
                INSERT OR IGNORE INTO entry
                    SELECT \(columnsOfVersion1), \(expiry),
                        coalesce((SELECT c.metadata FROM old_content c WHERE c.id = o.id), x'')
                    FROM old_entry o;
                INSERT INTO content SELECT id, body FROM old_content
                    WHERE body IS NOT NULL AND id IN (SELECT id FROM entry);
                DROP TABLE old_entry; DROP TABLE old_content
                """)
            if found == 1 {
                try database.execute(
                    """
                    ALTER TABLE total ADD COLUMN last_row INTEGER NOT NULL DEFAULT 0;
                    UPDATE total SET last_row = (SELECT coalesce(max(id), 0) FROM entry)
                    """)
            }
            try database.execute(triggers)
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func check(_ database: Database) throws {
        guard try isOurs(database), try version(of: database) == Int64(version) else {
            throw SQLiteError(kind: .corrupt, reason: "not an index of this store")
        }
        let objects = try database.integer(
            """
            SELECT count(*) FROM sqlite_schema WHERE name IN ('entry', 'entry_by_use', 'entry_by_expiry',
                'content', 'pending', 'total', 'entry_changed', 'entry_removed')
            """)
        do {
            for columns in [
                "\(columnsOfVersion1), expires_at, metadata FROM entry", "id, body FROM content",
                "file, cost, since FROM pending",
                "entries, cost, size, file_size, last_row FROM total",
            ] {
                _ = try database.first("SELECT \(columns) LIMIT 0") { _ in }
            }
        } catch let error as SQLiteError where error.kind == .other {
            throw SQLiteError(kind: .corrupt, reason: "the index lacks columns")
        }
        // With the last row number used up, SQLite would call the index full.
        let lastRow = try database.integer(
            "SELECT max(last_row, (SELECT coalesce(max(id), 0) FROM entry)) FROM total")
        guard objects == 8, lastRow < .max / 2,
            try database.integer("SELECT count(*) FROM total") == 1
        else {
            throw SQLiteError(kind: .corrupt, reason: "the index lacks tables")
        }
    }

    /// Whether a file that nobody has open carries this index's mark.
    static func wroteFile(at path: String) -> Bool {
        guard FileSystem.isRegularFile(path) else { return false }
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var mark: UInt32 = 0
        guard pread(file, &mark, 4, 68) == 4 else { return false }
        return UInt32(bigEndian: mark) == UInt32(bitPattern: applicationID)
    }
}
