import CGTK

/// Work for the thread that runs GLib's main loop.
private final class LoopWork: Sendable {
    let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }
}

/// Runs `body` soon on the thread that runs GLib's default main context, whoever serves libdispatch's
/// main queue there.
///
/// - Parameter priority: GLib's: less is sooner. By default drawing goes first.
func onMainLoop(
    priority: Int32 = MainLoop.defaultPriority, _ body: @escaping @MainActor @Sendable () -> Void
) {
    let work = Unmanaged.passRetained(LoopWork(body)).toOpaque()
    g_idle_add_full(
        priority,
        { work in
            guard let work else { return 0 }
            let body = Unmanaged<LoopWork>.fromOpaque(work).takeUnretainedValue().body
            MainActor.assumeIsolated { body() }
            return 0
        }, work,
        { work in
            if let work { Unmanaged<LoopWork>.fromOpaque(work).release() }
        })
}
