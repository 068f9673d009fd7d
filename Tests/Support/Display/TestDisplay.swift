public import CGTK
import Foundation

/// A display of its own for tests of widgets: an Xvfb that goes with the process.
@MainActor public enum TestDisplay {
    /// There is no display: Xvfb is not installed, or cannot start.
    public struct Missing: Error {}

    /// Initializes GTK with the display, once; a suite of widgets calls it first.
    public static func open() throws(Missing) {
        if !isThere { throw Missing() }
    }

    private static let isThere: Bool = {
        setenv("GDK_BACKEND", "x11", 1)
        setenv("GSK_RENDERER", "cairo", 1)
        // Nothing is said to the desktop, but what would be can be asked for.
        setenv("GTK_A11Y", "test", 0)
        setenv("GSETTINGS_BACKEND", "memory", 1)
        guard let display = startServer() else { return false }
        setenv("DISPLAY", display, 1)
        return gtk_init_check() != 0
    }()

    /// The display's name; nil if no server could be started.
    ///
    /// The server ends when its last client has gone, which is this process.
    private static func startServer() -> String? {
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/Xvfb")
        server.arguments = [
            "-displayfd", "1", "-terminate", "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
        ]
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        guard (try? server.run()) != nil else { return nil }
        // It says its number, and a line feed, once it listens.
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            said += more
        }
        return ":" + String(decoding: said.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// Lets GLib's loop and the main actor's jobs run until `condition` holds; false when it has not within
/// the time, in seconds.
@MainActor
public func pump(within seconds: Double = 20, until condition: () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while !condition() {
        guard clock.now < end else { return false }
        while g_main_context_iteration(nil, 0) != 0 {}
        await Task.yield()
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}

/// Shows the widget in a window of a size, in logical pixels, and waits until it is drawn.
@MainActor
public func present(
    _ widget: UnsafeMutablePointer<GtkWidget>, width: Int32, height: Int32
) async -> UnsafeMutablePointer<GtkWindow>? {
    guard let window = gtk_window_new() else { return nil }
    let pointer = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
    gtk_window_set_decorated(pointer, 0)
    gtk_window_set_default_size(pointer, width, height)
    gtk_window_set_child(pointer, widget)
    gtk_window_present(pointer)
    let isDrawn = await pump {
        gtk_widget_get_mapped(widget) != 0 && gtk_widget_get_width(widget) > 0
    }
    return isDrawn ? pointer : nil
}
