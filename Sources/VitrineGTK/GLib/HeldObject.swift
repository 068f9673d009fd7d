import CGTK

/// A reference to a GObject, given back with this object.
///
/// GLib counts references atomically, so any thread may let go of it; what may be done with the object
/// itself is up to its class.
final class HeldObject: Sendable {
    // Unsafe, since what is done with it is checked where that is done.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Takes a reference, also one that floats.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        g_object_ref_sink(UnsafeMutableRawPointer(pointer))
    }

    /// Takes a reference beside those that there are; one that floats does so still, for its owner to come.
    init(sharing pointer: OpaquePointer) {
        self.pointer = pointer
        g_object_ref(UnsafeMutableRawPointer(pointer))
    }

    /// Keeps an object until `body` has returned, which may do away with all other references to it.
    static func keeping<Result>(_ pointer: OpaquePointer, _ body: () -> Result) -> Result {
        withExtendedLifetime(HeldObject(sharing: pointer), body)
    }

    /// Takes over a reference that the caller owns.
    init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}
