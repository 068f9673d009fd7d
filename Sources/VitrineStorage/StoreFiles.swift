import FoundationEssentials
import Glibc
import VitrineBase

/// The files of a store beside its index: bodies too large for the index, and spools under way.
struct StoreFiles: Sendable {
    let directory: String
    let bodies: String
    let temporary: String

    init(directory: String) {
        self.directory = directory
        bodies = directory + "/bodies"
        temporary = directory + "/tmp"
    }

    /// Makes the store's folders as far as they are missing, readable by nobody else.
    func makeFolders() throws {
        for folder in [directory, bodies, temporary] { try FileSystem.makeFolder(folder) }
    }

    /// A new name, which says nothing about what is stored under it.
    static func newName() -> String {
        let bits = (UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max)))
        func hex(_ word: UInt64) -> String {
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return hex(bits.0) + hex(bits.1)
    }

    static func isName(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy { ($0 >= 48 && $0 < 58) || ($0 >= 97 && $0 < 103) }
    }

    func bodyPath(_ name: String) -> String { "\(bodies)/\(name)" }

    /// Puts `data` into the body file `name`, which appears whole or not at all.
    func write(_ data: Data, as name: String) throws {
        let draft = "\(temporary)/\(name)"
        do {
            try withFolders { try FileSystem.write(data, to: draft) }
            try withFolders { try FileSystem.rename(draft, to: bodyPath(name)) }
        } catch {
            FileSystem.remove(draft)
            throw error
        }
    }

    /// Makes the file at `path` the body file `name`.
    func adopt(_ path: String, as name: String) throws {
        // Its age counts from here on, lest it be taken for something left behind.
        FileSystem.touch(path)
        do {
            try withFolders { try FileSystem.rename(path, to: bodyPath(name)) }
        } catch let error as SystemError where error.code == EXDEV {
            let draft = "\(temporary)/\(name)"
            do {
                try FileSystem.copy(path, to: draft)
                try FileSystem.rename(draft, to: bodyPath(name))
            } catch {
                FileSystem.remove(draft)
                throw error
            }
            FileSystem.remove(path)
        }
        chmod(bodyPath(name), 0o600)
    }

    /// The body file's bytes; nil if it is not there or not `size` long.
    func read(_ name: String, size: Int) throws -> Data? {
        guard StoreFiles.isName(name) else { return nil }
        do {
            return try FileSystem.read(bodyPath(name), expecting: size)
        } catch let error as SystemError where error.code == ENOENT {
            return nil
        }
    }

    func remove(_ names: [String]) {
        for name in names where StoreFiles.isName(name) { FileSystem.remove(bodyPath(name)) }
    }

    func removeAllBodies() { remove(FileSystem.names(in: bodies)) }

    /// Removes body files that `known` does not hold and whatever lies in the temporary folder, as
    /// far as it was last written before `moment` (seconds since 1970).
    func sweep(keeping known: Set<String>, writtenBefore moment: Double) {
        for name in FileSystem.names(in: bodies) where StoreFiles.isName(name) {
            guard !known.contains(name) else { continue }
            FileSystem.remove(bodyPath(name), ifWrittenBefore: moment)
        }
        for name in FileSystem.names(in: temporary) {
            FileSystem.remove("\(temporary)/\(name)", ifWrittenBefore: moment)
        }
    }

    /// The length of all files of the store.
    func bytesOnDisk() -> Int {
        [directory, bodies, temporary].reduce(0) { sum, folder in
            FileSystem.names(in: folder).reduce(sum) { $0 &+ FileSystem.size("\(folder)/\($1)") }
        }
    }

    /// Does `body` once more with the folders made anew if one of them has vanished.
    private func withFolders(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SystemError where error.code == ENOENT {
            try makeFolders()
            try body()
        }
    }
}
