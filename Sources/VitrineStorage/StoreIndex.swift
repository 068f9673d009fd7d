import FoundationEssentials
import Glibc
import VitrineBase

/// The index of one store: opened when it is needed, opened again when its file was moved or
/// removed, replaced when it is broken. For one thread at a time.
final class StoreIndex {
    private let files: StoreFiles
    private let time: TimeSource
    private let events: StoreEvents
    // Unchecked as in `Database`: the lock around an index sees to it, and every hit comes by here.
    @exclusivity(unchecked) private var database: Database?
    @exclusivity(unchecked) private var identity: FileSystem.Identity?
    /// Which file it was, also after it was closed; nil once it went by this store's own doing.
    private var lastIdentity: FileSystem.Identity?
    /// Whether what is open cannot be written to.
    @exclusivity(unchecked) private var isReadOnly = false
    @exclusivity(unchecked) private var lastStamp: Int64 = 0

    /// When each entry (by its row) was used, as far as that is not yet in the file.
    @exclusivity(unchecked) private(set) var touches: [Int64: Int64] = [:]
    @exclusivity(unchecked) private(set) var firstTouch: Double?

    /// Set when the file was opened, for the one who sweeps and takes it back.
    var needsSweep = false
    /// Set when the index was replaced, so that no body file belongs to any entry.
    var wasReplaced = false

    /// Where the index lies; each call looks there.
    let path: String

    init(files: StoreFiles, time: TimeSource, events: StoreEvents) {
        self.files = files
        self.time = time
        self.events = events
        path = files.directory + "/index.sqlite"
    }

    var isOpen: Bool { database != nil }

    /// Whether what is open is what lies in the folder, so that work which nobody waits for does
    /// not make a folder anew that somebody has removed.
    var isCurrent: Bool { isOpen && FileSystem.identity(path) == identity }

