import CGTK
import VitrineStorage

/// Passes on what the desktop says about memory (`GMemoryMonitor` of GIO: the portal in a sandbox,
/// `low-memory-monitor` elsewhere) to `MemoryPressure.Monitor.shared`, so that image caches give theirs back.
///
/// The kernel's own signs are watched without it. ``MainLoop/attach(priority:)`` starts it.
@MainActor public enum MemoryMonitor {
    private static var link: MemoryMonitorLink?

    /// Whether it listens.
    public static var isRunning: Bool { link != nil }

    /// Begins to listen, if it does not yet; where the desktop has no such service it hears nothing.
    ///
    /// News comes by GLib's default main context, on which nothing else is needed.
    public static func start() {
        if link == nil { link = MemoryMonitorLink(telling: .shared) }
    }

    /// Listens no longer.
    public static func stop() { link = nil }
}

/// A connection between GLib's monitor and one of ours, as long as this object lives.
@MainActor final class MemoryMonitorLink {
    private let source: UnsafeMutablePointer<GObject>
    private let connection: gulong

    /// Nil if GIO has no monitor.
    init?(telling monitor: MemoryPressure.Monitor) {
        guard let found = g_memory_monitor_dup_default() else { return nil }
        source = found.cast()
        connection = connect(source, "low-memory-warning") { arguments in
            if let level = arguments.enumeration(at: 1) { monitor.announce(Self.level(of: level)) }
        }
    }

    isolated deinit {
        disconnect(source, connection)
        g_object_unref(source)
    }

    /// Low and medium ask for caches back, critical means that programs are about to be killed.
    private static func level(of level: Int32) -> MemoryPressure.Level {
        level < Int32(bitPattern: G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL.rawValue)
            ? .warning : .critical
    }
}
