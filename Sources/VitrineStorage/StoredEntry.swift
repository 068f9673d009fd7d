import FoundationEssentials
import VitrineBase

/// An entry about to be stored.
struct NewEntry {
    let key: String
    let metadata: Data
    let size: Int
    let checksum: UInt64
    /// Microseconds since 1970; nil for never.
    var expiresAt: Int64?

    var cost: Int { NewEntry.cost(key: key, metadata: metadata, size: size) }

    var metadataSum: Int64 {
        StoredEntry.metadataSum(key: key, metadata: metadata, expiresAt: expiresAt)
    }

    /// What an entry counts against the bound.
    static func cost(key: String, metadata: Data, size: Int) -> Int {
        size + metadata.count + 2 * key.utf8.count + IndexSchema.rowCost
    }
}

/// An entry as the index has it; nothing is checked yet.
struct StoredEntry {
    static let columns = """
        e.id, e.file, e.size, e.metadata_sum, e.body_sum, e.stored_at, e.last_used, e.metadata,
        c.body, e.expires_at
        """

    /// What ``columns`` are of. Only a body that lies in no file is looked for in `content`.
    static let tables = "entry e LEFT JOIN content c ON e.file IS NULL AND c.id = e.id"

    /// Finds the entry of a key. Every hit asks it, so its text is put together once.
    static let byKey = "SELECT \(columns) FROM \(tables) WHERE e.key = ?"

    let row: Int64
    let file: String?
    let size: Int
    let metadataSum: Int64
    let bodySum: Int64
    let storedAt: Int64
    let lastUsed: Int64
    let metadata: Data
    let inlineBody: Data?
    let expiresAt: Int64?

    /// From a row of ``columns``.
    init(_ row: Row) {
        self.row = row.integer(0)
        file = row.isNull(1) ? nil : row.text(1)
        size = Int(row.integer(2))
        metadataSum = row.integer(3)
        bodySum = row.integer(4)
        storedAt = row.integer(5)
        lastUsed = row.integer(6)
        metadata = row.data(7)
        inlineBody = row.isNull(8) ? nil : row.data(8)
        expiresAt = row.isNull(9) ? nil : row.integer(9)
    }

    /// Whether key, metadata and body are what was stored, bit by bit.
    func isIntact(key: String, body: Data) -> Bool {
        body.count == size && Int64(bitPattern: Checksum.of(body)) == bodySum
            && StoredEntry.metadataSum(key: key, metadata: metadata, expiresAt: expiresAt)
                == metadataSum
    }

    /// The sum over the key's and the metadata's bytes and the expiry, if there is one; the body has
    /// its own, so that changing these need not read the body.
    static func metadataSum(key: String, metadata: Data, expiresAt: Int64?) -> Int64 {
        var checksum = Checksum()
        var key = key
        key.withUTF8 { checksum.update(UnsafeRawBufferPointer($0)) }
        checksum.update(metadata)
        if let expiresAt {
            withUnsafeBytes(of: expiresAt.littleEndian) { checksum.update($0) }
        }
        return Int64(bitPattern: checksum.value)
    }
}

extension Checksum {
    static func of(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { of($0) }
    }

    mutating func update(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }
}
