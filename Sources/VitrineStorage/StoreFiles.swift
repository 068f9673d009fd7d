import FoundationEssentials
import Glibc
import VitrineBase

/// The files of a store beside its index: bodies too large for the index, and spools under way.
final class StoreFiles: Sendable {
    let directory: String
    let bodies: String
    let temporary: String
    /// Folders on the way to ``directory`` that are the library's own, the outermost first.
    private let outer: [String]
    /// ``bodies``, held open since every hit reads a file there; made anew with the folders.
    private let openBodies = Lock<Folder?>(nil)

    init(directory: String, outer: [String] = []) {
        self.directory = directory
        self.outer = outer
        bodies = directory + "/bodies"
        temporary = directory + "/tmp"
    }

    /// Makes the store's folders as far as they are missing, readable by nobody else.
    ///
    /// The store's own folder may be a link that somebody has made to another disk; within it no link
    /// leads anywhere.
    func makeFolders() throws {
        for folder in outer { try FileSystem.makeInnerFolder(folder) }
        try outer.isEmpty
            ? FileSystem.makeFolder(directory) : FileSystem.makeInnerFolder(directory)
        for folder in [bodies, temporary] { try FileSystem.makeInnerFolder(folder) }
        openBodies.withLock { $0 = nil }
    }

    /// Holds no folder open until the next call.
    func close() { openBodies.withLock { $0 = nil } }

    private func bodiesFolder() throws -> Folder {
        try openBodies.withLock { folder in
            if let folder { return folder }
            let new = try Folder(bodies)
            folder = new
            return new
        }
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

    /// Writes `data` into the body file `name`, which is new. Nobody looks at it before the index names
    /// it, so it needs no other name meanwhile; what a killed process leaves of it is swept.
    func write(_ data: Data, as name: String) throws {
        try withFolders { try FileSystem.write(data, to: name, in: bodiesFolder()) }
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
            return try FileSystem.read(name, in: bodiesFolder(), expecting: size)
        } catch let error as SystemError where error.code == ENOENT {
            // Perhaps it is the folder that is gone, and there is another one now.
            openBodies.withLock { $0 = nil }
            return nil
        } catch let error as SystemError where [ELOOP, ENOTDIR, EISDIR].contains(error.code) {
            return nil  // a link or a folder, which is none of ours
        }
    }

    // MARK: Room for removing

    private var reserve: String { directory + "/index.reserve" }

    /// How many bytes of the disk are kept for removing what is stored where it is full: to remove an
    /// entry changes a dozen pages, which go into the journal first.
    private static let reserveSize = 131_072

    /// Takes the reserve back from what it was used for, or makes it; without room there is none.
    func keepReserve() {
        guard FileSystem.size(reserve) != StoreFiles.reserveSize else { return }
        FileSystem.remove(reserve)
        try? FileSystem.reserve(StoreFiles.reserveSize, at: reserve)
    }

    /// Gives the reserve's place to whoever writes next.
    func spendReserve() { FileSystem.remove(reserve) }

    // MARK: Removing

    func remove(_ names: [String]) {
        for name in names where StoreFiles.isName(name) { FileSystem.remove(bodyPath(name)) }
    }

    func removeAllBodies() {
        // Nothing is looked for behind a link that stands here since the folders were made.
        if FileSystem.isFolder(bodies) { remove(FileSystem.names(in: bodies)) }
    }

    /// Removes body files that `known` does not hold and whatever lies in the temporary folder, as
    /// far as it was last written before `moment` (seconds since 1970).
    func sweep(keeping known: Set<String>, writtenBefore moment: Double) {
        guard FileSystem.isFolder(bodies), FileSystem.isFolder(temporary) else { return }
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
