import CGTK

/// Calls Swift on signals of a window's frame clock that bring nothing with them, until `end`.
///
/// A frame emits `before-paint`, `update` (animations and scrolling), `layout` (rows are bound here),
/// `paint` and `after-paint`, in this order.
@MainActor final class FrameClockWatch {
    private final class Handler {
        let body: @MainActor () -> Void
        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    private let clock: OpaquePointer
    private var connections: [gulong] = []

    /// - Parameter widget: one that is realized.
    init(of widget: UnsafeMutablePointer<GtkWidget>) throws {
        guard let clock = gtk_widget_get_frame_clock(widget) else {
            throw BenchFailure("The window has no frame clock.")
        }
        self.clock = clock
        g_object_ref(UnsafeMutableRawPointer(clock))
    }

    func on(_ signal: String, _ body: @escaping @MainActor () -> Void) {
        let call: @convention(c) (gpointer?, gpointer?) -> Void = { _, handler in
            guard let handler else { return }
            nonisolated(unsafe) let own = Unmanaged<Handler>.fromOpaque(handler)
                .takeUnretainedValue()
            MainActor.assumeIsolated { own.body() }
        }
        connections.append(
            g_signal_connect_data(
                UnsafeMutableRawPointer(clock), signal, unsafeBitCast(call, to: GCallback.self),
                Unmanaged.passRetained(Handler(body)).toOpaque(),
                { handler, _ in
                    if let handler { Unmanaged<Handler>.fromOpaque(handler).release() }
                }, GConnectFlags(rawValue: 0)))
    }

    /// Asks for a frame after each frame, so that they come as fast as the clock has them.
    func keepRunning(_ isRunning: Bool) {
        if isRunning {
            gdk_frame_clock_begin_updating(clock)
        } else {
            gdk_frame_clock_end_updating(clock)
        }
    }

    func end() {
        for connection in connections {
            g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), connection)
        }
        connections = []
        g_object_unref(UnsafeMutableRawPointer(clock))
    }
}
