import CGTK

/// A call by GLib's default main context, made once it was asked for and again and again until somebody says
/// that nothing waits: at a priority or, if that has not come up for a while, before everything else.
///
/// GLib runs only those of its sources that have the highest priority of all that are ready. A window that
/// takes longer to draw than a frame lasts is always ready to be drawn anew, as with OpenGL without a
/// graphics card; what comes after drawing would never run.
final class LoopTurn: Sendable {
    /// GLib locks by itself, and this object keeps both.
    private nonisolated(unsafe) let soon: UnsafeMutablePointer<GSource>
    private nonisolated(unsafe) let late: UnsafeMutablePointer<GSource>

    /// How long one waits for the priority to come up, in microseconds: two frames.
    private static let patience: gint64 = 30_000

    private final class Call: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// - Parameters:
    ///   - priority: GLib's: less is sooner.
    ///   - canRecurse: whether it is made also by a loop that runs within the call.
    ///   - body: runs on the thread that runs the context.
    init(
        priority: Int32, named name: String, canRecurse: Bool = false,
        _ body: @escaping @Sendable () -> Void
    ) {
        soon = cgtk_source_new()
        late = cgtk_source_new()
        for source in [soon, late] {
            g_source_set_name(source, name)
            g_source_set_can_recurse(source, canRecurse ? 1 : 0)
            g_source_set_callback(
                source,
                { call in
                    guard let call else { return 0 }
                    Unmanaged<Call>.fromOpaque(call).takeUnretainedValue().body()
                    return 1
                }, Unmanaged.passRetained(Call(body)).toOpaque(),
                { call in if let call { Unmanaged<Call>.fromOpaque(call).release() } })
        }
        move(to: priority)
        for source in [soon, late] { g_source_attach(source, nil) }
    }

    deinit {
        for source in [soon, late] {
            g_source_destroy(source)
            g_source_unref(source)
        }
    }

    /// Changes the priority.
    func move(to priority: Int32) {
        g_source_set_priority(soon, priority)
        g_source_set_priority(late, min(priority, G_PRIORITY_DEFAULT))
    }

    /// Something waits; the time for which it has waited begins now. May be called from any thread.
    func ask() {
        g_source_set_ready_time(late, g_get_monotonic_time() + Self.patience)
        g_source_set_ready_time(soon, 0)
    }

    /// Nothing waits.
    func rest() {
        for source in [soon, late] { g_source_set_ready_time(source, -1) }
    }
}
