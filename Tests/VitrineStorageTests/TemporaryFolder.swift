import CSQLite
import FoundationEssentials
import Glibc
import Testing
import VitrineBase
import VitrineStorage

/// A folder that is gone with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/vitrine-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXFailure(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A store in a folder within this one.
    func store(
        bound: Int = 150_000_000, inlineLimit: Int = 65_536, time: TimeSource = .system
    ) -> DiskStore {
        DiskStore(
            DiskStore.Configuration(
                directory: storePath, maximumBytes: bound, inlineLimit: inlineLimit),
            time: time)
    }

    var storePath: String { path + "/store" }
    var indexPath: String { storePath + "/index.sqlite" }

    /// False if a store's handles are still open after some seconds.
    func waitUntilClosed() -> Bool {
        for _ in 0..<1000 {
            let handles =
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let isOpen = handles.contains { handle in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(handle)")
                return target?.hasPrefix(storePath) ?? false
            }
            if !isOpen { return true }
            usleep(10_000)
        }
        return false
    }

    var bodyFiles: [String] { names("bodies").map { "\(storePath)/bodies/\($0)" } }

    var brokenFiles: [String] {
        names("").filter { $0.hasPrefix("index.sqlite.broken-") && !$0.hasSuffix("-wal") }
            .filter { !$0.hasSuffix("-shm") }
    }

    func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(storePath)/\(folder)")) ?? [])
            .sorted()
    }
}

struct POSIXFailure: Error {
    let code: Int32
    init(_ code: Int32) { self.code = code }
}

func writeFile(_ data: Data, _ path: String) throws {
    try data.write(to: URL(filePath: path))
}

func readFile(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path))
}

/// Changes the index behind a store's back.
func execute(_ sql: String, on path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    sqlite3_busy_timeout(handle, 5000)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
}

/// Bytes that differ from place to place and from seed to seed.
func bytes(_ count: Int, seed: UInt8 = 1) -> Data {
    var data = Data((0..<1021).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ ($0 >> 3)) ^ seed })
    while data.count < count { data.append(data) }
    return Data(data.prefix(count))
}
