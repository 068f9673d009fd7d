import CGTK

/// What a signal brings: the object that sent it and its arguments, valid during the call only.
struct SignalArguments {
    fileprivate let values: UnsafeBufferPointer<GValue>

    /// The object at an index; the sender stands at 0.
    func object(at index: Int) -> OpaquePointer? {
        value(at: index, g_object_get_type()).flatMap {
            var value = $0
            return g_value_get_object(&value).map { OpaquePointer($0) }
        }
    }

    /// The number of a row, or of a key.
    func position(at index: Int) -> Int? {
        value(at: index, .unsigned).map {
            var value = $0
            return Int(g_value_get_uint(&value))
        }
    }

    /// How often a button was pressed in a row.
    func count(at index: Int) -> Int? {
        value(at: index, .integer).map {
            var value = $0
            return Int(g_value_get_int(&value))
        }
    }

    /// A distance.
    func number(at index: Int) -> Double? {
        value(at: index, .double).map {
            var value = $0
            return g_value_get_double(&value)
        }
    }

    /// The value that a `GdkDrop` brings, of a boxed type.
    func boxed(at index: Int, _ type: GType) -> OpaquePointer? {
        guard values.indices.contains(index) else { return nil }
        var outer = values[index]
        guard g_type_check_value_holds(&outer, g_value_get_type()) != 0,
            let inner = g_value_get_boxed(&outer)?.assumingMemoryBound(to: GValue.self),
            g_type_check_value_holds(inner, type) != 0
        else { return nil }
        return g_value_get_boxed(inner).map { OpaquePointer($0) }
    }

    /// The state that an action is asked for.
    func variant(at index: Int) -> OpaquePointer? {
        value(at: index, .variant).flatMap {
            var value = $0
            return g_value_get_variant(&value)
        }
    }

    private func value(at index: Int, _ type: GType) -> GValue? {
        guard values.indices.contains(index) else { return nil }
        var value = values[index]
        return g_type_check_value_holds(&value, type) != 0 ? value : nil
    }
}

private final class SignalHandler {
    let body: @MainActor (SignalArguments) -> Bool

    init(_ body: @escaping @MainActor (SignalArguments) -> Bool) { self.body = body }
}

/// Calls `body` on each `signal` of the object, as long as that lives, which owns what the code holds.
@MainActor
func connect(
    _ object: OpaquePointer?, _ signal: String,
    _ body: @escaping @MainActor (SignalArguments) -> Void
) {
    connectAnswering(object, signal) { arguments in
        body(arguments)
        return false
    }
}

/// Likewise, for a signal that asks whether it has been dealt with.
///
/// One marshaller serves all signals: a C callback whose arguments do not fit its signal would fail
/// without a word.
@MainActor
func connectAnswering(
    _ object: OpaquePointer?, _ signal: String,
    _ body: @escaping @MainActor (SignalArguments) -> Bool
) {
    let handler = Unmanaged.passRetained(SignalHandler(body)).toOpaque()
    guard let object,
        let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), handler)
    else {
        Unmanaged<SignalHandler>.fromOpaque(handler).release()
        return
    }
    g_closure_set_marshal(closure) { closure, answer, count, values, _, _ in
        guard let data = closure?.pointee.data else { return }
        nonisolated(unsafe) let arguments = SignalArguments(
            values: UnsafeBufferPointer(start: values, count: Int(count)))
        nonisolated(unsafe) let handler = Unmanaged<SignalHandler>.fromOpaque(data)
            .takeUnretainedValue()
        let isDealtWith = MainActor.assumeIsolated { handler.body(arguments) }
        if let answer, g_type_check_value_holds(answer, .boolean) != 0 {
            g_value_set_boolean(answer, isDealtWith ? 1 : 0)
        }
    }
    g_closure_add_finalize_notifier(closure, handler) { data, _ in
        if let data { Unmanaged<SignalHandler>.fromOpaque(data).release() }
    }
    g_signal_connect_closure(UnsafeMutableRawPointer(object), signal, closure, 0)
}
