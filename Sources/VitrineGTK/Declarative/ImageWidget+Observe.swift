public import CGTK
import Observation

extension ImageWidget {
    /// Calls `apply` now, and again whenever something observable has changed that `value` has read, for as
    /// long as the widget lives.
    ///
    /// ```swift
    /// bar.vitrine.observe { model.fraction } apply: { bar, fraction in
    ///     gtk_progress_bar_set_fraction(OpaquePointer(bar), fraction)
    /// }
    /// ```
    ///
    /// Changes are told by GLib's loop, after the call that makes them, and several of them at once as one.
    /// What `apply` reads is not observed, so that it may make widgets which observe something themselves.
    /// Both closures go with the widget.
    public func observe<Value>(
        _ value: @escaping @MainActor () -> Value,
        apply: @escaping @MainActor (_ widget: UnsafeMutablePointer<GtkWidget>, Value) -> Void
    ) {
        let observers =
            belonging(WidgetObservers.self, of: widget, name: WidgetObservers.name)
            ?? WidgetObservers(of: widget)
        let observer = WidgetObserver(widget, value, apply)
        observers.all.append(observer)
        observer.run()
    }
}

/// What a widget observes; it owns this.
@MainActor private final class WidgetObservers {
    static let name = "vitrine-observers"
    var all: [AnyObject] = []

    init(of widget: UnsafeMutablePointer<GtkWidget>) {
        setBelonging(self, of: widget, name: Self.name)
    }
}

@MainActor private final class WidgetObserver<Value> {
    private let widget: WeakWidget
    private let value: @MainActor () -> Value
    private let apply: @MainActor (UnsafeMutablePointer<GtkWidget>, Value) -> Void

    init(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ value: @escaping @MainActor () -> Value,
        _ apply: @escaping @MainActor (UnsafeMutablePointer<GtkWidget>, Value) -> Void
    ) {
        self.widget = WeakWidget(widget)
        self.value = value
        self.apply = apply
    }

    func run() {
        widget.with { widget in
            // It is told before the change, once: the loop reads what has become of it.
            let value = withObservationTracking {
                self.value()
            } onChange: { [weak self] in
                onMainLoop { self?.run() }
            }
            apply(widget, value)
        }
    }
}
