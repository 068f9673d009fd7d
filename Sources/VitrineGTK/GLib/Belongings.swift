import CGTK

// Swift objects that belong to a GObject, by name: they go when it is finalized.

/// Gives the object a Swift object, in place of what it had by this name; nil takes it away.
@MainActor
func setBelonging(_ value: AnyObject?, of object: UnsafeMutablePointer<some Any>, name: String) {
    guard let value else {
        g_object_set_data_full(object.cast(), name, nil, nil)
        return
    }
    g_object_set_data_full(object.cast(), name, Unmanaged.passRetained(value).toOpaque()) { held in
        if let held { Unmanaged<AnyObject>.fromOpaque(held).release() }
    }
}

/// The Swift object that belongs to the object by this name, if it is one of this class.
@MainActor
func belonging<Value: AnyObject>(
    _ type: Value.Type = Value.self, of object: UnsafeMutablePointer<some Any>, name: String
) -> Value? {
    guard let held = g_object_get_data(object.cast(), name) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(held).takeUnretainedValue() as? Value
}