    /// Does `body` with the open database, a second time if the first finds it broken or gone;
    /// therefore `body` must be repeatable.
    ///
    /// What only reads gets an index that cannot be written to, too.
    func run<Result>(
        writing: Bool = false, _ body: (Database) throws -> Result
    ) throws -> Result {
        var replaced = false
        var reopened = false
        var compacted = false
        while true {
            do {
                return try body(try opened(forWriting: writing))
            } catch let error as SQLiteError {
                switch error.kind {
                case .corrupt where !replaced:
                    replaced = true
                    try replace(error.reason)
                case .gone where !reopened:
                    reopened = true
                    forget()
                case .full where !compacted && isOpen:
                    // The journal's pages may have room elsewhere, and leave theirs for the rest.
                    compacted = true
                    _ = try? database?.first("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
                case .corrupt, .gone:
                    forget()
                    throw error
                default: throw error
                }
            }
        }
    }

    /// Closes the file; the next `run` opens it again.
    func forget() {
        database = nil
        identity = nil
        touches = [:]
        firstTouch = nil
    }

    /// Removes the index with all that it holds, which needs no space, unlike deleting its rows.
    func discard() throws {
        forget()
        let lock = try FolderLock(path: files.directory + "/index.lock")
        defer { withExtendedLifetime(lock) {} }
        try refuseNewer()
        lastIdentity = nil
        for suffix in ["", "-wal", "-shm", "-journal"] { FileSystem.remove(path + suffix) }
        files.removeAllBodies()
    }

    /// Writes the journal's pages to where they belong, once it is long.
    ///
    /// SQLite does so by itself, but starts the journal over only in a moment without readers, which
    /// may never come while several processes are busy; this waits for it.
    func limitJournal(_ database: Database) {
        guard database.isDue(.journal), FileSystem.size(path + "-wal") > 4_194_304 else { return }
        _ = try? database.first("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    }

    /// Does the same earlier, in between calls, so that the call that makes the journal long need not
    /// wait for the disk.
    func checkpointIfLong() {
        guard let database, database.pagesInJournal >= 500, isCurrent else { return }
        guard (try? database.checkpoint()) != nil else { return }
        // The first transaction afterwards begins the journal anew and waits for the disk, so it is
        // none that a caller waits for. It takes a row number, which there are enough of.
        _ = try? database.run("UPDATE total SET last_row = last_row + 1")
    }

    // MARK: Times

    /// Microseconds since 1970, later than every one before.
    func stamp() -> Int64 {
        lastStamp = max(lastStamp + 1, microseconds(time.now))
        return lastStamp
    }

    /// Notes that an entry is used now; ``writeTouches(_:)`` makes it last.
    func touch(_ row: Int64) {
        touches[row] = stamp()
        if firstTouch == nil { firstTouch = time.now }
    }

    /// Writes the noted times; part of the caller's transaction. ``clearTouches()`` follows once
    /// that is committed.
    func writeTouches(_ database: Database) throws {
        for (row, moment) in touches {
            try database.run(
                "UPDATE entry SET last_used = ?2 WHERE id = ?1 AND last_used < ?2",
                .integer(row), .integer(moment))
        }
    }

    func clearTouches() {
        touches.removeAll(keepingCapacity: true)
        firstTouch = nil
    }

    // MARK: Opening and replacing

    private func opened(forWriting: Bool) throws -> Database {
        if let database {
            if isCurrent, !(forWriting && isReadOnly) { return database }
            forget()
        }
        // Not from what is there afterwards: a new file may get the number of the old one.
        let isAnother = lastIdentity.map { $0 != FileSystem.identity(path) } ?? false
        let database: Database
        do {
            do {
                database = try openForWriting()
            } catch let error where isFull(error) {
                // The memory that connections share takes room, too, and nothing can be removed
                // without it.
                files.spendReserve()
                database = try openForWriting()
            }
            files.keepReserve()
            isReadOnly = false
            needsSweep = true
        } catch let error where !forWriting && isRefusal(error) && FileSystem.isRegularFile(path) {
            database = try Database(path: path, busyTimeout: 5000, readOnly: true)
            try IndexSchema.prepareForReading(database, in: files.directory)
            isReadOnly = true
        }
        self.database = database
        identity = FileSystem.identity(path)
        if isAnother { events.note(.folderVanished) }
        lastIdentity = identity
        return database
    }

    private func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as SystemError: [ENOSPC, EDQUOT].contains(error.code)
        case let error as SQLiteError: error.kind == .full
        default: false
        }
    }

    private func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as SystemError: [EROFS, EACCES, EPERM].contains(error.code)
        case let error as SQLiteError: error.kind == .readOnly
        default: false
        }
    }

    private func openForWriting() throws -> Database {
        try files.makeFolders()
        let lock = try FolderLock(path: files.directory + "/index.lock")
        defer { withExtendedLifetime(lock) {} }
        do {
            return try open()
        } catch let error as SQLiteError where error.kind == .corrupt {
            try putAside(error.reason)
            return try open()
        }
    }

    private func open() throws -> Database {
        switch FileSystem.identity(path) {
        case nil:
            // SQLite would make it readable by all. Only a new file may be opened and closed here:
            // closing an existing one drops this process's locks on it.
            let file = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw SystemError() }
            close(file)
        case _?:
            guard FileSystem.isRegularFile(path) else {
                throw SQLiteError(kind: .corrupt, reason: "no regular file")
            }
        }
        // SQLite would follow them.
        for suffix in ["-wal", "-shm", "-journal"] where FileSystem.isLink(path + suffix) {
            FileSystem.remove(path + suffix)
        }
        let database = try Database(path: path, busyTimeout: 5000)
        // Not before it is known to be ours to change.
        database.setCheckpointOnClose(false)
        try IndexSchema.prepare(database, now: microseconds(time.now), in: files.directory)
        database.setCheckpointOnClose(true)
        return database
    }

    /// - Throws: ``DiskStoreError/newerFormat(path:found:supported:)`` if that is what lies there.
    private func refuseNewer() throws {
        guard FileSystem.isRegularFile(path),
            let database = try? Database(path: path, busyTimeout: 5000)
        else { return }
        database.setCheckpointOnClose(false)
        do {
            try IndexSchema.refuseNewer(database, in: files.directory)
        } catch is SQLiteError {
            // Unreadable, so no index that anybody could use.
        }
    }

    /// Puts the broken index aside, unless somebody else already has.
    private func replace(_ reason: String) throws {
        let broken = identity
        forget()
        try files.makeFolders()
        let lock = try FolderLock(path: files.directory + "/index.lock")
        defer { withExtendedLifetime(lock) {} }
        guard let broken, FileSystem.identity(path) == broken else { return }
        // Perhaps it only seems broken, since a newer version has taken it over.
        try refuseNewer()
        try putAside(reason)
    }

    /// Renames the index and its journal. What was no index of ours is kept for good; of our own
    /// broken ones the newest is kept, if it is small: they count towards the folder's size.
    private func putAside(_ reason: String) throws {
        let name = "index.sqlite.broken-\(microseconds(time.now) / 1_000_000)"
        var target = "\(files.directory)/\(name)"
        var number = 1
        while FileSystem.identity(target) != nil {
            number += 1
            target = "\(files.directory)/\(name)-\(number)"
        }
        try FileSystem.rename(path, to: target)
        for suffix in ["-wal", "-shm", "-journal"] {
            try? FileSystem.rename(path + suffix, to: target + suffix)
        }
        wasReplaced = true
        lastIdentity = nil
        defer {
            events.note(
                .indexReplaced(
                    reason: reason,
                    putAside: FileSystem.identity(target) == nil ? nil : target))
        }
        for old in FileSystem.names(in: files.directory) where old.hasPrefix("index.sqlite.broken-")
        {
            let oldPath = "\(files.directory)/\(old)"
            guard IndexSchema.wroteFile(at: oldPath) else { continue }
            guard oldPath != target || FileSystem.size(oldPath) > 4_194_304 else { continue }
            for suffix in ["", "-wal", "-shm", "-journal"] { FileSystem.remove(oldPath + suffix) }
        }
    }
}

/// Seconds as microseconds, for every `Double`.
func microseconds(_ seconds: Double) -> Int64 {
    guard seconds.isFinite else { return 0 }
    return Int64(min(max(seconds * 1e6, -4e18), 4e18))
}
