import CGTK

/// A widget that may go at any time.
typealias WeakWidget = WeakReference<GtkWidget>

/// An object of GLib's that may go at any time: a reference that becomes empty then.
@MainActor final class WeakReference<Object> {
    /// Its address stands in a list of the object's, so it stays where it is. Unsafe for `deinit` alone.
    private nonisolated(unsafe) let cell: UnsafeMutablePointer<GWeakRef>

    init(_ object: UnsafeMutablePointer<Object>) {
        cell = .allocate(capacity: 1)
        cell.initialize(to: GWeakRef())
        g_weak_ref_init(cell, object)
    }

    deinit {
        // GLib locks by itself: it does not matter which thread drops the last reference.
        g_weak_ref_clear(cell)
        cell.deallocate()
    }

    /// Runs `body` with the object, which lives until it has returned; nil if it has gone.
    @discardableResult
    func with<Result>(
        _ body: (UnsafeMutablePointer<Object>) throws -> Result
    ) rethrows -> Result? {
        guard let object = g_weak_ref_get(cell) else { return nil }
        defer { g_object_unref(object) }
        return try body(object.assumingMemoryBound(to: Object.self))
    }
}
