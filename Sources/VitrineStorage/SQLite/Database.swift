import CSQLite
import FoundationEssentials

/// One connection to a SQLite file; for one thread at a time.
///
/// Statements are prepared once and kept. Every call steps its statement to the end and resets it,
/// so no read transaction outlives a call.
final class Database {
    /// A value for a parameter of a statement.
    enum Value {
        case null
        case integer(Int64)
        case text(String)
        case blob(Data)
    }

    private let handle: OpaquePointer
    // Unchecked, since one thread at a time uses a connection and nothing calls back into it: looking
    // for overlapping accesses at run time took a twelfth of a hit.
    @exclusivity(unchecked) private var pagesAtCheckpoint = 0
    @exclusivity(unchecked) private var knownPageSize: Int64?
    @exclusivity(unchecked) private var pagesAtLook: [Int?] = [nil, nil]
    @exclusivity(unchecked) private var statements: [String: OpaquePointer] = [:]
    /// The one used last. Hits come one after another, and comparing a text with itself is quicker
    /// than hashing it.
    @exclusivity(unchecked) private var latest: (sql: String, statement: OpaquePointer)?

    /// Opens the file at `path`, which is made if it is not there and may be written to.
    ///
    /// - Parameter busyTimeout: how many milliseconds a call waits for another connection's lock.
    init(path: String, busyTimeout: Int32, readOnly: Bool = false) throws {
        var handle: OpaquePointer?
        let access =
            readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle else { throw SQLiteError(code: SQLITE_NOMEM, handle: nil) }
        guard code == SQLITE_OK else {
            let error = SQLiteError(code: code, handle: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, busyTimeout)
        // A journal that the last connection removes by its name could be a newer index's journal,
        // if this one's has been put aside meanwhile.
        var persists: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persists)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Whether the last connection brings the journal's pages into the file when it is closed.
    func setCheckpointOnClose(_ isOn: Bool) {
        csqlite_set_checkpoint_on_close(handle, isOn ? 1 : 0)
    }

    /// Runs one or more statements without parameters or results.
    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs one statement and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: Value...) throws -> Int {
        try step(sql, values) { _ in false }
        return Int(sqlite3_changes(handle))
    }

    /// The first row of a query, read by `read`.
    func first<Result>(
        _ sql: String, _ values: Value..., read: (Row) throws -> Result
    ) throws -> Result? {
        var result: Result?
        try step(sql, values) { row in
            result = try read(row)
            return false
        }
        return result
    }

    /// All rows of a query, each read by `read`.
    func all<Result>(
        _ sql: String, _ values: Value..., read: (Row) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try step(sql, values) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// A number that a query or pragma returns; 0 if it returns none.
    func integer(_ sql: String) throws -> Int64 {
        try first(sql) { $0.integer(0) } ?? 0
    }

    /// The length of a page in bytes, which a file keeps.
    func pageSize() throws -> Int64 {
        if let knownPageSize { return knownPageSize }
        let size = try integer("PRAGMA page_size")
        knownPageSize = size
        return size
    }

    /// Does `body` in one write transaction, undone if it throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        // Immediate: a transaction that begins by reading could not become a writing one if another
        // process wrote in between.
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            if sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// How many pages this connection has written to the journal since ``checkpoint()``.
    var pagesInJournal: Int { pagesWritten - pagesAtCheckpoint }

    /// How many pages it has written at all.
    var pagesWritten: Int {
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }

    /// What is looked at now and then, rather than in each transaction.
    enum Look: Int { case folder, journal }

    /// Whether a look is due: the first time, and after each 64 pages that this connection has written.
    func isDue(_ look: Look) -> Bool {
        let written = pagesWritten
        if let last = pagesAtLook[look.rawValue], last <= written, written - last < 64 {
            return false
        }
        pagesAtLook[look.rawValue] = written
        return true
    }

    /// Brings the journal's pages to where they belong, as far as nobody reads them right now.
    func checkpoint() throws {
        pagesAtCheckpoint = pagesWritten
        _ = try first("PRAGMA wal_checkpoint(PASSIVE)") { _ in }
    }

    /// Calls `onRow` with each row until it returns false.
    private func step(
        _ sql: String, _ values: [Value], _ onRow: (Row) throws -> Bool
    ) throws {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try check(bind(value, to: statement, at: Int32(index + 1)))
        }
        var wantsMore = true
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                // A statement that writes must be stepped to its end, wanted or not.
                if wantsMore { wantsMore = try onRow(Row(statement: statement)) }
                if !wantsMore, sqlite3_stmt_readonly(statement) != 0 { return }
            case SQLITE_DONE: return
            case let code: throw SQLiteError(code: code, handle: handle)
            }
        }
    }

    private func prepared(_ sql: String) throws -> OpaquePointer {
        if let latest, latest.sql == sql { return latest.statement }
        if let statement = statements[sql] {
            latest = (sql, statement)
            return statement
        }
        var statement: OpaquePointer?
        try check(
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, handle: handle) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, which C writes as a cast that Swift does not import.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    guard let base = bytes.baseAddress else {
                        return sqlite3_bind_text(statement, index, "", 0, copies)
                    }
                    return sqlite3_bind_text64(
                        statement, index, base, UInt64(bytes.count), copies, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_zeroblob(statement, index, 0)
                }
                return sqlite3_bind_blob64(statement, index, base, UInt64(bytes.count), copies)
            }
        }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw SQLiteError(code: code, handle: handle) }
    }
}

/// The row at which a statement stands; valid only within the call that it was handed to.
struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func data(_ column: Int32) -> Data {
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }
}

/// The version of the SQLite that is loaded, such as `3.40.1`.
package func sqliteVersion() -> String { String(cString: sqlite3_libversion()) }
