import FoundationEssentials
import Glibc
import VitrineStorage

/// Stores and reads at random, and checks what it reads.
struct Work {
    let store: DiskStore
    let seed: UInt64
    /// How the keys begin that it stores under; nil for those that all share.
    let keys: String?

    struct Damage: Error { let key: String }

    func run() async throws {
        // A body that comes as a file is written to the store's own folder.
        try await store.open()
        var random = seed
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % UInt64(bound))
        }
        for round in 0... {
            let key = "\(keys ?? "key")-\(next(keys == nil ? 40 : 15))"
            // The body repeats a byte that the metadata tells, so that a reader can check it.
            let byte = UInt8(truncatingIfNeeded: next(256))
            let body = Data(repeating: byte, count: next(200_000))
            if keys != nil, next(3) == 0 {
                tell("storing \(key) \(byte)")
                let file = "\(store.temporaryDirectory)/spool-\(getpid())-\(round)"
                try body.write(to: URL(filePath: file))
                try await store.insert(.file(path: file), metadata: Data([byte]), for: key)
                tell("stored \(key) \(byte)")
            } else if let keys {
                // Some at a time, which share a transaction.
                let some = Set([key] + (0..<next(4)).map { _ in "\(keys)-\(next(15))" })
                for key in some { tell("storing \(key) \(byte)") }
                try await withThrowingTaskGroup(of: Void.self) { [store] group in
                    for key in some {
                        group.addTask {
                            try await store.insert(.bytes(body), metadata: Data([byte]), for: key)
                        }
                    }
                    try await group.waitForAll()
                }
                for key in some { tell("stored \(key) \(byte)") }
            } else {
                try await store.insert(.bytes(body), metadata: Data([byte]), for: key)
            }
            try await read("\(keys ?? "key")-\(next(40))")
            // What others store.
            for other in ["one", "two", "killed"] where keys != nil {
                try await read("\(other)-\(next(15))")
            }
            if round == 5 {
                print("at work")
                fflush(nil)  // a pipe's output is kept back otherwise
            }
        }
    }

    private func read(_ key: String) async throws {
        guard let entry = try await store.entry(for: key) else { return }
        guard entry.metadata.count == 1, entry.body.allSatisfy({ $0 == entry.metadata[0] }) else {
            throw Damage(key: key)
        }
    }

    /// Written at once, so that it is known even if the process is killed right after.
    private func tell(_ line: String) {
        guard keys != nil else { return }
        print(line)
        fflush(nil)
    }
}
