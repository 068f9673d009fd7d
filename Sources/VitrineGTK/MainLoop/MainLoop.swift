import CGTK
import Glibc
import VitrineBase

/// Lets GLib's main loop, which GTK runs, serve the main dispatch queue, so that `@MainActor` code and
/// `DispatchQueue.main` run in GTK programs.
///
/// ```swift
/// try MainLoop.attach()
/// let status = g_application_run(application, 0, nil)
/// ```
///
/// On Linux nobody serves that queue while `g_application_run` or `g_main_loop_run` runs: a
/// `Task { @MainActor in … }` would wait for ever. Attach once, before the loop runs or while it does;
/// it works beside any library that runs GLib's default main context. What this library itself delivers
/// arrives without it, by `Delivery.mainLoop`.
public enum MainLoop {
    /// One below GDK's for drawing (120), as GLib counts: less is sooner. However many jobs there are,
    /// windows are drawn first; at 0 a stream of jobs would stop that. Jobs that have waited 30 ms, since
    /// drawing takes all the time there is, get a turn before it.
    public static let defaultPriority: Int32 = 121

    /// Why the loop cannot serve the main queue.
    public enum AttachError: Error, Hashable, CustomStringConvertible {
        /// The caller is not on the thread with which the process began, and only that one may serve
        /// the main queue. So it is after an `await` in `static func main() async`: a GTK program
        /// starts from a synchronous `main`.
        case notOnMainThread
        /// Another thread runs GLib's default main context.
        case loopOnAnotherThread

        /// One sentence for people.
        public var description: String {
            switch self {
            case .notOnMainThread:
                "GLib's loop can serve the main queue on the process's first thread only, "
                    + "which an asynchronous main leaves at its first await."
            case .loopOnAnotherThread:
                "Another thread runs GLib's default main context, "
                    + "so that the main queue cannot be served by it."
            }
        }
    }

    private struct State {
        /// GLib's number of the source that hears of jobs; 0 for none.
        var watch: guint = 0
        /// In which jobs run.
        var turn: LoopTurn?
        /// Whether it has heard of jobs that have not run yet.
        var isAsked = false
        /// The thread that may serve the main queue.
        var thread: pthread_t?

        var isHere: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private static let state = Lock(State())

    /// Whether GLib's default main context serves the main queue by a call of ``attach(priority:)``.
    public static var isAttached: Bool { state.withLock { own($0) != nil } }

    /// Has GLib's default main context serve the main queue, and starts ``MemoryMonitor``.
    ///
    /// Calling it again changes the priority, and nothing else. What was put on the queue before runs
    /// once the loop does.
    ///
    /// - Parameter priority: GLib's: less is sooner. Above 120, GDK's priority of drawing, jobs cannot keep
    ///   windows from being drawn.
    /// - Throws: ``AttachError`` if the caller is not on the main thread, or the loop is elsewhere. Nothing
    ///   has changed then.
    public static func attach(priority: Int32 = defaultPriority) throws(AttachError) {
        guard cgtk_is_main_thread() != 0 else { throw .notOnMainThread }
        // Free, or the caller's own; otherwise somebody else iterates it.
        guard g_main_context_acquire(nil) != 0 else { throw .loopOnAnotherThread }
        defer { g_main_context_release(nil) }
        state.withLock { state in
            let watchPriority = min(priority, G_PRIORITY_DEFAULT)
            if let watch = own(state), let turn = state.turn {
                g_source_set_priority(watch, watchPriority)
                turn.move(to: priority)
                return
            }
            state.thread = pthread_self()
            state.turn = LoopTurn(priority: priority, named: "Swift's main queue") { serve() }
            state.watch = g_unix_fd_add_full(
                watchPriority, _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
                { file, _, _ in MainLoop.heard(file) }, nil, nil)
            g_source_set_name_by_id(state.watch, "Signal of Swift's main queue")
        }
        MainActor.assumeIsolated { MemoryMonitor.start() }
    }

    /// Has GLib serve the main queue no longer; jobs wait until somebody does. May be called from any
    /// thread, and from a job: the rest of those that are waiting with it still run.
    public static func detach() {
        state.withLock { leave(&$0) }
    }

    private static func leave(_ state: inout State) {
        if let watch = own(state) { g_source_destroy(watch) }
        state.watch = 0
        state.turn = nil
        guard state.isAsked else { return }
        // Whoever serves the queue next shall hear of what waits.
        state.isAsked = false
        var count: UInt64 = 1
        _ = write(
            _dispatch_get_main_queue_handle_4CF(), &count, MemoryLayout<UInt64>.size)
    }

    private static func own(_ state: State) -> UnsafeMutablePointer<GSource>? {
        state.watch == 0 ? nil : g_main_context_find_source_by_id(nil, state.watch)
    }

    /// libdispatch tells of jobs: asks for a turn for them. It costs next to nothing, so it may come before
    /// drawing; 0 if the source must go.
    private static func heard(_ file: Int32) -> gboolean {
        guard mayServe() else { return 0 }
        // libdispatch leaves it to us to take the signal away; otherwise the loop would spin.
        var count: UInt64 = 0
        _ = read(file, &count, MemoryLayout<UInt64>.size)
        state.withLock { state in
            // Another signal is no reason to wait anew.
            if !state.isAsked { state.turn?.ask() }
            state.isAsked = true
        }
        return 1
    }

    /// Runs the jobs that wait.
    ///
    /// A loop within a job runs no other one: libdispatch would not start it, and signals anew after the
    /// jobs if more have come.
    private static func serve() {
        guard mayServe() else { return }
        state.withLock { state in
            state.isAsked = false
            state.turn?.rest()
        }
        _dispatch_main_queue_callback_4CF(nil)
    }

    /// Whether the loop is still on the thread that may serve the queue, which libdispatch would end the
    /// process for; if not, it is said, and all is given up.
    private static func mayServe() -> Bool {
        let isHere = state.withLock { state in
            if !state.isHere { leave(&state) }
            return state.isHere
        }
        if !isHere {
            cgtk_warn(
                "GLib's main loop has moved to another thread and serves the main queue no longer. "
                    + "Start GTK from a synchronous main.")
        }
        return isHere
    }
}
