package import CGTK

/// What a signal brings: the object that sent it and its arguments, valid during the call only. What is
/// asked for as another kind than it is comes as nil; at 0 stands the sender.
package struct SignalArguments {
    fileprivate let values: UnsafeBufferPointer<GValue>
    fileprivate let result: UnsafeMutablePointer<GValue>?

    /// The object among the arguments.
    package func object(at index: Int) -> OpaquePointer? {
        guard var value = value(at: index, g_object_get_type()) else { return nil }
        return g_value_get_object(&value).map { OpaquePointer($0) }
    }

    /// The case of an enumeration among the arguments.
    func enumeration(at index: Int) -> Int32? {
        guard var value = value(at: index, .enumeration) else { return nil }
        return g_value_get_enum(&value)
    }

    /// The number among the arguments, whole or not.
    package func number(at index: Int) -> Double? {
        if var value = value(at: index, .integer) { return Double(g_value_get_int(&value)) }
        if var value = value(at: index, .unsigned) { return Double(g_value_get_uint(&value)) }
        guard var value = value(at: index, .double) else { return nil }
        return g_value_get_double(&value)
    }

    /// The whole number among the arguments, of a row, a key or a choice.
    package func integer(at index: Int) -> Int? { number(at: index).flatMap { Int(exactly: $0) } }

    /// The variant among the arguments, such as the state that an action is asked for.
    package func variant(at index: Int) -> OpaquePointer? {
        guard var value = value(at: index, .variant) else { return nil }
        return g_value_get_variant(&value)
    }

    /// What is boxed as the type in a value among the arguments, such as that of a `GtkDropTarget`.
    package func boxed(at index: Int, _ type: GType) -> OpaquePointer? {
        guard var outer = value(at: index, g_value_get_type()),
            let inner = g_value_get_boxed(&outer)?.assumingMemoryBound(to: GValue.self),
            g_type_check_value_holds(inner, type) != 0
        else { return nil }
        return g_value_get_boxed(inner).map { OpaquePointer($0) }
    }

    /// Tells the sender whether the event has been handled, if its signal asks.
    package func answer(_ isHandled: Bool) {
        guard let result, g_type_check_value_holds(result, .boolean) != 0 else { return }
        g_value_set_boolean(result, isHandled ? 1 : 0)
    }

    private func value(at index: Int, _ type: GType) -> GValue? {
        guard values.indices.contains(index) else { return nil }
        var value = values[index]
        return g_type_check_value_holds(&value, type) != 0 ? value : nil
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
package func connect(
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
        let arguments = SignalArguments(
            values: UnsafeBufferPointer(start: values, count: Int(count)), result: result)
        let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
        onMainActor(with: (handler, arguments)) { handler, arguments in handler.body(arguments) }
    }
    g_closure_add_finalize_notifier(closure, handler) { data, _ in
        if let data { Unmanaged<SignalHandler>.fromOpaque(data).release() }
    }
    return g_signal_connect_closure(object, signal, closure, after ? 1 : 0)
}

/// Likewise, of an object of a final class or an interface.
@MainActor @discardableResult
package func connect(
    _ object: OpaquePointer, _ signal: String,
    _ body: @escaping @MainActor (SignalArguments) -> Void
) -> gulong {
    connect(object.cast(to: GObject.self), signal, body)
}

/// Cuts a connection, if there still is one.
@MainActor
func disconnect(_ object: UnsafeMutablePointer<some Any>, _ connection: gulong) {
    if g_signal_handler_is_connected(object, connection) != 0 {
        g_signal_handler_disconnect(object, connection)
    }
}
