public import CGTK

/// Anything that can make a widget: a ``URLImage``, a picture in one of its slots, a view of one's own, and
/// every widget, which makes itself.
@MainActor public protocol WidgetConvertible {
    /// Makes the widget. Its reference floats, as with all constructors of GTK, until a container takes
    /// it.
    func makeWidget() -> UnsafeMutablePointer<GtkWidget>
}

extension UnsafeMutablePointer: WidgetConvertible where Pointee == GtkWidget {
    /// The widget itself.
    public func makeWidget() -> UnsafeMutablePointer<GtkWidget> { self }
}
