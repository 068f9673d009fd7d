import FoundationEssentials
import Glibc
import Testing
import VitrineBase

@testable import VitrineHTTP

@Suite struct BodySpoolTests {
    @Test func readersGetAllFromTheStart() async throws {
        let spool = BodySpool(memoryLimit: 100)
        let bytes = patterned(10_000)
        let early = spool.reader()
        let reading = Task { try await early.collect(limit: .max) }
        for start in stride(from: 0, to: bytes.count, by: 37) {
            try await spool.append(Data(bytes[start..<min(start + 37, bytes.count)]))
        }
        let middle = spool.reader()
        #expect(spool.count == bytes.count)
        #expect(!spool.isInFile)
        spool.finish()
        #expect(try await reading.value == Data(bytes))
        #expect(try await middle.collect(limit: .max) == Data(bytes))
        #expect(try await spool.reader().collect(limit: .max) == Data(bytes))
        #expect(try await spool.bytes() == Data(bytes))
    }

    @Test func manyReadersWhileItIsWritten() async throws {
        let spool = BodySpool(memoryLimit: 5000)
        let bytes = patterned(200_000)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(index))
                    var received = Data()
                    for try await chunk in spool.reader() {
                        received.append(chunk)
                        if index.isMultiple(of: 4) { try await Task.sleep(for: .milliseconds(1)) }
                    }
                    return received == Data(bytes)
                }
            }
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                try await spool.append(Data(bytes[start..<start + 1000]))
            }
            spool.finish()
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func whatIsSmallStaysInMemory() async throws {
        let folder = try Folder()
        let spool = BodySpool(memoryLimit: 1000, directory: folder.path)
        try await spool.append(Data(patterned(1000)))
        spool.finish()
        #expect(!spool.isInFile)
        #expect(await spool.relinquishFile() == nil)
        #expect(folder.names.isEmpty)
        #expect(try await spool.bytes() == Data(patterned(1000)))
    }

    @Test func whatIsLargeGoesToAFileThatOnlyItsOwnerMayRead() async throws {
        let folder = try Folder()
        var spool: BodySpool? = BodySpool(memoryLimit: 1000, directory: folder.path)
        try await spool?.append(Data(patterned(1001)))
        #expect(spool?.isInFile == false)  // not yet complete
        spool?.finish()
        #expect(spool?.isInFile == true)
        let path = try #require(await spool?.relinquishFile())
        var facts = stat()
        #expect(stat(path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        #expect(facts.st_size == 1001)
        spool = nil
        #expect(folder.names.count == 1)
    }

    @Test("promise 18: a killed process leaves no file behind, where the file system can do that")
    func theFileHasNoName() async throws {
        let folder = try Folder()
        // The system's name for O_TMPFILE; a few file systems have no such thing.
        let probe = open(folder.path, 0o20_000_000 | O_DIRECTORY | O_RDWR, 0o600)
        guard probe >= 0 else { return }
        close(probe)
        let spool = BodySpool(memoryLimit: 0, directory: folder.path)
        try await spool.append(Data(patterned(1000)))
        spool.finish()
        #expect(spool.isInFile)
        #expect(folder.names.isEmpty)
        #expect(try await spool.bytes() == Data(patterned(1000)))
    }

    @Test func aReaderKeepsTheFile() async throws {
        let folder = try Folder()
        var spool: BodySpool? = BodySpool(memoryLimit: 0, directory: folder.path)
        try await spool?.append(Data(patterned(700_000)))
        spool?.finish()
        var body = spool?.reader()
        spool = nil
        #expect(try await body?.collect(limit: .max) == Data(patterned(700_000)))
        body = nil
        #expect(folder.names.isEmpty)
    }

    @Test func theFileCanBeAdopted() async throws {
        let folder = try Folder()
        var spool: BodySpool? = BodySpool(memoryLimit: 10, directory: folder.path)
        try await spool?.append(Data(patterned(500_000)))
        #expect(await spool?.relinquishFile() == nil)
        spool?.finish()
        let path = try #require(await spool?.relinquishFile())
        #expect(await spool?.relinquishFile() == nil)
        #expect(rename(path, folder.path + "/kept") == 0)
        // Open readers, and new ones, go on.
        #expect(try await spool?.reader().collect(limit: .max) == Data(patterned(500_000)))
        spool = nil
        #expect(folder.names == ["kept"])
    }

    @Test func aFailureReachesReadersAfterTheBytes() async throws {
        let spool = BodySpool()
        try await spool.append(Data([1, 2, 3]))
        spool.fail(.truncated(received: 3, expected: 5))
        var received = Data()
        await #expect(throws: TransportError.truncated(received: 3, expected: 5)) {
            for try await chunk in spool.reader() { received.append(chunk) }
        }
        #expect(received == Data([1, 2, 3]))
        await #expect(throws: TransportError.truncated(received: 3, expected: 5)) {
            try await spool.bytes()
        }
        await #expect(throws: TransportError.truncated(received: 3, expected: 5)) {
            try await spool.append(Data([4]))
        }
    }

    @Test func nothingIsAddedAfterTheEnd() async throws {
        let spool = BodySpool()
        spool.finish()
        spool.fail(.cancelled)  // the first end counts
        await #expect(throws: TransportError.self) { try await spool.append(Data([1])) }
        #expect(try await spool.bytes().isEmpty)
    }

    @Test("Promise 6: a reader that waits can be cancelled, and others go on")
    func cancelledReader() async throws {
        let spool = BodySpool()
        let reader = spool.reader()
        let cancelled = Task { try await reader.collect(limit: .max) }
        let other = spool.reader()
        let staying = Task { try await other.collect(limit: .max) }
        try await Task.sleep(for: .milliseconds(20))
        cancelled.cancel()
        await #expect(throws: TransportError.cancelled) { try await cancelled.value }
        try await spool.append(Data([1]))
        spool.finish()
        #expect(try await staying.value == Data([1]))
    }

    @Test("Promise 17: without a folder to write to, the body stays in memory")
    func noFolder() async throws {
        let spool = BodySpool(memoryLimit: 1, directory: "/nonexistent/folder")
        try await spool.append(Data([1, 2]))
        try await spool.append(Data([3]))
        spool.finish()
        #expect(try await spool.bytes() == Data([1, 2, 3]))
        #expect(!spool.isInFile)
        #expect(await spool.relinquishFile() == nil)
    }

    @Test("Promise 17: on a full disk the body comes back into memory")
    func fullDisk() async throws {
        let folder = try Folder()
        // Needs the right to mount: skipped for ordinary users and in tight containers.
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else { return }
        defer { umount2(folder.path, 2) }
        let spool = BodySpool(memoryLimit: 1000, directory: folder.path)
        let early = spool.reader()
        let all = Data(patterned(100 * 4096))
        for start in stride(from: 0, to: all.count, by: 4096) {
            try await spool.append(all[start..<start + 4096])
        }
        spool.finish()
        #expect(try await early.collect(limit: .max) == all)
        #expect(try await spool.reader().collect(limit: .max) == all)
        #expect(try await spool.bytes() == all)
        #expect(!spool.isInFile)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
