import FoundationEssentials
import Glibc
import VitrineBase

extension StoreCore {
    func insert(
        _ body: DiskStore.Body, metadata: Data, for key: String, expiry: DiskStore.Expiry?
    ) throws {
        let moment = (expiry ?? self.expiry).moment(storedAt: now)
        func measured(size: Int, checksum: UInt64) throws -> NewEntry {
            let new = NewEntry(
                key: key, metadata: metadata, size: size, checksum: checksum, expiresAt: moment)
            guard new.cost <= maximumBytes else {
                throw DiskStoreError.tooLarge(bytes: new.cost, limit: maximumBytes)
            }
            return new
        }
        switch body {
        case .bytes(let data):
            let new = try measured(size: data.count, checksum: Checksum.of(data))
            if VitrineStorage.hasExpired(moment, at: now) {
                try removing { try $0.removeEntry(of: key, .replaced) }
            } else if data.count <= inlineLimit {
                try change { try $0.insert(new, body: data) }
            } else {
                try insertFile(new) { try files.write(data, as: $0) }
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
            let new = try measured(size: size, checksum: checksum)
            if VitrineStorage.hasExpired(moment, at: now) {
                try removing { try $0.removeEntry(of: key, .replaced) }
            } else if size <= inlineLimit {
                guard let data = try FileSystem.read(path, expecting: size) else {
                    throw SystemError(EIO)
                }
                try change { try $0.insert(new, body: data) }
            } else {
                try insertFile(new) { try files.adopt(path, as: $0) }
            }
        }
    }

    /// Up to which size a body file is put in its place before the index knows of it.
    private static let announceLimit = 1_048_576

    /// Stores an entry whose body lies in a file, which `place` puts there before the index learns of
    /// it. A process that dies between leaves a file for the sweep, no entry without one.
    ///
    /// For a large body room is made first, and its file announced, so that it and the entries never
    /// pass the bound together. For a smaller one that would be half of the work.
    private func insertFile(_ new: NewEntry, place: (String) throws -> Void) throws {
        let file = StoreFiles.newName()
        let isAnnounced = new.size > StoreCore.announceLimit
        if isAnnounced {
            try change { try $0.announce(file, for: new) }
        } else {
            // Nothing may be put into a folder whose index is another's.
            try open()
        }
        do {
            try place(file)
            try change { change in
                if isAnnounced { try change.withdraw(file) }
                try change.insert(new, file: file)
            }
        } catch {
            files.remove([file])
            if isAnnounced { _ = try? change { try $0.withdraw(file) } }
            throw error
        }
    }

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
