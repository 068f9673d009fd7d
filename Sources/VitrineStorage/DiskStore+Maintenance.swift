extension DiskStore {
    /// Reads every entry, compares it with its checksums and removes the broken ones.
    ///
    /// Counts as a use of none. Takes as long as reading the whole store.
    public func verify() async throws(DiskStoreError) -> Verification {
        var checked = 0
        var removed: [String] = []
        var last: Record?
        while true {
            let page = try await records(after: last, limit: 256)
            for record in page {
                checked += 1
                if try await !perform(.reading, { try $0.verify(record) }) {
                    removed.append(record.key)
                }
            }
            guard let end = page.last else { break }
            last = end
        }
        return Verification(checked: checked, removed: removed)
    }

    /// Removes what has expired, and on request what was not used for long and what is too much.
    ///
    /// The store removes what has expired by itself, too: when it is found, when room is needed, and
    /// when it is opened. Others may use the store meanwhile.
    ///
    /// - Parameters:
    ///   - age: what was last used longer ago than this goes, too.
    ///   - bytes: the least recently used go until ``Statistics/countedBytes`` is no more than this,
    ///     or nothing is left; a negative number counts as 0. ``Configuration/eviction`` does not
    ///     matter here.
    @discardableResult
    public func prune(
        unusedFor age: Duration? = nil, to bytes: Int? = nil
    ) async throws(DiskStoreError) -> Pruning {
        let moment = age.map { age in
            let (seconds, attoseconds) = age.components
            return core.now &- microseconds(Double(seconds) + Double(attoseconds) / 1e18)
        }
        var all = Pruning()
        while true {
            let some = try await perform(.writing) {
                try $0.pruneSome(unusedSince: moment, to: bytes)
            }
            guard some.removed > 0 else { return all }
            all.removed += some.removed
            all.bytes &+= some.bytes
        }
    }
}
