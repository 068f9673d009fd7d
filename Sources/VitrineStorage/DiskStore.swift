public import FoundationEssentials
package import VitrineBase

/// Bytes under keys in a folder: bounded, checked when read, shared by processes, and never worse
/// than empty.
///
/// The index and small bodies lie in a SQLite database, larger bodies in a file each. When the bound
/// would be passed, the least recently used entries go, in the same transaction that needs the room.
/// A killed process, a full disk, a flipped bit, a broken or foreign index or a folder that vanishes
/// cost at worst the entries concerned.
///
/// Making a store touches no disk; the folder is opened on first use. All work is done on two threads
/// of the store's own, is short, and is not stopped when the calling task is cancelled.
///
/// ```swift
/// let folder = DiskStore.defaultDirectory(applicationID: "org.example.Viewer")
/// let store = DiskStore(DiskStore.Configuration(directory: folder))
/// try await store.insert(.bytes(body), metadata: headers, for: "https://example.org/a.png")
/// let entry = try await store.entry(for: "https://example.org/a.png")
/// ```
public final class DiskStore: Sendable {
    /// What the store was made with.
    public let configuration: Configuration

    let core: StoreCore
    let pool = BlockingPool(name: "vitrine-disk", threads: 2)
    let line = Lock(
        CommitLine<Waiting>(
            limit: DiskStore.entriesPerTransaction, byteLimit: DiskStore.bytesPerTransaction))
    private let wasUsed = Lock(false)

    /// A store that does nothing until it is asked something.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, time: .system)
    }

    /// - Parameter outer: folders on the way to the store's that are the library's own, so that no link
    ///   may stand in their place; the outermost first.
    package init(_ configuration: Configuration, time: TimeSource, outer: [String] = []) {
        self.configuration = configuration
        core = StoreCore(configuration, time: time, outer: outer)
    }

    deinit {
        let core = core
        if wasUsed.withLock({ $0 }) { pool.submit { core.close() } }
    }

    /// What is stored for `key`, nil if there is nothing.
    ///
    /// Reads the whole body and compares metadata and body with their checksums; an entry that is
    /// broken or has expired is removed and reported as nil. Counts as a use, which is written down
    /// later, together with others.
    public func entry(for key: String) async throws(DiskStoreError) -> Entry? {
        try await perform(.reading) { try $0.entry(for: key) }
    }

    /// What is known of the entry for `key` beside its body, nil if there is none.
    ///
    /// Neither reads the body nor checks anything, and is no use of the entry.
    public func record(for key: String) async throws(DiskStoreError) -> Record? {
        try await perform(.reading) { try $0.record(for: key) }
    }

    /// Stores a body and what belongs to it, in place of what `key` had before.
    ///
    /// Either all of it is stored or nothing. Entries that have expired make room, then those that
    /// were not used for longest, if ``DiskStore/Configuration/eviction`` allows that.
    ///
    /// Calls that wait at the same time share a transaction, which costs less than one for each; what
    /// befalls one of them is nothing to the others.
    ///
    /// - Parameter expires: until when the entry may be read; nil is
    ///   ``DiskStore/Configuration/expiry``. What has expired already is not stored, and takes away what
    ///   `key` had.
    /// - Throws: ``DiskStoreError/tooLarge(bytes:limit:)`` if the entry alone is larger than the
    ///   whole bound, ``DiskStoreError/noRoom(bytes:available:limit:)`` if nothing more may go; what
    ///   `key` had then stays.
    public func insert(
        _ body: Body, metadata: Data, for key: String, expires: Expiry? = nil
    ) async throws(DiskStoreError) {
        if case .bytes(let data) = body, data.count <= StoreCore.announceLimit,
            !core.isOver(expires)
        {
            return try await insertTogether(data, metadata: metadata, for: key, expires: expires)
        }
        try await perform(.writing) {
            try $0.insert(body, metadata: metadata, for: key, expiry: expires)
        }
    }

    /// Replaces the metadata of `key` and leaves its body; false if there is no such entry.
    ///
    /// Counts as a use. The body is neither read nor written.
    ///
    /// - Parameter expires: until when the entry may be read from now on; nil leaves that as it is.
    @discardableResult
    public func updateMetadata(
        _ metadata: Data, for key: String, expires: Expiry? = nil
    ) async throws(DiskStoreError) -> Bool {
        try await perform(.writing) {
            try $0.updateMetadata(metadata, expiry: expires, for: key)
        }
    }

    /// Sets until when the entry for `key` may be read; false if there is no such entry.
    ///
    /// Counts from now on, not from when it was stored, and is no use of the entry. The body is
    /// neither read nor written. What has expired does not come back.
    @discardableResult
    public func setExpiry(
        _ expiry: Expiry, for key: String
    ) async throws(DiskStoreError) -> Bool {
        try await perform(.writing) { try $0.setExpiry(expiry, for: key) }
    }

    /// Removes what is stored for `key`; false if there was nothing.
    @discardableResult
    public func remove(_ key: String) async throws(DiskStoreError) -> Bool {
        try await perform(.writing) { try $0.remove(key) }
    }

    /// Removes every entry and gives their space back.
    public func removeAll() async throws(DiskStoreError) {
        try await perform(.writing) { try $0.removeAll() }
    }

    /// Up to `limit` entries without their bodies, those stored first before those stored later.
    ///
    /// What has expired is among them until it is removed. Lists only what was stored after `record`,
    /// if that is given: hand in the last of one page to get the next. No lock is held between pages. A
    /// negative `limit` counts as 0.
    public func records(
        after record: Record? = nil, limit: Int = 1000
    ) async throws(DiskStoreError) -> [Record] {
        let row = record?.row ?? .min
        return try await perform(.reading) { try $0.records(after: row, limit: limit) }
    }

    /// How much is stored, and how much space that takes.
    ///
    /// Looks at the length of every file in the folder.
    public func statistics() async throws(DiskStoreError) -> Statistics {
        try await perform(.reading) { try $0.statistics() }
    }

    /// Writes down when entries were used, which is otherwise done with the next change, after 256
    /// uses or 30 seconds, and when the store is released.
    public func flush() async {
        _ = try? await perform(nil) { $0.flush() }
    }

    /// Opens or makes the folder now, so that ``temporaryDirectory`` is there and can be written to.
    package func open() async throws(DiskStoreError) {
        try await perform(.writing) { try $0.open() }
    }

    /// A folder on the store's file system where bodies may be written before they are handed in as
    /// files. What nobody has written to for an hour is removed from it when a store is opened.
    package var temporaryDirectory: String { core.files.temporary }

    var events: StoreEvents { core.events }

    /// There is something to close in the end.
    func noteUse() { wasUsed.withLock { $0 = true } }

    /// - Parameter work: what its end says about the store; nil if nothing.
    func perform<Result: Sendable>(
        _ work: StoreHealth.Work?, _ body: @escaping @Sendable (StoreCore) throws -> Result
    ) async throws(DiskStoreError) -> Result {
        let (core, line) = (core, line)
        noteUse()
        let outcome = await withCheckedContinuation { continuation in
            pool.submit {
                // What was to be stored before this is not to be stored after it.
                if work == .writing { core.commit(line.withLock { $0.hurry() }, of: line) }
                let outcome = Swift.Result { try body(core) }.mapError { core.storeError($0) }
                core.noteOutcome(of: work, outcome)
                continuation.resume(returning: outcome)
                core.events.deliver()
                core.tidy()
            }
        }
        return try outcome.get()
    }
}
