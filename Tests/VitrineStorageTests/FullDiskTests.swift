import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

/// What can be removed where the disk has no room left, not even for the journal.
@Suite(.serialized, .enabled(if: canMount)) struct FullDiskTests {
    private let folder: TemporaryFolder
    private let mounted: Mount

    init() throws {
        folder = try TemporaryFolder()
        mounted = try Mount(folder.storePath, size: "2m")
    }

    /// A small file system, gone with its last reference.
    private final class Mount: Sendable {
        private let path: String

        init(_ path: String, size: String) throws {
            self.path = path
            mkdir(path, 0o700)
            guard mount("none", path, "tmpfs", 0, "size=\(size)") == 0 else {
                throw POSIXFailure(errno)
            }
        }

        deinit { umount2(path, Int32(MNT_DETACH)) }
    }

    /// Small entries, which lie in the index, and large ones, which are files.
    private func fill(_ store: DiskStore) async throws {
        for number in 0..<12 {
            for size in [3000, 20_000] {
                try await store.insert(
                    .bytes(bytes(size)), metadata: bytes(300), for: "\(size) \(number)")
            }
        }
    }

    /// Takes all the room that is left on the disk.
    private func takeAllRoom() throws {
        let file = open(folder.storePath + "/ballast", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        for size in [65_536, 4096, 1] {
            let some = [UInt8](repeating: 1, count: size)
            while write(file, some, size) == size {}
        }
        #expect(errno == ENOSPC)
    }

    private func isFull(_ store: DiskStore) async -> Bool {
        do {
            try await store.insert(.bytes(bytes(200_000)), metadata: Data(), for: "more")
            return false
        } catch {
            return error == .full(path: folder.storePath)
        }
    }

    @Test(
        "C12: promise 17: on a full disk entries can be removed, by a new process too",
        arguments: [false, true])
    func remove(isAnew: Bool) async throws {
        var store = folder.store(inlineLimit: 8192)
        try await fill(store)
        if isAnew {
            store = folder.store(inlineLimit: 8192)
            #expect(folder.waitUntilClosed())
        }
        try takeAllRoom()
        #expect(await isFull(store))
        #expect(try await store.statistics().entries == 24)
        // Each in turn, while somebody else takes what room the last one has left.
        for number in 0..<4 {
            for size in [3000, 20_000] {
                try takeAllRoom()
                #expect(try await store.remove("\(size) \(number)"))
                #expect(try await store.entry(for: "\(size) \(number)") == nil)
                #expect(try await store.record(for: "\(size) \(number)") == nil)
            }
        }
        #expect(try await store.statistics().entries == 16)
        #expect(try await store.entry(for: "3000 9")?.body == bytes(3000))
        #expect(try await store.entry(for: "20000 9")?.body == bytes(20_000))
        #expect(try await folder.store().verify().removed == [])
        #expect(folder.brokenFiles.isEmpty)
    }

    @Test("C12: promise 17: on a full disk families, what is old, and everything can be removed")
    func removeMany() async throws {
        let store = folder.store(inlineLimit: 8192)
        try await fill(store)
        try takeAllRoom()
        #expect(try await store.remove(KeyFamily("none", andStartingWith: "3000 1")) == 3)
        let family = KeyFamily("none", andStartingWith: "20000 ")
        #expect(try await store.remove(family) { _ in true } == 12)
        try takeAllRoom()
        #expect(try await store.statistics().entries == 9)
        #expect(try await store.prune(to: 7100).removed == 7)
        #expect(try await store.records().map(\.key) == ["3000 8", "3000 9"])
        try takeAllRoom()
        try await store.removeAll()
        #expect(try await store.statistics().entries == 0)
    }

    @Test("C12: the room that is kept for removing comes back") func reserve() async throws {
        let store = folder.store(inlineLimit: 8192)
        try await fill(store)
        func reserved() -> Int { (try? readFile(folder.storePath + "/index.reserve").count) ?? 0 }
        #expect(reserved() == 131_072)
        try takeAllRoom()
        #expect(try await store.remove("3000 1"))
        unlink(folder.storePath + "/ballast")
        #expect(try await folder.store().remove("3000 2"))
        #expect(reserved() == 131_072)
    }
}
