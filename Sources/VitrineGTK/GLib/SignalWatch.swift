import CGTK

/// Calls Swift on each of a signal, as long as this lives; it keeps the sender alive.
@MainActor final class SignalWatch {
    private let sender: HeldObject
    private let connection: gulong

    init(_ sender: HeldObject, _ signal: String, _ body: @escaping @MainActor () -> Void) {
        self.sender = sender
        let object: UnsafeMutablePointer<GObject> = sender.pointer.cast()
        connection = connect(object, signal) { _ in body() }
    }

    deinit {
        // GLib locks by itself: it does not matter which thread drops this. A sender that was taken apart
        // has no connections any more.
        let object = UnsafeMutableRawPointer(sender.pointer)
        if g_signal_handler_is_connected(object, connection) != 0 {
            g_signal_handler_disconnect(object, connection)
        }
    }
}
