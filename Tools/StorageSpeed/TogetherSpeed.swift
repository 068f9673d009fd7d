import FoundationEssentials
import Glibc
import VitrineBase
import VitrineStorage

/// Stores that wait at the same time, as many loads make them, beside as many plain files.
struct TogetherSpeed {
    let folder: String
    let size: Int

    /// How many callers store at a time, and how many threads write their plain files, as the store has.
    private static let callers = 16
    private static let threads = 2

    func run() async throws {
        try inOneTransaction()
        try await throughTasks()
    }

    /// What a shared transaction costs, without threads: 16 entries handed in at once.
    private func inOneTransaction() throws {
        let body = DiskSpeed.body(size, 1)
        let bytes = Array(body)
        let store = DiskSpeed.store("together", in: folder)
        var next = 0
        try Turns.compare(
            "16 stores of 16 KB at once", pairs: 30,
            ours: {
                let entries = (next..<next + Self.callers).map {
                    (body: body, metadata: DiskSpeed.metadata, key: DiskSpeed.key($0))
                }
                next += Self.callers
                let cost = try Turns.cost(of: 1) { _ in
                    guard store.insert(entries).allSatisfy({ $0 == nil }) else {
                        throw Turns.Failure(what: "not stored")
                    }
                }
                store.tidy()
                return cost.each(of: Self.callers)
            },
            theirs: {
                let files = files("together-\(next)", Self.callers)
                return try Turns.cost(of: Self.callers) { try files.write(bytes, $0) }
            })
        store.close()
    }

    /// 16 tasks that each store one thing after another, through the asynchronous interface.
    private func throughTasks() async throws {
        let body = DiskSpeed.body(size, 1)
        let bytes = Array(body)
        let each = 20
        let configuration = DiskStore.Configuration(
            directory: "\(folder)/tasks", maximumBytes: 4_000_000_000)
        let store = DiskStore(configuration)
        let pool = BlockingPool(name: "plain", threads: Self.threads)
        for turn in 0...20 {
            let ours = try await cost(of: each) { caller, number in
                let number = (turn * Self.callers + caller) * each + number
                try await store.insert(
                    .bytes(body), metadata: DiskSpeed.metadata, for: DiskSpeed.key(number))
            }
            let files = files("tasks-\(turn)", Self.callers * each)
            let theirs = try await cost(of: each) { caller, number in
                try await pool.run { try files.write(bytes, caller * each + number) }
            }
            // The first turn does not count.
            if turn > 0 { Turns.report("16 KB stored by 16 tasks", ours, theirs) }
        }
    }

    private func files(_ name: String, _ count: Int) -> PlainFiles {
        PlainFiles(in: "\(folder)/plain-\(name)", count: count, size: size)
    }

    private func cost(
        of count: Int, _ body: @escaping @Sendable (Int, Int) async throws -> Void
    ) async throws -> Turns.Cost {
        try await Turns.cost(of: 1) { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<Self.callers {
                    group.addTask {
                        for number in 0..<count { try await body(caller, number) }
                    }
                }
                try await group.waitForAll()
            }
        }.each(of: count * Self.callers)
    }
}
