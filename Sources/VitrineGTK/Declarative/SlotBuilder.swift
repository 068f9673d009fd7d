public import CGTK

/// Puts together what a slot of a ``URLImage`` shows: nothing, one widget, or several in a column.
@MainActor @resultBuilder public enum SlotBuilder {
    /// What a slot shows, not made yet.
    @MainActor public struct Slot {
        let parts: [any WidgetConvertible]

        /// The widget of the slot; nil if it shows nothing.
        func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
            if parts.count < 2 { return parts.first?.makeWidget() }
            guard let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6) else { return nil }
            for part in parts { gtk_box_append(column.cast(), part.makeWidget()) }
            return column
        }
    }

    /// One part.
    public static func buildExpression(_ part: some WidgetConvertible) -> Slot {
        Slot(parts: [part])
    }

    /// A widget as GTK's constructors return it.
    public static func buildExpression(_ widget: UnsafeMutablePointer<GtkWidget>?) -> Slot {
        Slot(parts: widget.map { [$0] } ?? [])
    }

    /// A call between parts, such as one that sets a property.
    public static func buildExpression(_ nothing: Void?) -> Slot { Slot(parts: []) }

    /// A slot that was built elsewhere.
    public static func buildExpression(_ slot: Slot) -> Slot { slot }

    /// Parts one below the other.
    public static func buildBlock(_ slots: Slot...) -> Slot { buildArray(slots) }

    /// A part on a condition.
    public static func buildOptional(_ slot: Slot?) -> Slot { slot ?? Slot(parts: []) }

    /// One of two parts.
    public static func buildEither(first slot: Slot) -> Slot { slot }

    /// One of two parts.
    public static func buildEither(second slot: Slot) -> Slot { slot }

    /// Parts of a loop.
    public static func buildArray(_ slots: [Slot]) -> Slot {
        Slot(parts: slots.flatMap(\.parts))
    }
}
