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

    private let core: StoreCore
    private let pool = BlockingPool(name: "vitrine-disk", threads: 2)
    private let wasUsed = Lock(false)

    /// A store that does nothing until it is asked something.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, time: .system)
    }

    package init(_ configuration: Configuration, time: TimeSource) {
        self.configuration = configuration
        core = StoreCore(configuration, time: time)
    }

    deinit {
        let core = core
        if wasUsed.withLock({ $0 }) { pool.submit { core.close() } }
    }

    /// What is stored for `key`, nil if there is nothing.
    ///
    /// Reads the whole body and compares metadata and body with their checksums; an entry that is
    /// broken is removed and reported as nil. Counts as a use, which is written down later, together
    /// with others.
    public func entry(for key: String) async throws(DiskStoreError) -> Entry? {
        try await perform { try $0.entry(for: key) }
    }

    /// Stores a body and what belongs to it, in place of what `key` had before.
    ///
    /// Either all of it is stored or nothing. Entries that were not used for longest make room.
    ///
    /// - Throws: ``DiskStoreError/tooLarge(bytes:limit:)`` if the entry alone is larger than the
    ///   whole bound; what `key` had then stays.
    public func insert(
        _ body: Body, metadata: Data, for key: String
    ) async throws(DiskStoreError) {
        try await perform { try $0.insert(body, metadata: metadata, for: key) }
    }

    /// Replaces the metadata of `key` and leaves its body; false if there is no such entry.
    ///
    /// Counts as a use. The body is neither read nor written.
    @discardableResult
    public func updateMetadata(
        _ metadata: Data, for key: String
    ) async throws(DiskStoreError) -> Bool {
        try await perform { try $0.updateMetadata(metadata, for: key) }
    }

    /// Removes what is stored for `key`; false if there was nothing.
    @discardableResult
    public func remove(_ key: String) async throws(DiskStoreError) -> Bool {
        try await perform { try $0.remove(key) }
    }

    /// Removes every entry and gives their space back.
    public func removeAll() async throws(DiskStoreError) {
        try await perform { try $0.removeAll() }
    }

    /// Up to `limit` entries without their bodies, those stored first before those stored later.
    ///
    /// Lists only what was stored after `record`, if that is given: hand in the last of one page to
    /// get the next. No lock is held between pages. A negative `limit` counts as 0.
    public func records(
        after record: Record? = nil, limit: Int = 1000
    ) async throws(DiskStoreError) -> [Record] {
        let row = record?.row ?? .min
        return try await perform { try $0.records(after: row, limit: limit) }
    }

    /// Reads every entry, compares it with its checksums and removes the broken ones.
    ///
    /// Counts as a use of none. Takes as long as reading the whole store.
    public func verify() async throws(DiskStoreError) -> Verification {
        var checked = 0
        var removed: [String] = []
        var last: Record?
        while true {
            let page = try await records(after: last, limit: 256)
            for record in page {
                checked += 1
                if try await !perform({ try $0.verify(record) }) { removed.append(record.key) }
            }
            guard let end = page.last else { break }
            last = end
        }
        return Verification(checked: checked, removed: removed)
    }

    /// How much is stored, and how much space that takes.
    ///
    /// Looks at the length of every file in the folder.
    public func statistics() async throws(DiskStoreError) -> Statistics {
        try await perform { try $0.statistics() }
    }

    /// Writes down when entries were used, which is otherwise done with the next change, after 256
    /// uses or 30 seconds, and when the store is released.
    public func flush() async {
        _ = try? await perform { $0.flush() }
    }

    /// Opens or makes the folder now, so that ``temporaryDirectory`` is there.
    package func open() async throws(DiskStoreError) {
        try await perform { try $0.open() }
    }

    /// A folder on the store's file system where bodies may be written before they are handed in as
    /// files. What nobody has written to for an hour is removed from it when a store is opened.
    package var temporaryDirectory: String { core.files.temporary }

    func perform<Result: Sendable>(
        _ body: @escaping @Sendable (StoreCore) throws -> Result
    ) async throws(DiskStoreError) -> Result {
        let core = core
        wasUsed.withLock { $0 = true }
        let outcome = await withCheckedContinuation { continuation in
            pool.submit {
                let outcome = Swift.Result { try body(core) }
                continuation.resume(returning: outcome.mapError { core.storeError($0) })
                core.tidy()
            }
        }
        return try outcome.get()
    }
}
