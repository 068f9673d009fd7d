import FoundationEssentials
import Glibc
import Testing
import VitrineStorage

/// A writer is killed again and again while two other processes read and write; `make torture` does
/// it 300 times.
@Suite(.serialized) struct DiskStoreTortureTests {
    private static let kills =
        ProcessInfo.processInfo.environment["VITRINE_KILLS"].flatMap { Int($0) } ?? 8

    /// What a process has told of each of its keys.
    private struct Ledger {
        /// The byte of the body stored last.
        var stored: [String: UInt8] = [:]
        /// Of the bodies that were being stored since.
        var begun: [String: Set<UInt8>] = [:]

        mutating func take(_ output: String) {
            for line in output.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 3, let byte = UInt8(words[2]) else { continue }
                let key = String(words[1])
                if words[0] == "storing" { begun[key, default: []].insert(byte) }
                if words[0] == "stored" {
                    stored[key] = byte
                    begun[key] = nil
                }
            }
        }
    }

    @Test(
        "C12: promise 17: killing a writer between two others loses nothing that was stored")
    func withRoom() async throws {
        // So much room that nothing is evicted: whatever was told to be stored must be there.
        let folder = try TemporaryFolder()
        let ledger = try await torture(folder, bound: 60_000_000)
        let store = folder.store(bound: 60_000_000)
        #expect(!ledger.stored.isEmpty)
        for (key, byte) in ledger.stored {
            let entry = try await store.entry(for: key)
            let found = try #require(entry?.metadata.first, "\(key) is lost")
            #expect(found == byte || ledger.begun[key]?.contains(found) == true, "\(key)")
        }
    }

    @Test("C12: promise 18: killing a writer between two others never passes the bound")
    func withoutRoom() async throws {
        let folder = try TemporaryFolder()
        _ = try await torture(folder, bound: 4_000_000)
    }

    /// Two processes that work throughout, and writers that are killed one after the other; returns
    /// what these have told.
    private func torture(_ folder: TemporaryFolder, bound: Int) async throws -> Ledger {
        let store = folder.store(bound: bound)
        try await store.open()
        let companions = try ["one", "two"].map { name in
            try Companion(
                ChildProcess(
                    crasherPath, [folder.storePath, "\(bound)", "\(name.count)", name, "3000"]))
        }
        var ledger = Ledger()
        for round in 0..<Self.kills {
            let writer = try ChildProcess(
                crasherPath, [folder.storePath, "\(bound)", "\(round)", "killed", "60"])
            let told = Output(writer)
            try #require(told.wait(for: "stored"), "\(told.text)")
            usleep(UInt32.random(in: 0...60_000))
            writer.killNow()
            ledger.take(told.rest())
            writer.kill()
            #expect(!told.text.contains("failed"), "\(told.text)")
            let statistics = try await store.statistics()
            #expect(statistics.countedBytes <= bound)
            #expect(statistics.bytesOnDisk < bound * 12 / 10 + 16_000_000)
        }
        for companion in companions {
            let last = companion.stop()
            #expect(!last.contains("failed"), "\(last)")
            #expect(last.contains("stored"))
        }
        let verification = try await folder.store(bound: bound).verify()
        #expect(verification.removed == [])
        #expect(verification.checked > 5)
        #expect(folder.brokenFiles.isEmpty)
        return ledger
    }

    @Test("C12: promise 17: a body stored from a file never stands in memory whole")
    func memoryOfSpools() throws {
        let folder = try TemporaryFolder()
        let size = Self.kills >= 300 ? 200_000_000 : 50_000_000
        let child = try ChildProcess(
            crasherPath, [folder.storePath, "300000000", "spool", "\(size)"])
        let words = Output(child).rest().split(whereSeparator: \.isWhitespace)
        try #require(words.count == 4)
        #expect(Int(words[1]) == size)
        let grown = try #require(Int(words[3]))
        #expect(grown < 8_000_000)
    }
}

/// What a child process prints, read until a word comes or until its end.
private final class Output {
    private let child: ChildProcess
    private(set) var text = ""

    init(_ child: ChildProcess) { self.child = child }

    func wait(for word: String) -> Bool {
        while !text.contains(word) {
            let more = child.readSome()
            if more.isEmpty { return false }
            text += more
        }
        return true
    }

    /// All of it, up to the end of the process.
    func rest() -> String {
        while true {
            let more = child.readSome()
            if more.isEmpty { return text }
            text += more
        }
    }
}

/// A process that works on while others are killed; a thread reads what it prints, lest it wait.
private final class Companion: @unchecked Sendable {
    // Unchecked since the thread has ended before anybody else looks.
    private let child: ChildProcess
    private let pid: pid_t
    private var thread = pthread_t()
    private var last = ""

    init(_ child: ChildProcess) throws {
        self.child = child
        pid = child.pid
        let me = Unmanaged.passRetained(self)
        let failed = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Companion>.fromOpaque(argument).takeRetainedValue().read()
                return nil
            }, me.toOpaque())
        guard failed == 0 else {
            me.release()
            throw POSIXFailure(failed)
        }
    }

    private func read() {
        while true {
            let more = child.readSome()
            if more.isEmpty { return }
            last = String((last + more).suffix(2000))
        }
    }

    /// Kills it; returns the end of what it has told.
    func stop() -> String {
        Glibc.kill(pid, SIGKILL)
        pthread_join(thread, nil)
        child.kill()
        return last
    }
}
