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
        public var inlineLimit: Int = 65_536

        /// A store in `directory` with the default bounds.
        public init(directory: String) { self.directory = directory }

        /// A store in `directory` that grows to `maximumBytes`.
        public init(directory: String, maximumBytes: Int, inlineLimit: Int = 65_536) {
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

    /// What a store keeps for one key.
    public struct Entry: Sendable, Hashable {
        /// The key, compared byte by byte.
        public let key: String
        /// What was given beside the body; never more than the store's bound.
        public let metadata: Data
        /// The body, whole and checked against its checksum.
        public let body: Data
        /// When the body was stored.
        public let storedAt: Date
        /// When the entry was last read or stored before this read.
        public let lastUsed: Date
        /// The body's length in bytes.
        public var size: Int { body.count }
    }

    /// An entry without its body, for listing. Nothing in it has been checked.
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
        /// The file that holds the body; nil if it lies in the index.
        public let bodyPath: String?
        /// Its place in the order of storing.
        let row: Int64
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
}
