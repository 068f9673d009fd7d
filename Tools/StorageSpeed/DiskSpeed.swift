import FoundationEssentials
import Glibc
import VitrineBase
import VitrineStorage

/// The disk store beside files without anything around them.
struct DiskSpeed {
    let folder: String

    func run() async throws {
        mkdir(folder, 0o700)
        // Nothing is removed, and this comes first: ext4 makes files slowly for some seconds after
        // many were removed, which would be the peer's loss.
        try stores(size: 16_384)
        try await TogetherSpeed(folder: folder, size: 16_384).run()
        try hits("16 KB", size: 16_384, count: 2000)
        try hits("256 KB", size: 262_144, count: 200)
        try await many(100_000)
    }

    /// Only what is stored, so that a profile shows nothing else.
    func runStores() async throws {
        mkdir(folder, 0o700)
        try stores(size: 16_384)
        try await TogetherSpeed(folder: folder, size: 16_384).run()
    }

    /// About as long as the head of a response.
    static let metadata = Data(repeating: 7, count: 400)

    static func key(_ number: Int) -> String {
        "GET https://images.example.org/albums/2026/autumn/\(number).jpg?width=640"
    }

    static func body(_ size: Int, _ number: Int) -> Data {
        var random = UInt64(truncatingIfNeeded: number) &* 2 &+ 1
        var data = Data(capacity: size)
        while data.count < size {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: random) { data.append(contentsOf: $0) }
        }
        return data
    }

    static func store(_ name: String, in folder: String, inlineLimit: Int? = nil)
        -> SynchronousStore
    {
        var configuration = DiskStore.Configuration(directory: "\(folder)/\(name)")
        configuration.maximumBytes = 4_000_000_000
        if let inlineLimit { configuration.inlineLimit = inlineLimit }
        return SynchronousStore(configuration)
    }

    private func hits(_ name: String, size: Int, count: Int) throws {
        let store = Self.store("hits-\(size)", in: folder)
        let files = PlainFiles(in: "\(folder)/plain-\(size)", count: count, size: size)
        for number in 0..<count {
            let body = Self.body(size, number)
            try store.insert(.bytes(body), metadata: Self.metadata, for: Self.key(number))
            try files.write(Array(body), number)
        }
        let order = (0..<count).map { $0 &* 7919 % count }
        let keys = order.map(Self.key)
        try Turns.compare(
            "disk hit of \(name)",
            ours: {
                let cost = try Turns.cost(of: count) {
                    guard try store.entry(for: keys[$0])?.size == size else {
                        throw Turns.Failure(what: "no hit")
                    }
                }
                store.tidy()
                return cost
            },
            theirs: { try Turns.cost(of: count) { try files.read(order[$0]) } })
        store.close()
    }

    /// New entries. What `DiskStore` does after a call, when its caller has the answer, is measured
    /// apart: it brings what was written to where it belongs, as the system does with files.
    private func stores(size: Int) throws {
        let body = Self.body(size, 1)
        let bytes = Array(body)
        let store = Self.store("stores", in: folder)
        var next = 0
        var turn = 0
        func stores(_ count: Int, tidying: Bool) throws -> Turns.Cost {
            let keys = (next..<next + count).map(Self.key)
            next += count
            let cost = try Turns.cost(of: count) {
                try store.insert(.bytes(body), metadata: Self.metadata, for: keys[$0])
                if tidying { store.tidy() }
            }
            store.tidy()
            return cost
        }
        func writes(_ count: Int) throws -> Turns.Cost {
            turn += 1
            let files = PlainFiles(in: "\(folder)/drafts-\(turn)", count: count, size: size)
            return try Turns.cost(of: count) { try files.write(bytes, $0) }
        }
        // So few in a row that the journal does not become long.
        try Turns.compare(
            "disk store of 16 KB", pairs: 45, ours: { try stores(30, tidying: false) },
            theirs: { try writes(30) })
        try Turns.compare(
            "disk store, tidied", ours: { try stores(250, tidying: true) },
            theirs: { try writes(250) })
        store.close()
    }

    /// A store with so many small entries.
    private func many(_ count: Int) async throws {
        let store = Self.store("many", in: folder)
        for number in 0..<count {
            try store.insert(
                .bytes(Self.body(64, number)), metadata: Data(), for: Self.key(number))
        }
        store.tidy()
        let absent = (0..<5000).map { Self.key($0 &* 7919 % count) + "&absent" }
        try Turns.measure("disk miss") {
            try Turns.cost(of: absent.count) {
                guard try store.entry(for: absent[$0]) == nil else {
                    throw Turns.Failure(what: "a hit")
                }
            }
        }
        store.close()
        try Turns.measure("opening") {
            let store = Self.store("many", in: folder)
            defer { store.close() }
            return try Turns.cost(of: 1) { _ in try store.open() }
        }
        try await hops(count)
    }

    /// The same hit through the asynchronous interface.
    private func hops(_ count: Int) async throws {
        let keys = (0..<5000).map { Self.key($0 &* 7919 % count) }
        let core = Self.store("many", in: folder)
        let configuration = DiskStore.Configuration(
            directory: "\(folder)/many", maximumBytes: 4_000_000_000)
        let store = DiskStore(configuration)
        for _ in 0..<16 {
            let asynchronous = try await Turns.cost(of: keys.count) { number in
                guard try await store.entry(for: keys[number]) != nil else {
                    throw Turns.Failure(what: "no hit")
                }
            }
            let synchronous = try Turns.cost(of: keys.count) { number in
                guard try core.entry(for: keys[number]) != nil else {
                    throw Turns.Failure(what: "no hit")
                }
            }
            Turns.report("asynchronous hit", asynchronous, synchronous)
        }
    }
}
