public import FoundationEssentials
import VitrineBase

/// Keeps responses in memory, within a bound; those that were not used for longest go first.
///
/// A look-up takes constant time. When the bound is passed, a quarter of it is freed at once, so that
/// the search for what was used least is seldom.
public final class MemoryResponseStore: ResponseStore {
    private struct Entry {
        var head: StoredResponse.Head
        let body: Data
        var lastUse: UInt64

        var cost: Int { body.count + 1024 }
    }

    private struct State {
        var entries: [ResponseKey: [String: Entry]] = [:]
        var cost = 0
        var clock: UInt64 = 0

        mutating func tick() -> UInt64 {
            clock &+= 1
            return clock
        }

        mutating func remove(_ variant: String, _ key: ResponseKey) {
            guard let entry = entries[key]?.removeValue(forKey: variant) else { return }
            cost -= entry.cost
            if entries[key]?.isEmpty == true { entries[key] = nil }
        }

        mutating func purge(to bound: Int) {
            let all = entries.flatMap { key, variants in
                variants.map { (key: key, variant: $0.key, lastUse: $0.value.lastUse) }
            }
            for oldest in all.sorted(by: { $0.lastUse < $1.lastUse }) {
                guard cost > bound else { return }
                remove(oldest.variant, oldest.key)
            }
        }
    }

    /// The most bytes that all responses together may take, with 1024 for each head.
    public let maximumBytes: Int
    private let state = Lock(State())

    /// An empty store of that bound; a negative one counts as 0, and then nothing is kept.
    public init(maximumBytes: Int = 20_000_000) { self.maximumBytes = max(0, maximumBytes) }

    /// How many responses are stored.
    public var count: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }

    public func response(
        for key: ResponseKey,
        choosing choice: @escaping @Sendable ([StoredResponse.Head]) -> Int?
    ) async -> StoredResponse? {
        let entries = state.withLock { $0.entries[key].map { Array($0.values) } ?? [] }
        guard let index = choice(entries.map(\.head)), entries.indices.contains(index) else {
            return nil
        }
        let entry = entries[index]
        state.withLock { state in
            let now = state.tick()
            state.entries[key]?[entry.head.variant]?.lastUse = now
        }
        return StoredResponse(head: entry.head, body: entry.body)
    }

    public func heads(for key: ResponseKey) async -> [StoredResponse.Head] {
        state.withLock { $0.entries[key].map { $0.values.map(\.head) } ?? [] }
    }

    @discardableResult
    public func store(
        _ head: StoredResponse.Head, body: BodySpool, for key: ResponseKey
    ) async -> Bool {
        guard body.count <= maximumBytes, let bytes = try? await body.bytes() else { return false }
        let variant = head.variant
        let (old, isStored) = state.withLock { state in
            let old = state.entries[key]?[variant]
            state.remove(variant, key)
            let entry = Entry(head: head, body: bytes, lastUse: state.tick())
            guard entry.cost <= maximumBytes else { return (old, false) }
            state.entries[key, default: [:]][variant] = entry
            state.cost += entry.cost
            if state.cost > maximumBytes { state.purge(to: maximumBytes / 4 * 3) }
            return (old, true)
        }
        withExtendedLifetime(old) {}  // large memory is given back outside the lock
        return isStored
    }

    public func replace(
        _ old: StoredResponse.Head, with new: StoredResponse.Head, for key: ResponseKey
    ) async {
        state.withLock { state in
            guard old.variant == new.variant, state.entries[key]?[old.variant]?.head == old else {
                return
            }
            state.entries[key]?[old.variant]?.head = new
        }
    }

    public func remove(variant: String, for key: ResponseKey) async {
        state.withLock { $0.remove(variant, key) }
    }

    public func removeAll(for url: URL) async {
        let shared = ResponseKey.shared(by: url).text
        let resource = ResponseKey.resource(of: url)
        removeAll { key, head in
            key.text == shared || key.text.hasPrefix(shared + " ") || head.url == resource
        }
    }

    public func removeAll(named name: String) async {
        let prefix = ResponseKey.prefix(named: name)
        removeAll { key, _ in key.text.hasPrefix(prefix) }
    }

    public func removeAll() async { removeAll { _, _ in true } }

    public func records(for key: ResponseKey) async -> [StoredRecord] {
        state.withLock { state in
            (state.entries[key] ?? [:]).values.map {
                StoredRecord(head: $0.head, size: $0.body.count)
            }
        }
    }

    private func removeAll(where isMeant: (ResponseKey, StoredResponse.Head) -> Bool) {
        state.withLock { state in
            for (key, variants) in state.entries {
                for (variant, entry) in variants where isMeant(key, entry.head) {
                    state.remove(variant, key)
                }
            }
        }
    }
}
