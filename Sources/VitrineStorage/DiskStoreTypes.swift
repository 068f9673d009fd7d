public import FoundationEssentials

extension DiskStore {
    /// Where a store lies and how large it may grow.
    public struct Configuration: Sendable, Hashable {
        /// The store's folder, made with mode 0700 on first use. Several stores and processes may
        /// share one.
        public var directory: String

        /// The most bytes that all bodies, metadata, keys and the index's own records may take
        /// together, writes under way included. Each store that writes to a shared folder enforces
        /// its own number. A negative one counts as 0, and a store of 0 bytes keeps nothing.
        public var maximumBytes: Int = 150_000_000

        /// Bodies of up to this many bytes lie in the index, larger ones in a file each; brought
        /// into 0…1,048,576.
        public var inlineLimit: Int = 8_192

        /// Until when entries may be read for which nothing else is said when they are stored. It is
        /// not kept in the folder: another value concerns what is stored from then on.
        public var expiry = Expiry.never

        /// What makes room when the bound is reached. Each store that writes to a shared folder
        /// follows its own.
        public var eviction = Eviction.leastRecentlyUsed

        /// A store in `directory` with the default bounds.
        public init(directory: String) { self.directory = directory }

        /// A store in `directory` that grows to `maximumBytes`.
        public init(directory: String, maximumBytes: Int, inlineLimit: Int = 8_192) {
            self.directory = directory
            self.maximumBytes = maximumBytes
            self.inlineLimit = inlineLimit
        }
    }

    /// The bytes that an entry keeps.
    public enum Body: Sendable, Hashable {
        /// Bytes in memory.
        case bytes(Data)

        /// A regular file, which belongs to the store from the call on and is gone afterwards,
        /// whether the call returns or throws. It is adopted by renaming it, copied when it is on
        /// another file system.
        case file(path: String)
    }

    /// What a store keeps for one key, checked against its checksums.
    public struct Entry: Sendable, Hashable {
        /// What is known of the entry beside its body.
        public let record: Record
        /// The body, whole.
        public let body: Data

        /// The key, compared byte by byte.
        public var key: String { record.key }
        /// What was given beside the body; never more than the store's bound.
        public var metadata: Data { record.metadata }
        /// The body's length in bytes.
        public var size: Int { record.size }
        /// When the body was stored.
        public var storedAt: Date { record.storedAt }
        /// When the entry was last read or stored before this read, as far as that has been written
        /// down.
        public var lastUsed: Date { record.lastUsed }
        /// Until when the entry may be read; nil if nothing limits that.
        public var expiresAt: Date? { record.expiresAt }
        /// The file that holds the body; nil if it lies in the index.
        public var bodyPath: String? { record.bodyPath }
    }

    /// An entry without its body. In a listing nothing of it has been checked.
    public struct Record: Sendable, Hashable {
        /// The key, compared byte by byte.
        public let key: String
        /// What was given beside the body.
        public let metadata: Data
        /// The body's length in bytes.
        public let size: Int
        /// When the body was stored.
        public let storedAt: Date
        /// When the entry was last read or stored, as far as that has been written down.
        public let lastUsed: Date
        /// Until when the entry may be read; nil if nothing limits that. What has expired is listed
        /// until it is removed.
        public let expiresAt: Date?
        /// The file that holds the body; nil if it lies in the index. The file may go at any time,
        /// and belongs to the store: it may be looked at, not changed.
        public var bodyPath: String? { file.map { "\(bodies)/\($0)" } }
        /// Its place in the order of storing.
        let row: Int64
        /// The file's name, and the folder where it lies; put together only for who asks.
        let file: String?
        let bodies: String

        /// Of the table `entry e`.
        static let columns =
            "e.key, e.metadata, e.size, e.stored_at, e.last_used, e.expires_at, e.file, e.id"

        /// How long before `moment` the body was stored; zero if the clock was set back since.
        public func age(at moment: Date = Date()) -> Duration {
            let seconds = moment.timeIntervalSince(storedAt)
            // Compared so that what is no number becomes zero; a `Duration` holds far more than 1e15.
            return seconds > 0 ? .seconds(min(seconds, 1e15)) : .zero
        }

        /// Whether it may no longer be read at `moment`.
        public func isExpired(at moment: Date = Date()) -> Bool {
            expiresAt.map { $0 <= moment } ?? false
        }
    }

    /// What a store holds at one moment.
    public struct Statistics: Sendable, Hashable {
        /// How many entries there are.
        public let entries: Int
        /// The length of all bodies together.
        public let bodyBytes: Int
        /// What counts against the bound: bodies, metadata, keys, records and writes under way.
        public let countedBytes: Int
        /// The length of all files in the folder, the index and its journal included.
        public let bytesOnDisk: Int
        /// The bound.
        public let maximumBytes: Int
        /// The folder.
        public let directory: String
    }

    /// What ``DiskStore/verify()`` found.
    public struct Verification: Sendable, Hashable {
        /// How many entries were read and compared with their checksums.
        public let checked: Int
        /// The keys of the broken ones, which have been removed.
        public let removed: [String]
    }

    /// What ``DiskStore/prune(unusedFor:to:)`` removed.
    public struct Pruning: Sendable, Hashable {
        /// How many entries went.
        public internal(set) var removed = 0
        /// By how many bytes ``Statistics/countedBytes`` has become less.
        public internal(set) var bytes = 0
    }
}
