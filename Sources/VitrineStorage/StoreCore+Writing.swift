import FoundationEssentials
import Glibc
import VitrineBase

/// An entry whose body is in its place, or will be with the row.
struct ReadyEntry {
    let new: NewEntry
    /// The body, if it is to lie in the index.
    let body: Data?
    /// The body's file, if it lies in one.
    let file: String?
}

extension StoreCore {
    func insert(
        _ body: DiskStore.Body, metadata: Data, for key: String, expiry: DiskStore.Expiry?
    ) throws {
        switch body {
        case .bytes(let data):
            let new = try entry(
                for: key, metadata: metadata, size: data.count, checksum: Checksum.of(data),
                expiry: expiry)
            try insert(new) {
                data
            } placing: {
                try files.write(data, as: $0)
            }
        case .file(let path):
            // Whatever happens, the file belongs to the store; once adopted it has left this path.
            defer { if FileSystem.isRegularFile(path) { FileSystem.remove(path) } }
            let (size, checksum): (Int, UInt64)
            do {
                (size, checksum) = try FileSystem.measure(path)
            } catch let error as SystemError {
                throw DiskStoreError.io(path: path, reason: error.reason)
            }
            let new = try entry(
                for: key, metadata: metadata, size: size, checksum: checksum, expiry: expiry)
            try insert(new) {
                guard let data = try FileSystem.read(path, expecting: size) else {
                    throw SystemError(EIO)
                }
                return data
            } placing: {
                try files.adopt(path, as: $0)
            }
        }
    }

    private func insert(
        _ new: NewEntry, _ body: () throws -> Data, placing place: (String) throws -> Void
    ) throws {
        if VitrineStorage.hasExpired(new.expiresAt, at: now) {
            try removing { try $0.removeEntry(of: new.key, .replaced) }
        } else if new.size <= StoreCore.announceLimit {
            for outcome in commit([try ready(new, body, placing: place)]) { try outcome.get() }
        } else {
            try insertAnnounced(new, placing: place)
        }
    }

    /// - Throws: ``DiskStoreError/tooLarge(bytes:limit:)``.
    private func entry(
        for key: String, metadata: Data, size: Int, checksum: UInt64, expiry: DiskStore.Expiry?
    ) throws -> NewEntry {
        let new = NewEntry(
            key: key, metadata: metadata, size: size, checksum: checksum,
            expiresAt: (expiry ?? self.expiry).moment(storedAt: now))
        guard new.cost <= maximumBytes else {
            throw DiskStoreError.tooLarge(bytes: new.cost, limit: maximumBytes)
        }
        return new
    }

    /// Whether what is stored with this expiry has expired already: it takes away what its key had.
    func isOver(_ expiry: DiskStore.Expiry?) -> Bool {
        VitrineStorage.hasExpired((expiry ?? self.expiry).moment(storedAt: now), at: now)
    }

    // MARK: Small bodies

    /// Up to which size a body file is put in its place before the index knows of it. To make room and
    /// announce it first would be half of the work.
    static let announceLimit = 1_048_576

    /// Puts a body of at most ``announceLimit`` bytes, which has not expired, where it will lie, for
    /// ``commit(_:)``.
    func prepare(
        _ data: Data, metadata: Data, for key: String, expiry: DiskStore.Expiry?
    ) throws -> ReadyEntry {
        let new = try entry(
            for: key, metadata: metadata, size: data.count, checksum: Checksum.of(data),
            expiry: expiry)
        return try ready(new) {
            data
        } placing: {
            try files.write(data, as: $0)
        }
    }

    /// A process that dies after this leaves a file for the sweep, no entry without one.
    private func ready(
        _ new: NewEntry, _ body: () throws -> Data, placing place: (String) throws -> Void
    ) throws -> ReadyEntry {
        if new.size <= inlineLimit { return ReadyEntry(new: new, body: try body(), file: nil) }
        // Nothing may be put into a folder whose index is another's.
        try open()
        let file = StoreFiles.newName()
        do {
            try place(file)
        } catch {
            files.remove([file])
            throw error
        }
        return ReadyEntry(new: new, body: nil, file: file)
    }

    /// Stores entries in one transaction, and says of each how that went. If it fails, each is tried by
    /// itself, so that none suffers from another.
    func commit(_ entries: [ReadyEntry]) -> [Result<Void, any Error>] {
        guard !entries.isEmpty else { return [] }
        do {
            try change { change in
                for entry in entries {
                    try change.insert(entry.new, body: entry.body, file: entry.file)
                }
            }
            return entries.map { _ in .success(()) }
        } catch {
            guard entries.count == 1 else { return entries.flatMap { commit([$0]) } }
            files.remove(entries.compactMap(\.file))
            return [.failure(error)]
        }
    }

    // MARK: Large bodies

    /// Makes room for a body and announces its file before `place` puts it there, so that it and the entries
    /// never pass the bound together.
    private func insertAnnounced(
        _ new: NewEntry, placing place: (String) throws -> Void
    ) throws {
        let file = StoreFiles.newName()
        try change { try $0.announce(file, for: new) }
        do {
            try place(file)
            try change { change in
                try change.withdraw(file)
                try change.insert(new, file: file)
            }
        } catch {
            files.remove([file])
            _ = try? change { try $0.withdraw(file) }
            throw error
        }
    }

    // MARK: Others

    func updateMetadata(
        _ metadata: Data, expiry: DiskStore.Expiry?, for key: String
    ) throws -> Bool {
        try change { try $0.updateMetadata(metadata, expiry: expiry, for: key) }
    }

    func setExpiry(_ expiry: DiskStore.Expiry, for key: String) throws -> Bool {
        try change { try $0.setExpiry(expiry, for: key) }
    }

    func remove(_ key: String) throws -> Bool {
        try removing { try $0.removeEntry(of: key, .asked) }
    }

    /// Does some of the work of a pruning; says that nothing was removed once all is done.
    func pruneSome(unusedSince moment: Int64?, to bytes: Int?) throws -> DiskStore.Pruning {
        let costs = try removing { change in
            var costs = try change.removeExpired(atMost: change.batch)
            if costs.isEmpty, let moment {
                costs = try change.removeLeastRecentlyUsed(atMost: change.batch, before: moment)
            }
            if costs.isEmpty, let bytes {
                let excess = try change.countedBytes() - Int64(max(0, bytes))
                if excess > 0 {
                    costs = try change.removeLeastRecentlyUsed(
                        atMost: change.batch, freeing: excess)
                }
            }
            return costs
        }
        return DiskStore.Pruning(removed: costs.count, bytes: Int(costs.reduce(0, +)))
    }

    func removeAll() throws {
        do {
            try change { try $0.removeAll() }
        } catch let error as SQLiteError where error.kind == .full {
            return try discardIndex()
        }
        // The journal holds what was removed until it is written over.
        compact()
    }
}
