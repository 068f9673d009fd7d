/// What the kernel says of the memory of a control group (cgroup v2).
struct GroupMemory: Sendable, Hashable {
    /// How often something has happened since the group was made (`memory.events`).
    struct Events: Sendable, Hashable {
        /// Processes were slowed down, since the group was above `memory.high`.
        var high: UInt64 = 0
        /// The group was about to pass `memory.max`, and something had to be reclaimed.
        var max: UInt64 = 0
        /// Nothing could be reclaimed.
        var oom: UInt64 = 0
        /// Processes were killed for it.
        var oomKill: UInt64 = 0
    }

    var events = Events()
    /// Bytes in use, the cache of files included (`memory.current`).
    var current: UInt64 = 0
    /// Of these, pages of files that nobody has used lately (`inactive_file` of `memory.stat`): the
    /// kernel drops them without anybody's noticing.
    var inactiveFiles: UInt64 = 0
    /// Above this many bytes processes are slowed down (`memory.high`); nil for no limit.
    var high: UInt64?
    /// More bytes than this there cannot be (`memory.max`); nil for no limit.
    var maximum: UInt64?

    /// Which part of the lower limit is in use by what cannot simply be dropped; nil without a limit.
    var share: Double? {
        guard let limit = [high, maximum].compactMap({ $0 }).min(), limit > 0 else { return nil }
        return Double(current - min(current, inactiveFiles)) / Double(limit)
    }
}

/// Decides from numbers how short memory is.
///
/// A group that reads many files is at its limit all the time, and what is reclaimed then is their cache,
/// which harms nobody. So being at a limit counts only when the group's own memory fills most of it.
struct PressureJudge: Sendable {
    /// From this part of the limit on it is a warning.
    static let warningShare = 0.8
    /// From this part of the limit on it is critical.
    static let criticalShare = 0.95

    private var seen: GroupMemory.Events?

    /// Events before `first` do not count; nil if there is no group.
    init(first: GroupMemory?) { seen = first?.events }

    /// How short memory is after something has happened; nil if it is not.
    ///
    /// `stall` is what the triggers of the kernel's pressure stall information say, `group` the numbers of
    /// now.
    mutating func level(stall: MemoryPressure.Level?, group: GroupMemory?) -> MemoryPressure.Level?
    {
        [stall, group.flatMap { level(of: $0) }].compactMap { $0 }.max()
    }

    private mutating func level(of group: GroupMemory) -> MemoryPressure.Level? {
        let before = seen ?? GroupMemory.Events()
        let now = group.events
        seen = now
        if now.oom > before.oom || now.oomKill > before.oomKill { return .critical }
        guard now.high > before.high || now.max > before.max, let share = group.share else {
            return nil
        }
        if share >= Self.criticalShare { return .critical }
        return share >= Self.warningShare ? .warning : nil
    }
}
