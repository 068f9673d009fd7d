import FoundationEssentials
import Glibc
import Testing
import VitrineBase
import VitrineStorage

/// Links that somebody has put in the place of what belongs to a store.
@Suite struct LinkTests {
    private let folder: TemporaryFolder
    private let elsewhere: String

    init() throws {
        folder = try TemporaryFolder()
        elsewhere = folder.path + "/elsewhere"
        mkdir(elsewhere, 0o755)
    }

    private func used(_ store: DiskStore) async throws {
        try await store.insert(.bytes(bytes(100_000)), metadata: Data(), for: "large")
        try await store.insert(.bytes(bytes(10)), metadata: Data(), for: "small")
        #expect(try await store.entry(for: "large")?.body == bytes(100_000))
        #expect(try await store.entry(for: "small")?.body == bytes(10))
    }

    private func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    @Test(
        "C12: a link in the place of a store's folder is replaced and not followed",
        arguments: ["bodies", "tmp"])
    func innerFolder(name: String) async throws {
        try writeFile(Data("mine".utf8), elsewhere + "/0123456789abcdef0123456789abcdef")
        mkdir(folder.storePath, 0o700)
        symlink(elsewhere, "\(folder.storePath)/\(name)")
        let store = folder.store()
        try await used(store)
        try await store.removeAll()
        #expect(!isLink("\(folder.storePath)/\(name)"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: elsewhere)
                == ["0123456789abcdef0123456789abcdef"])
    }

    @Test(
        "C12: a link in the place of a store's file is replaced and not followed",
        arguments: ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.lock"])
    func file(name: String) async throws {
        try await used(folder.store())
        #expect(folder.waitUntilClosed())
        let target = elsewhere + "/target"
        try writeFile(Data("mine".utf8), target)
        unlink("\(folder.storePath)/\(name)")
        symlink(target, "\(folder.storePath)/\(name)")
        try await used(folder.store())
        #expect(!isLink("\(folder.storePath)/\(name)"))
        #expect(try readFile(target) == Data("mine".utf8))
    }

    @Test("C12: a body file that has become a link is a miss") func bodyFile() async throws {
        let store = folder.store()
        try await used(store)
        let body = try #require(folder.bodyFiles.first)
        rename(body, elsewhere + "/body")
        symlink(elsewhere + "/body", body)
        #expect(try await store.entry(for: "large") == nil)
        #expect(try readFile(elsewhere + "/body") == bytes(100_000))
        try await used(store)
    }

    @Test("C12: a link is not taken over as a body") func adopted() async throws {
        try writeFile(bytes(100_000), elsewhere + "/secret")
        symlink(elsewhere + "/secret", folder.path + "/link")
        await #expect(throws: DiskStoreError.self) {
            try await folder.store().insert(
                .file(path: folder.path + "/link"), metadata: Data(), for: "a")
        }
        #expect(try readFile(elsewhere + "/secret") == bytes(100_000))
    }

    @Test("C12: the store's own folder may be a link") func outside() async throws {
        symlink(elsewhere, folder.storePath)
        try await used(folder.store())
        #expect(isLink(folder.storePath))
        #expect(FileManager.default.fileExists(atPath: elsewhere + "/index.sqlite"))
    }

    @Test("C7: links in the place of groups are replaced, and what they lead to is not removed")
    func groups() async throws {
        let group = GroupFolder("one", in: folder.storePath)
        let home = folder.storePath + "/groups"
        func store() -> DiskStore { group.store(maximumBytes: 1_000_000, time: .system) }
        try await used(store())
        group.writeName()
        #expect(folder.waitUntilClosed())
        #expect(GroupFolder.all(in: folder.storePath) == [group])

        // The folder of a group.
        rename(group.path, elsewhere + "/group")
        symlink(elsewhere + "/group", group.path)
        #expect(GroupFolder.all(in: folder.storePath).isEmpty)
        #expect(try await store().entry(for: "large") == nil)
        #expect(!isLink(group.path))
        #expect(folder.waitUntilClosed())

        // The folder of all groups.
        rename(home, elsewhere + "/home")
        symlink(elsewhere + "/home", home)
        #expect(GroupFolder.all(in: folder.storePath).isEmpty)
        try group.remove()
        #expect(FileManager.default.fileExists(atPath: elsewhere + "/home"))
        try await used(store())
        #expect(!isLink(home))
        symlink(elsewhere + "/group", home + "/link")
        try group.remove()
        #expect(FileManager.default.fileExists(atPath: elsewhere + "/group/index.sqlite"))
    }
}
