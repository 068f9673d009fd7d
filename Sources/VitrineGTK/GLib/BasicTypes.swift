package import CGTK

/// GLib's basic types, which are macros in C: G_TYPE_BOOLEAN and so on.
extension GType {
    package static let boolean: GType = 5 << 2
    package static let integer: GType = 6 << 2
    package static let unsigned: GType = 7 << 2
    package static let enumeration: GType = 12 << 2
    package static let double: GType = 15 << 2
    package static let variant: GType = 21 << 2
}
