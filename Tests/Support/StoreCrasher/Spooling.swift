import FoundationEssentials
import Glibc
import VitrineStorage

/// Stores a file as a body and prints by how many bytes the most memory ever resident has grown.
struct Spooling {
    let store: DiskStore
    let bytes: Int

    func run() async throws {
        try await store.insert(.bytes(Data(count: 100_000)), metadata: Data(), for: "first")
        let path = "\(store.temporaryDirectory)/spool"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0, ftruncate(file, bytes) == 0, close(file) == 0 else { return }
        let before = peak()
        try await store.insert(.file(path: path), metadata: Data(), for: "large")
        let after = peak()
        guard before > 0 else { return }
        let size = try await store.records().map(\.size).max() ?? 0
        print("stored \(size) grown \(after - before)")
    }

    /// Not by `getrusage`, whose peak begins with that of the process that started this one.
    private func peak() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) * 1024 : 0
    }
}
