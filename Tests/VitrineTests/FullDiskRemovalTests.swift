import Foundation
import Glibc
import OriginSupport
import Testing
import Vitrine

/// What a loader removes where the disk has no room left, not even for the index's journal.
@Suite(.enabled(if: canMountDisks)) struct FullDiskRemovalTests {
    private let bench: Workbench
    private let disk: SmallDisk

    init() throws {
        bench = try Workbench()
        disk = try SmallDisk(bench.folder + "/cache", size: "2m")
    }

    /// A small file system, gone with its last reference.
    private final class SmallDisk: Sendable {
        let path: String

        init(_ path: String, size: String) throws {
            self.path = path
            mkdir(path, 0o700)
            guard mount("none", path, "tmpfs", 0, "size=\(size)") == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
            }
        }

        deinit { umount2(path, Int32(MNT_DETACH)) }

        /// Takes all the room that is left.
        func fill() {
            let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            defer { close(file) }
            for size in [65_536, 4096, 1] {
                let some = [UInt8](repeating: 1, count: size)
                while write(file, some, size) == size {}
            }
            #expect(errno == ENOSPC)
        }
    }

    /// Whether a loader without anything in memory finds a picture on disk.
    private func isOnDisk(_ path: String) async throws -> Bool {
        let request = bench.request(path) { $0.cachePolicy = .cacheOnly }
        do {
            return try await bench.loader().response(for: request).source == .disk
        } catch {
            guard error.reason == .cacheMiss else { throw error }
            return false
        }
    }

    @Test("C15: promises 15 and 17: on a full disk a picture is removed all the same, and then all")
    func remove() async throws {
        let paths = ["/a", "/b", "/c"]
        for path in paths { try bench.serve(path, "scene.png", "Cache-Control: max-age=60") }
        let loader = bench.loader()
        for path in paths { _ = try await loader.image(for: bench.request(path)) }
        await loader.waitUntilIdle()
        #expect(try await loader.diskStatistics()?.entries == 3)
        disk.fill()
        try await loader.removeFromCaches(bench.origin.url("/a"))
        #expect(loader.cachedImage(for: bench.request("/a")) == nil)
        #expect(try await isOnDisk("/a") == false)
        #expect(try await isOnDisk("/b"), "and no other")
        disk.fill()
        try await loader.removeFromCaches(bench.origin.url("/b"))
        #expect(try await isOnDisk("/b") == false)
        disk.fill()
        try await loader.removeAllFromCaches()
        #expect(try await loader.diskStatistics()?.entries == 0)
        #expect(try await isOnDisk("/c") == false)
    }
}

/// Whether this process may mount file systems.
private let canMountDisks: Bool = {
    let path = FileManager.default.temporaryDirectory.path + "/vitrine-mount-\(UUID())"
    mkdir(path, 0o700)
    defer { rmdir(path) }
    guard geteuid() == 0, mount("none", path, "tmpfs", 0, "size=64k") == 0 else { return false }
    return umount2(path, Int32(MNT_DETACH)) == 0
}()
