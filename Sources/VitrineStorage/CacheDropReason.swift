/// Why an entry is no longer in a memory cache.
public enum CacheDropReason: String, Sendable, Hashable, CaseIterable {
    /// Another value took its key.
    case replaced
    /// Somebody removed it.
    case removed
    /// The cache was over its capacity, and this one was wanted least.
    case capacity
    /// There were too many entries, and this one was wanted least.
    case count
    /// Its time had passed.
    case expired
    /// The system is short of memory.
    case memoryPressure
    /// It never was in the cache, since it costs more than the whole capacity.
    case tooLarge
}
