import VitrineBase

extension MemoryCache {
    /// Drops the value of `key` and returns it, nil if there is none.
    @discardableResult
    public func remove(_ key: Key) -> Value? {
        guard let removed = entries.withLock({ $0.remove(key) }) else { return nil }
        report(Dropped([removed], .removed))
        return removed.value
    }

    /// Drops everything. Takes time for every entry.
    public func removeAll() {
        report(Dropped(entries.withLock { $0.removeAll() }, .removed))
    }

    /// Drops the entries whose keys `matches` accepts and returns how many these were.
    ///
    /// Takes time for every entry. `matches` is called without the cache's lock and may use the
    /// cache; an entry that is added or replaced meanwhile stays.
    @discardableResult
    public func removeAll(where matches: (Key) -> Bool) -> Int {
        let doomed = entries.withLock { $0.keys }.filter { matches($0.key) }
        let removed = entries.withLock { entries in
            doomed.compactMap { entries.remove($0.key, ifSerial: $0.serial) }
        }
        report(Dropped(removed, .removed))
        return removed.count
    }

    /// Drops the entries that are too old and returns how many these were. Takes time for every entry.
    ///
    /// Without it they are dropped when they are asked for, or when something has to go.
    @discardableResult
    public func removeExpired() -> Int {
        let now = time.uptime
        let removed = entries.withLock { $0.removeExpired(at: now) }
        report(Dropped(removed, .expired))
        return removed.count
    }

    /// Gives memory back: everything when it is critical, else down to the purge target or to half of what
    /// there is, whichever is less.
    public func respond(to level: MemoryPressure.Level) {
        switch level {
        case .warning: trim(to: min(purgeTarget, memoryUsage / 2))
        case .critical: report(Dropped(entries.withLock { $0.removeAll() }, .memoryPressure))
        }
    }
}
