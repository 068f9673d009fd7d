import FoundationEssentials
import Glibc
package import VitrineBase

/// The folders of named groups below a store's own: one store each, so that a group has a bound of its
/// own and is removed as one.
///
/// A folder is called after a digest of the group's name, so that no name leads out of the place or
/// stands in a path; the name itself lies in a file within. All calls block.
package struct GroupFolder: Sendable, Hashable {
    /// The folder of the group's store.
    package let path: String
    /// The group's name.
    package let name: String
    /// Where the folders of all groups lie.
    private let home: String

    /// Longer names than so many bytes are no names: a file that is longer is not read.
    package static let nameLimit = 4096

    /// The folder of a group below the store in `directory`.
    package init(_ name: String, in directory: String) {
        self.name = name
        home = Self.home(in: directory)
        path = "\(home)/\(SHA256.hex(name.utf8).prefix(40))"
    }

    private static func home(in directory: String) -> String { directory + "/groups" }

    /// The group's store, which follows no link within the folder that all groups lie in.
    package func store(
        maximumBytes: Int, eviction: DiskStore.Eviction = .leastRecentlyUsed,
        time: TimeSource
    ) -> DiskStore {
        var configuration = DiskStore.Configuration(directory: path, maximumBytes: maximumBytes)
        configuration.eviction = eviction
        return DiskStore(configuration, time: time, outer: [home])
    }

    private var nameFile: String { path + "/name" }

    /// Writes the name into the folder, once there is one, so that ``all(in:)`` finds it.
    package func writeName() {
        guard FileSystem.identity(nameFile) == nil else { return }
        let draft = "\(path)/tmp/\(StoreFiles.newName())"
        do {
            try FileSystem.write(Data(name.utf8), to: draft)
            try FileSystem.rename(draft, to: nameFile)
        } catch {
            FileSystem.remove(draft)
        }
    }

    /// All groups that have a folder below the store in `directory`, in the order of their names; what
    /// is not whole is not among them.
    package static func all(in directory: String) -> [GroupFolder] {
        let home = home(in: directory)
        guard FileSystem.isFolder(home) else { return [] }
        return FileSystem.names(in: home).compactMap { folder in
            let file = "\(home)/\(folder)/name"
            let size = FileSystem.size(file)
            guard size <= nameLimit, FileSystem.isFolder("\(home)/\(folder)"),
                FileSystem.isRegularFile(file),
                let data = try? FileSystem.read(file, expecting: size),
                let name = String(validating: data, as: UTF8.self)
            else { return nil }
            let group = GroupFolder(name, in: directory)
            return group.path.hasSuffix("/" + folder) ? group : nil
        }.sorted { $0.name < $1.name }
    }

    /// Removes the folder with all that is in it; a store that has it open finds it gone.
    package func remove() throws(DiskStoreError) {
        // What a link leads to is not ours to remove.
        if FileSystem.isLink(home) { FileSystem.remove(home) }
        if FileSystem.isLink(path) { FileSystem.remove(path) }
        // Who stores something meanwhile may leave a folder that is not empty when its turn comes.
        for _ in 0..<20 {
            guard FileSystem.identity(path) != nil else { return }
            if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
        }
        guard FileSystem.identity(path) != nil else { return }
        throw .io(path: path, reason: "the group's folder cannot be removed")
    }
}
