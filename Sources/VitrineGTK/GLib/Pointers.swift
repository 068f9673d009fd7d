import CGTK

// GTK's open classes (`GtkWidget`, `GtkButton`) are pointers to their struct in Swift, its final ones
// (`GtkPicture`, `GdkTexture`) opaque pointers. Its calls want now the one, now the other, of the same
// object.

extension UnsafeMutablePointer {
    /// The same object, for calls that take a final class or an interface.
    package var opaque: OpaquePointer { OpaquePointer(self) }

    /// The same object, as another class of it.
    package func cast<Other>(to other: Other.Type = Other.self) -> UnsafeMutablePointer<Other> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Other.self)
    }
}

extension OpaquePointer {
    /// The same object, as an open class of it.
    package func cast<Other>(to other: Other.Type = Other.self) -> UnsafeMutablePointer<Other> {
        UnsafeMutablePointer(self)
    }
}

/// Whether the object is of the class, or implements the interface.
func isInstance(_ object: UnsafeMutablePointer<some Any>, of type: GType) -> Bool {
    g_type_check_instance_is_a(object.cast(), type) != 0
}
