import CGTK

/// The program's loop: GLib's, on the thread that runs it.
@MainActor final class HostLoop {
    private let loop = g_main_loop_new(nil, 0)

    /// Runs until somebody quits; after 60 s that is a fault.
    func run() {
        let limit = after(milliseconds: 60_000) {
            Findings.expect(false, "the scenario has come to its end within 60 s")
            Findings.end()
        }
        g_main_loop_run(loop)
        g_source_remove(limit)
    }

    func quit() { g_main_loop_quit(loop) }
}

/// Calls back from the loop, later, without libdispatch.
@MainActor @discardableResult
func after(
    milliseconds: guint, priority: gint = G_PRIORITY_DEFAULT,
    _ body: @escaping @MainActor () -> Void
) -> guint {
    let work = Unmanaged.passRetained(HostWork(body)).toOpaque()
    return g_timeout_add_full(
        priority, milliseconds,
        { work in
            guard let work else { return 0 }
            nonisolated(unsafe) let own = Unmanaged<HostWork>.fromOpaque(work).takeUnretainedValue()
            MainActor.assumeIsolated { own.body() }
            return 0
        }, work,
        { work in
            if let work { Unmanaged<HostWork>.fromOpaque(work).release() }
        })
}

final class HostWork {
    let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}

/// Iterates the loop, asleep when there is nothing to do, for about so long; how often it was woken.
@MainActor func iterate(milliseconds: guint) -> Int {
    let isOver = Switch()
    after(milliseconds: milliseconds) { isOver.isOn = true }
    var count = 0
    while !isOver.isOn {
        g_main_context_iteration(nil, 1)
        count += 1
    }
    return count
}

/// Something that happens.
@MainActor final class Switch {
    var isOn = false
}

/// Names of what has run, each on the main thread.
@MainActor final class Diary {
    private(set) var names: Set<String> = []
    private let expected: Set<String>
    private let whenFull: @MainActor () -> Void

    init(_ expected: Set<String>, whenFull: @escaping @MainActor () -> Void) {
        self.expected = expected
        self.whenFull = whenFull
    }

    func note(_ name: String) {
        Findings.expect(cgtk_is_main_thread() != 0, "\(name) runs on the main thread")
        Findings.expect(expected.contains(name), "\(name) is awaited")
        Findings.expect(names.insert(name).inserted, "\(name) runs once")
        if names == expected { whenFull() }
    }
}
