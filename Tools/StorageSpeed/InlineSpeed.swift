import Glibc
import FoundationEssentials
import VitrineStorage

/// The same body in the index and in a file of its own.
struct InlineSpeed {
    let folder: String

    func run() throws {
        mkdir(folder, 0o700)
        for kilobytes in [4, 8, 16, 32, 64, 128, 256] {
            let size = kilobytes * 1024
            let inIndex = DiskSpeed.store("index-\(size)", in: folder, inlineLimit: 1_048_576)
            let inFile = DiskSpeed.store("file-\(size)", in: folder, inlineLimit: 0)
            let body = DiskStore.Body.bytes(DiskSpeed.body(size, 1))
            let count = 100
            var stored = [0, 0]
            func store(_ store: SynchronousStore, _ side: Int) throws -> Turns.Cost {
                let keys = (stored[side]..<stored[side] + count).map(DiskSpeed.key)
                stored[side] += count
                return try Turns.cost(of: count) {
                    try store.insert(body, metadata: DiskSpeed.metadata, for: keys[$0])
                    store.tidy()
                }
            }
            try Turns.compare(
                "store of \(kilobytes) KB", pairs: 7, ours: { try store(inIndex, 0) },
                theirs: { try store(inFile, 1) })
            let keys = (0..<stored[0]).map { DiskSpeed.key($0 &* 7919 % stored[0]) }
            func hit(_ store: SynchronousStore) throws -> Turns.Cost {
                try Turns.cost(of: keys.count) {
                    guard try store.entry(for: keys[$0]) != nil else {
                        throw Turns.Failure(what: "no hit")
                    }
                }
            }
            try Turns.compare(
                "hit of \(kilobytes) KB", pairs: 7, ours: { try hit(inIndex) },
                theirs: { try hit(inFile) })
            inIndex.close()
            inFile.close()
        }
    }
}
