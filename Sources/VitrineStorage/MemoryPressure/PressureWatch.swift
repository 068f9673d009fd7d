import Glibc

/// The files of the system that are watched, open: for one thread, which sleeps until one of them tells
/// something.
///
/// Copying would close files twice.
struct PressureWatch: ~Copyable {
    private struct OpenStall {
        let file: Int32
        let level: MemoryPressure.Level
        let readiness: Int16
        var isBroken = false
    }

    private var stalls: [OpenStall] = []
    private var group: ControlGroup?
    private var changes: Int32 = -1
    private var judge: PressureJudge

    /// Opens what is there and may be opened; the rest is left out.
    init(_ files: MemoryPressure.Files) {
        for stall in files.stalls {
            let file = open(stall.path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { continue }
            // The kernel wants the zero that ends a C string.
            let text = Array(stall.trigger.utf8) + [0]
            guard write(file, text, text.count) == text.count else {
                close(file)
                continue
            }
            let own = OpenStall(file: file, level: stall.level, readiness: stall.readiness)
            Self.drain(own)
            stalls.append(own)
        }
        let found = files.group.map { ControlGroup(path: $0) }
        let first = found?.memory
        judge = PressureJudge(first: first)
        guard let found, first != nil else { return }
        let notices = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard notices >= 0 else { return }
        guard inotify_add_watch(notices, found.path + "/memory.events", UInt32(IN_MODIFY)) >= 0
        else {
            close(notices)
            return
        }
        group = found
        changes = notices
    }

    deinit {
        for stall in stalls { close(stall.file) }
        if changes >= 0 { close(changes) }
    }

    /// Whether there is anything to wait for.
    var seesAnything: Bool { changes >= 0 || stalls.contains { !$0.isBroken } }

    /// Sleeps until something has happened, or `wake` can be read, and says how short memory is.
    mutating func next(wake: Int32) -> MemoryPressure.Level? {
        var entries = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        entries.append(pollfd(fd: changes, events: Int16(POLLIN), revents: 0))
        for stall in stalls {
            // A negative number is left out by `poll`.
            entries.append(
                pollfd(fd: stall.isBroken ? -1 : stall.file, events: stall.readiness, revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), -1) > 0 else { return nil }
        var worst: MemoryPressure.Level?
        for index in stalls.indices {
            let found = entries[index + 2].revents
            if found & Int16(POLLERR | POLLNVAL | POLLHUP) != 0 {
                stalls[index].isBroken = true  // its control group is gone
            } else if found & stalls[index].readiness != 0 {
                worst = max(worst ?? .warning, stalls[index].level)
                Self.drain(stalls[index])
            }
        }
        if entries[1].revents != 0 { Self.drain(changes) }
        return judge.level(stall: worst, group: group?.memory)
    }

    private static func drain(_ stall: OpenStall) {
        // The kernel's own files are ready once for each event, and are not to be read.
        if stall.readiness & Int16(POLLIN) != 0 { drain(stall.file) }
    }

    private static func drain(_ file: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(file, &buffer, buffer.count) > 0 {}
    }
}
