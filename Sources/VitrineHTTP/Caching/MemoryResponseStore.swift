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

    /// How many responses are stored, without those that were cut off.
    public var count: Int {
        state.withLock { state in
            state.entries.reduce(0) { $0 + ($1.key.isOfParts ? 0 : $1.value.count) }
        }
    }

    /// What all that is stored costs, of ``maximumBytes``.
    public var usedBytes: Int { state.withLock { $0.cost } }

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
        let (old, isStored) = state.withLock { insert(bytes, head, as: head.variant, key, &$0) }
        withExtendedLifetime(old) {}  // large memory is given back outside the lock
        return isStored
    }

    private func insert(
        _ bytes: Data, _ head: StoredResponse.Head, as name: String, _ key: ResponseKey,
        _ state: inout State
    ) -> (old: Entry?, isStored: Bool) {
        let old = state.entries[key]?[name]
        state.remove(name, key)
        let entry = Entry(head: head, body: bytes, lastUse: state.tick())
        guard entry.cost <= maximumBytes else { return (old, false) }
        state.entries[key, default: [:]][name] = entry
        state.cost += entry.cost
        if state.cost > maximumBytes { state.purge(to: maximumBytes / 4 * 3) }
        return (old, true)
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
        let shared = ResponseKey.shared(by: url)
        let texts = [shared.text, shared.ofParts.text]
        let resource = ResponseKey.resource(of: url)
        removeAll { key, head in
            texts.contains { key.text == $0 || key.text.hasPrefix($0 + " ") }
                || head.url == resource
        }
    }

    public func removeAll(named name: String) async {
        let prefix = ResponseKey.prefix(named: name)
        let prefixes = [prefix, ResponseKey(text: prefix).ofParts.text]
        removeAll { key, _ in prefixes.contains { key.text.hasPrefix($0) } }
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
        let removed = state.withLock { state in
            var removed: [Entry] = []
            for (key, variants) in state.entries {
                for (variant, entry) in variants where isMeant(key, entry.head) {
                    state.remove(variant, key)
                    removed.append(entry)
                }
            }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: What was cut off

    public func parts(for key: ResponseKey) async -> [StoredResponse.Head] {
        await heads(for: key.ofParts)
    }

    public func part(_ head: StoredResponse.Head, for key: ResponseKey) async -> Data? {
        state.withLock { state in
            let now = state.tick()
            guard let entry = state.entries[key.ofParts]?[head.partName], entry.head == head else {
                return nil
            }
            state.entries[key.ofParts]?[head.partName]?.lastUse = now
            return entry.body
        }
    }

    public func storePart(
        _ head: StoredResponse.Head, _ bytes: Data, for key: ResponseKey
    ) async -> Bool {
        let key = key.ofParts
        func item(_ head: StoredResponse.Head, _ key: ResponseKey, _ bytes: Int) -> PartBound.Item {
            PartBound.Item(
                owner: "\(key.text) \(head.variant)", bytes: bytes, receivedAt: head.receivedAt)
        }
        return state.withLock { state in
            let own = state.entries.filter { $0.key.isOfParts }
            let items = own.flatMap { key, entries in
                entries.values.map { item($0.head, key, $0.cost) }
            }
            let new = item(head, key, bytes.count + 1024)
            guard let surplus = PartBound.surplus(of: items, for: new, bound: maximumBytes) else {
                return false
            }
            for (key, entries) in own {
                for (name, entry) in entries
                where surplus.contains(item(entry.head, key, 0).owner) {
                    state.remove(name, key)
                }
            }
            _ = insert(bytes, head, as: head.partName, key, &state)
            return true
        }
    }

    public func removeParts(variant: String, for key: ResponseKey) async {
        state.withLock { state in
            for (name, entry) in state.entries[key.ofParts] ?? [:]
            where entry.head.variant == variant {
                state.remove(name, key.ofParts)
            }
        }
    }
}

extension ResponseKey {
    /// Where a store may keep parts, beside the responses themselves.
    package var ofParts: ResponseKey { ResponseKey(text: "PART \(text)") }

    fileprivate var isOfParts: Bool { text.hasPrefix("PART ") }
}

extension StoredResponse.Head {
    /// What tells the parts of one response apart: its variant and, after a space, where it begins.
    package var partName: String {
        let range = ContentRange(ifPartial: self)
        return "\(variant) \(range?.bytes.lowerBound ?? 0)"
    }
}
