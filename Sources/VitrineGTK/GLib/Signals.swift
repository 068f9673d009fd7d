import CGTK

/// What a signal brings: the object that sent it and its arguments, valid during the call only.
struct SignalArguments {
    fileprivate let values: UnsafeBufferPointer<GValue>
    fileprivate let result: UnsafeMutablePointer<GValue>?

    /// The object among the arguments, nil where it is none; at 0 stands the sender.
    func object(at index: Int) -> UnsafeMutableRawPointer? {
        guard values.indices.contains(index) else { return nil }
        var value = values[index]
        guard g_type_check_value_holds(&value, g_object_get_type()) != 0 else { return nil }
        return g_value_get_object(&value)
    }

    /// The case of an enumeration among the arguments, nil where there is none.
    func enumeration(at index: Int) -> Int32? {
        guard values.indices.contains(index) else { return nil }
        var value = values[index]
        // G_TYPE_ENUM, a macro that Swift does not see
        guard g_type_check_value_holds(&value, GType(12) << 2) != 0 else { return nil }
        return g_value_get_enum(&value)
    }

    /// The number among the arguments, whole or not; nil where it is none.
    func number(at index: Int) -> Double? {
        guard values.indices.contains(index) else { return nil }
        var value = values[index]
        // G_TYPE_INT, G_TYPE_UINT and G_TYPE_DOUBLE, macros that Swift does not see
        switch value.g_type {
        case GType(6) << 2: return Double(g_value_get_int(&value))
        case GType(7) << 2: return Double(g_value_get_uint(&value))
        case GType(15) << 2: return g_value_get_double(&value)
        default: return nil
        }
    }

    /// Tells the sender whether the event has been handled, if its signal asks.
    func answer(_ isHandled: Bool) {
        // G_TYPE_BOOLEAN
        guard let result, g_type_check_value_holds(result, GType(5) << 2) != 0 else { return }
        g_value_set_boolean(result, isHandled ? 1 : 0)
    }
}

/// A connection between a signal and Swift code; GLib owns it, together with what the code holds.
private final class SignalHandler {
    let body: @MainActor (SignalArguments) -> Void

    init(_ body: @escaping @MainActor (SignalArguments) -> Void) { self.body = body }
}

/// Calls `body` on each `signal` of the object, until the object is finalized or the connection is cut.
///
/// One marshaller serves all signals: a C callback whose arguments do not fit its signal would fail
/// without a word.
@MainActor @discardableResult
func connect(
    _ object: UnsafeMutablePointer<some Any>, _ signal: String, after: Bool = false,
    _ body: @escaping @MainActor (SignalArguments) -> Void
) -> gulong {
    let handler = Unmanaged.passRetained(SignalHandler(body)).toOpaque()
    guard let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), handler) else {
        Unmanaged<SignalHandler>.fromOpaque(handler).release()
        return 0
    }
    g_closure_set_marshal(closure) { closure, result, count, values, _, _ in
        guard let data = closure?.pointee.data else { return }
        nonisolated(unsafe) let arguments = SignalArguments(
            values: UnsafeBufferPointer(start: values, count: Int(count)), result: result)
        nonisolated(unsafe) let handler = Unmanaged<SignalHandler>.fromOpaque(data)
            .takeUnretainedValue()
        MainActor.assumeIsolated { handler.body(arguments) }
    }
    g_closure_add_finalize_notifier(closure, handler) { data, _ in
        if let data { Unmanaged<SignalHandler>.fromOpaque(data).release() }
    }
    return g_signal_connect_closure(object, signal, closure, after ? 1 : 0)
}

/// Cuts a connection, if there still is one.
@MainActor
func disconnect(_ object: UnsafeMutablePointer<some Any>, _ connection: gulong) {
    if g_signal_handler_is_connected(object, connection) != 0 {
        g_signal_handler_disconnect(object, connection)
    }
}
