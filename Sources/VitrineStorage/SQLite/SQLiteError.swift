import CSQLite
import Glibc

/// What SQLite reported, sorted by what a store can do about it.
struct SQLiteError: Error {
    enum Kind: Equatable {
        /// The file is no database, or contradicts itself.
        case corrupt
        /// The file was moved or removed under the connection, or cannot be opened.
        case gone
        case full
        case readOnly
        case busy
        case other
    }

    let kind: Kind
    let reason: String

    init(kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }

    init(code: Int32, handle: OpaquePointer?) {
        let systemCode = handle.map { sqlite3_system_errno($0) } ?? 0
        kind = SQLiteError.kind(code, systemCode)
        var reason = sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
        if kind == .other || kind == .gone, systemCode != 0 {
            reason += " (\(SystemError.text(systemCode)))"
        }
        self.reason = reason
    }

    private static func kind(_ code: Int32, _ systemCode: Int32) -> Kind {
        // SQLITE_READONLY_DBMOVED, whose macro Swift does not import.
        if code == SQLITE_READONLY | (4 << 8) { return .gone }
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
        // The statements are right, so tables that do not take them are wrong.
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH: return .corrupt
        case SQLITE_FULL: return .full
        case SQLITE_READONLY: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PROTOCOL:
            switch systemCode {
            case ENOSPC, EDQUOT: return .full
            case EROFS: return .readOnly
            default: return .gone
            }
        default: return .other
        }
    }
}
